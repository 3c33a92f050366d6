"""Python's operators, by the names of their nodes in syntax trees."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from typegrad.dry_run.computing.formats import FORMATTED, error_of_format, is_wide
from typegrad.dry_run.known.arrays import bare, is_integer
from typegrad.dry_run.known.unknown import UnknownFloat

__all__ = ["BINARY", "COMPARE", "IN_PLACE", "UNARY", "certain_error", "may_grow"]

BINARY: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Mod": operator.mod,
    "FloorDiv": operator.floordiv, "Pow": operator.pow, "MatMult": operator.matmul, "LShift": operator.lshift,
    "RShift": operator.rshift, "BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor,
}  # fmt: skip
IN_PLACE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv, "Mod": operator.imod,
    "FloorDiv": operator.ifloordiv, "Pow": operator.ipow, "MatMult": operator.imatmul, "LShift": operator.ilshift,
    "RShift": operator.irshift, "BitAnd": operator.iand, "BitOr": operator.ior, "BitXor": operator.ixor,
}  # fmt: skip
UNARY: Final[Mapping[str, Callable[[Any], Any]]] = {
    "USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert,
}  # fmt: skip
COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda item, items: item in items, "NotIn": lambda item, items: item not in items,
}  # fmt: skip
_LARGEST: Final = 10**6
"""The number of digits or items from which nothing is computed."""
_CONTAINERS: Final = (dict, list, set, tuple)


def certain_error(name: str, left: Any, right: Any) -> TypeError | None:
    """What an operator raises of a format or of lists and the like, whatever the numbers are that are not known."""
    if name == "Mod" and isinstance(left, str):
        return error_of_format(left, right) if type(right) in (dict, tuple) else None
    return _error_of_containers(name, left, right)


def _error_of_containers(name: str, left: Any, right: Any) -> TypeError | None:
    """What is raised whatever is in lists and the like: `(a, b) + 1`."""
    sides = left, right
    if not all(map(_is_plain, sides)) or not any(type(each) in _CONTAINERS for each in sides):
        return None
    try:
        BINARY[name](*(type(each)() if type(each) in _CONTAINERS else bare(each) for each in sides))
    except TypeError as error:
        return error
    return None


def _is_plain(value: Any) -> bool:
    is_number = is_integer(value) or isinstance(value, UnknownFloat)
    return value is None or is_number or type(value) in (*_CONTAINERS, *FORMATTED)


def may_grow(name: str, left: Any, right: Any) -> bool:
    """Whether the result of an operator takes much memory."""
    lengths = [len(each) for each in (left, right) if isinstance(each, (str, bytes, list, tuple))]
    numbers = [each for each in (left, right) if isinstance(each, int)]
    if name == "Mod" and isinstance(left, str):
        return is_wide(left) or "*" in left
    if name == "Add":
        return sum(lengths) > _LARGEST
    if name == "Mult" and lengths and numbers:
        return lengths[0] * numbers[0] > _LARGEST
    digits = [each.bit_length() for each in numbers]
    if name == "Mult":
        return sum(digits) > _LARGEST
    return name in ("Pow", "LShift") and len(numbers) == 2 and right * (digits[0] if name == "Pow" else 1) > _LARGEST
