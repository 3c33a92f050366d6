"""`UNKNOWN`: a value of which nothing is known, such as what a file holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any, Final, NoReturn, final

import attrs

__all__ = [
    "ONLOOKER", "UNKNOWN", "Base", "Identity", "Modules", "Names", "Number", "Onlooker", "UncertainError", "Unknown",
    "UnknownFloat", "has_unknown", "is_unknown",
]  # fmt: skip

_DEPTH: Final = 4
"""How deep a value is searched for unknown parts."""
_MOST: Final = 1000
"""How many items of a container are searched, but for numbers alone."""
_NUMBERS: Final = {bool, float, int}


class UncertainError(BaseException):
    """What happens next depends on an unknown value. Programs do not catch it, as it is no `Exception`."""


class Unknown:
    """The class of `UNKNOWN`: whatever is done to it is unknown, too, and what must be certain of it is an error."""

    __slots__ = ()

    def _unknown(self, *_: Any, **__: Any) -> Any:
        """Return the unknown value."""
        return UNKNOWN

    def _uncertain(self, *_: Any) -> NoReturn:
        """Refuse to be what only a known value is."""
        raise UncertainError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)  # Python, NumPy and attrs ask for these
        return UNKNOWN

    __call__ = __getitem__ = __enter__ = _unknown
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _unknown
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _unknown
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __neg__ = __pos__ = __invert__ = __abs__ = _unknown
    __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = _unknown
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _unknown
    __bool__ = __iter__ = __len__ = __contains__ = __index__ = __int__ = __float__ = _uncertain
    __repr__ = __str__ = __format__ = __hash__ = _uncertain

    def __setattr__(self, name: str, value: object) -> None:
        """Ignore what is stored."""

    def __setitem__(self, key: object, value: object) -> None:
        """Ignore what is stored."""

    def __exit__(self, *error: object) -> None:
        """Let exceptions pass."""


UNKNOWN: Final = Unknown()


@final
class Onlooker(Unknown):
    """What only looks at what it is given, such as a logger, and so are its attributes, and what it returns."""

    __slots__ = ()

    def _onlooker(self, *_: Any, **__: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        super().__getattr__(name)  # which refuses what Python itself asks for
        return self

    __call__ = _onlooker


ONLOOKER: Final = Onlooker()


class Base:
    """The base class of classes whose own base is unknown."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Take anything."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Take anything."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN


@final
class Number(Unknown):
    """An int or a float, of which not even that is known."""

    __slots__ = ()


@final
class Modules(Unknown):
    """The modules that are loaded, by name: those of the program are among them."""

    __slots__ = ()


@final
class Names(Unknown):
    """The names of a module, which the program reads by `globals()`."""

    __slots__ = ("module",)

    def __init__(self, module: ModuleType) -> None:
        """Take the module."""
        object.__setattr__(self, "module", module)


@final
class UnknownFloat(float):
    """A number of which only the type is known."""

    ends: tuple[Any, Any] | None = None
    """Between what it lies, if that is known."""

    def _number(self, *_: Any) -> UnknownFloat:
        """Return such a number."""
        return UnknownFloat(1)

    def _uncertain(self, *_: Any) -> NoReturn:
        raise UncertainError

    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _number
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = _number
    __neg__ = __pos__ = __abs__ = _number
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = __bool__ = _uncertain
    __int__ = __round__ = __floor__ = __ceil__ = __trunc__ = __divmod__ = __rdivmod__ = _uncertain
    __repr__ = __str__ = __format__ = _uncertain
    is_integer = as_integer_ratio = hex = _uncertain


for _name in ("real", "imag"):  # not in the class, where type checkers would compare them with float's
    setattr(UnknownFloat, _name, property(UnknownFloat.is_integer))  # which raises UncertainError


@final
class Identity(int):
    """What `id` returns: a number that is not known, but the same for one object, and another one for others."""

    def __new__(cls, owner: object) -> Identity:
        """Keep the object, so that no other one gets its number."""
        made = super().__new__(cls, id(owner))
        made.owner = owner
        return made

    owner: object

    def _uncertain(self, *_: Any) -> NoReturn:
        raise UncertainError

    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __lshift__ = __rshift__ = _uncertain
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = _uncertain
    __and__ = __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = __neg__ = __pos__ = __abs__ = __invert__ = _uncertain
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = __round__ = __divmod__ = _uncertain
    __repr__ = __str__ = __format__ = _uncertain


def is_unknown(value: object) -> bool:
    """Whether nothing is known of a value itself, or not enough for what is asked."""
    return isinstance(value, Unknown)


def has_unknown(value: object, is_open: Callable[[object], bool] = is_unknown, depth: int = _DEPTH) -> bool:
    """Whether a value is unknown, or a part of a container or a record is. `is_open` tells of single values."""
    if is_open(value):
        return True
    kind: Any = type(value)  # which mypy does not take for hashable
    read = _reader(kind) if depth else None
    if read is None:
        return False
    parts = read(value)
    if len(parts) > _MOST:
        parts = [*{id(each): each for each in parts}.values()]  # of a shuffled list, the same integer
        if set(map(type, parts)) <= _NUMBERS:
            return False
    if len(parts) > _MOST:
        return True
    for part in parts:  # noqa: SIM110  # `any` of a generator is slower, and this is the function that is called most
        if has_unknown(part, is_open, depth - 1):
            return True
    return False


@lru_cache(maxsize=1000)  # which keeps the classes of programs
def _reader(kind: type) -> Callable[[Any], list[object]] | None:
    """What returns the parts of an object of a class; None if it has none."""
    if issubclass(kind, (list, tuple, set, frozenset, deque)):
        return list
    if issubclass(kind, Mapping):
        return lambda value: [*value.keys(), *value.values()]
    if kind is slice:
        return lambda value: [value.start, value.stop, value.step]
    if attrs.has(kind) or hasattr(kind, "__dataclass_fields__"):
        return lambda value: list(getattr(value, "__dict__", {}).values())
    return None
