"""What NumPy's functions return, and the arrays that they may have changed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from typegrad.dry_run.building import Building
from typegrad.dry_run.computing.mapped import innermost, mapped
from typegrad.dry_run.computing.numpy_calls import numpy_result
from typegrad.dry_run.functions.of_items import shuffle
from typegrad.dry_run.known.arrays import is_hidden
from typegrad.dry_run.known.unknown import has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Unsized, is_number
from typegrad.dry_run.tracking.again import forget_changes
from typegrad.dry_run.tracking.core import NOWHERE
from typegrad.dry_run.tracking.memory import changes_when_read

__all__ = ["OfNumpy"]

_CONVERSION: Final = "__array__"
"""The method by which NumPy makes an array of an object."""
_CONVERTING: Final = (np.array, np.asanyarray, np.asarray, np.ascontiguousarray)
"""The functions that tell it an element type."""


class OfNumpy(Building):
    """What calls of NumPy's functions return."""

    @abstractmethod
    def call(self, place: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a call returns, whoever the function is of."""

    def repeated(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function returns at first that a library calls any number of times."""
        before, self.changes = self.changes, []
        try:
            return self.call(NOWHERE, function, *args, **kwargs)
        finally:
            changes, self.changes = self.changes, before
            forget_changes(self, [function], changes)

    def of_numpy_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call in the program returns; unknown, if it calls functions of the program on values."""
        owner = getattr(function, "__self__", None)
        converts = any(function is each for each in _CONVERTING)
        dtype = [each for each in (*args[1:2], kwargs.get("dtype")) if converts and each is not None]
        args = tuple(self._converted(each, dtype) for each in args)
        given = [each for each in (*args, *kwargs.values()) if not isinstance(each, tuple)]
        if any(self.is_users(innermost(each)) for each in given):
            result = mapped(self, function, args, kwargs)
            if is_unknown(result):
                self._forget_asked((*args, *kwargs.values()))
            return result
        self.changed([owner, *args, kwargs.get("out")])
        if isinstance(owner, (np.ndarray, Unsized)) and function.__name__ == "resize":
            self.tainted.lose_shape(owner)
            return None
        result = self.of_numpy(function, args, kwargs)
        if is_unknown(result):
            self._forget_asked((*args, *kwargs.values()))
        if is_unknown(result) or is_hidden(result) or result is None:
            changed = [owner, *args[:1], kwargs.get("out")]
            if isinstance(function, np.ufunc):
                changed = [*args[function.nin :], kwargs.get("out")]
            self.tainted.add([each for each in changed if isinstance(each, (np.ndarray, tuple))])
        if getattr(function, "__name__", "") == "shuffle" and args:
            shuffle(self, args[0])
        return result

    def _converted(self, value: Any, dtype: Sequence[Any]) -> Any:
        """An argument: the array that an object of the program says that it is, asked for an element type or none."""
        is_object = self.is_users_class(type(value)) and not isinstance(value, np.ndarray)
        convert = getattr(value, _CONVERSION, None) if is_object else None
        return value if convert is None or not self.is_users(convert) else self.call(NOWHERE, convert, *dtype)

    def _forget_asked(self, values: Iterable[Any]) -> None:
        """Forget what objects may change that a library may have asked, as by `__array__` or `__repr__`."""
        for each in self.objects_in(tuple(values)):
            kind: Any = type(each)  # which mypy does not take for hashable
            if changes_when_read(kind):
                self.tainted.add_moved(each)

    def of_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns, or an operator. Of arrays of unknown size it may fail, which `try` catches."""
        is_open = has_unknown((args, kwargs)) or is_unknown(getattr(function, "__self__", None))
        if is_open and (self.tries or self.is_trial):
            return self.unsure()
        if has_unknown((args, kwargs), is_number):
            return self.of_either(self.of_numpy, function, args, kwargs)
        result = self.of_arrays(numpy_result, (function, args, kwargs))
        return self.unsure() if self.tries and is_unknown(result) else result

    def of_arrays(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """What a function returns whose errors are about arrays."""
        try:
            return self.of_values(function, args, {})
        except Exception as error:
            self.error_of_arrays = error
            raise
