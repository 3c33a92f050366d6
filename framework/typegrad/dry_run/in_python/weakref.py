"""References to objects that are there as long as the program uses them."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

_T = TypeVar("_T")
_K = TypeVar("_K")
_V = TypeVar("_V")


class ref(Generic[_T]):
    """A reference to an object."""

    def __init__(self, referent: _T, callback: Any = None) -> None:
        """Refer to an object."""
        self._referent = referent

        if callback is not None:
            import gc  # which is unknown, and may call it at any time

            gc.callbacks.append(callback)

    def __call__(self) -> _T:
        """The object."""
        return self._referent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ref) and self._referent == other._referent

    def __hash__(self) -> int:
        return hash(self._referent)


class WeakKeyDictionary(dict[_K, _V]):
    """A dict of objects as keys."""

    def keyrefs(self) -> list[ref[_K]]:
        """References to the keys."""
        return [ref(each) for each in self]


class WeakValueDictionary(dict[_K, _V]):
    """A dict of objects as values."""

    def valuerefs(self) -> list[ref[_V]]:
        """References to the values."""
        return [ref(each) for each in self.values()]


class WeakSet(set[_T]):
    """A set of objects."""
