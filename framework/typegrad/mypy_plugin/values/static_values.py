"""Values that are known before the program runs, in whole or in part: numbers, strings, tuples, sizes, `MISSING`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

from mypy.constant_fold import constant_fold_binary_op
from mypy.types import Instance, LiteralType, NoneType, TupleType, Type, TypeType, UnpackType, get_proper_type

from typegrad.base.shape import Shape
from typegrad.base.size import Kind, Size, combined
from typegrad.mypy_plugin.base.dims import Name, dim_of, has_fetched
from typegrad.mypy_plugin.values.enums import member_value

__all__ = [
    "MISSING",
    "SIZE_OPERATORS",
    "NotStatic",
    "agreed",
    "are_ints",
    "as_value",
    "has_fractions",
    "is_complete",
    "is_known",
    "names_sizes",
    "nested_shape",
    "operated",
    "or_missing",
    "value_of_type",
]


class NotStatic(Exception):  # noqa: N818
    """A value is not known before the program runs; the operation keeps mypy's own type."""


class _Missing:
    """The type of `MISSING`, the placeholder of an unknown value."""

    def __repr__(self) -> str:
        return "?"


MISSING: Final = _Missing()

_LONGEST: Final = 1000
"""The length up to which tuples are computed."""
_OF_LITERALS: Final = frozenset({"builtins.bool", "builtins.bytes", "builtins.int", "builtins.str"})
"""The types of literals other than members of enums."""

SIZE_OPERATORS: Final[Mapping[str, Kind]] = {"+": "+", "-": "-", "*": "*", "//": "//"}
"""The operators of sizes, by Python's."""


def is_known(value: Any) -> bool:
    """Whether all of a value is known; the size of a name is not."""
    return all(map(is_known, value)) if isinstance(value, tuple) else not isinstance(value, (_Missing, Name, Size))


def has_fractions(value: Any) -> bool:
    """Whether a value has a number that is not an integer."""
    return any(map(has_fractions, value)) if isinstance(value, tuple) else isinstance(value, (float, complex))


def as_value(value: Any) -> Any:
    """A value in the form that shape functions take: None where it is not known."""
    if isinstance(value, tuple):
        return tuple(as_value(element) for element in value)
    return None if isinstance(value, _Missing) or has_fetched(value) else value


def nested_shape(value: Any) -> Shape:
    """The shape of nested tuples; `NotStatic` if they are ragged or do not consist of numbers."""
    if not isinstance(value, tuple):
        return Shape(())
    shapes = [nested_shape(element) for element in value]
    if any(shape != shapes[0] for shape in shapes):
        raise NotStatic
    return Shape((len(value), *(shapes[0].known() if shapes else ())))


def is_complete(value: Any) -> bool:
    """Whether no part of a value is missing."""
    return all(map(is_complete, value)) if isinstance(value, tuple) else value is not MISSING


def names_sizes(value: Any) -> bool:
    """Whether a value has a named size, which may be one of an array: the type of `array.shape` does not say so."""
    return any(map(names_sizes, value)) if isinstance(value, tuple) else isinstance(value, (Name, Size))


def agreed(one: Any, other: Any) -> Any:
    """What two values have in common."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return tuple(map(agreed, one, other))
    return one if type(one) is type(other) and one == other else MISSING


def operated(op: str, left: Any, right: Any) -> Any:
    """Arithmetic with numbers and with sizes, and `+` and `*` of tuples."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return or_missing(constant_fold_binary_op(op, left, right))
    if op in SIZE_OPERATORS and _is_size(left) and _is_size(right):
        return or_missing(combined(SIZE_OPERATORS[op], (left, right)))
    if op == "+" and isinstance(left, tuple) and isinstance(right, tuple):
        return left + right
    if op == "*" and isinstance(left, tuple) and type(right) is int and len(left) * right <= _LONGEST:
        return left * right
    return MISSING


def _is_size(value: Any) -> TypeGuard[int | Name | Size]:
    return isinstance(value, (Name, Size)) or type(value) is int


def are_ints(values: Sequence[Any]) -> bool:
    """Whether all values are integers, and none is a truth value."""
    return all(type(value) is int for value in values)


def or_missing(value: Any) -> Any:
    """A value that is None where it is not known."""
    return MISSING if value is None else value


def value_of_type(type_: Type) -> Any:
    """The value that a type tells, in whole or in part: 3 of `Literal[3]`."""
    proper = get_proper_type(type_)
    if isinstance(proper, NoneType):
        return None
    if isinstance(proper, LiteralType):
        is_plain = proper.fallback.type.fullname in _OF_LITERALS
        return proper.value if is_plain else or_missing(member_value(proper))
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        return value_of_type(proper.last_known_value)
    if isinstance(proper, TupleType) and not any(isinstance(item, UnpackType) for item in proper.items):
        return tuple(map(_inside, proper.items))
    size = dim_of(proper.item if isinstance(proper, TypeType) else proper)  # of a parameter `size: type[Batch]`
    return MISSING if size is None else size


def _inside(type_: Type) -> Any:
    """The value of an item of a tuple. Where mypy joins two tuples, it keeps the last known values of the first."""
    proper = get_proper_type(type_)
    return MISSING if isinstance(proper, Instance) and proper.last_known_value is not None else value_of_type(proper)
