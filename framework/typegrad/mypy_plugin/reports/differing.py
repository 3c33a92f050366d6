"""Whether what a program makes is certain to be another value than its type declares."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from mypy.types import AnyType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.base.shape import Shape
from typegrad.base.size import Dim, Name
from typegrad.base.size_ranges import differ
from typegrad.dry_run.known.values import OperandValue, Value
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.operands import OPERAND, StaticOperand, base_of

__all__ = ["other_operand", "other_value"]

_ITEMS: Final = frozenset({"builtins.list", "builtins.tuple", "typing.Sequence"})
_VALUES: Final = frozenset({"builtins.dict", "typing.Mapping"})


def other_value(type_: Type, value: Value, named: Collection[str] = ()) -> tuple[str, str] | None:
    """An element type or a shape that a type declares, and the one of a value, if these are certain to differ.

    `named` are names of sizes that are no others.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        others = [each for each in map(get_proper_type, proper.items) if not isinstance(each, NoneType)]
        differing = [other for each in others if (other := other_value(each, value, named)) is not None]
        return differing[0] if differing and len(differing) == len(others) else None
    if isinstance(value, OperandValue):
        base = base_of(proper, OPERAND)
        return (
            None if base is None else other_operand(StaticOperand(base.args[0], shape_of(base.args[1])), value, named)
        )
    if isinstance(proper, TupleType):
        types = proper.items if len(proper.items) == len(value) else []
    else:
        types = [_item_type(proper)] * len(value)
    pairs = ((each, part) for each, part in zip(types, value, strict=False) if part is not None)
    return next((found for each, part in pairs if (found := other_value(each, part, named)) is not None), None)


def other_operand(declared: StaticOperand, value: OperandValue, named: Collection[str] = ()) -> tuple[str, str] | None:
    """The same for an operand."""
    leaf, shape = leaf_of(declared.dtype), declared.static.shape
    if leaf is not None and leaf.name != value.dtype:
        return leaf.name, value.dtype
    return (str(shape), str(value.shape)) if _differ(shape, value.shape, named) else None


def _differ(first: Shape, second: Shape, named: Collection[str]) -> bool:
    """Whether two shapes never fit. A name that is not among `named` may be any size: the program gives it one."""
    if first.dims is None or second.dims is None:
        return False
    pairs = zip(first.dims, second.dims, strict=False)
    return len(first.dims) != len(second.dims) or any(_are_other(a, b, named) for a, b in pairs)


def _are_other(first: Dim | None, second: Dim | None, named: Collection[str]) -> bool:
    """Whether two sizes are certain to differ."""
    if isinstance(first, str):
        return str(first) in named and second is not None and differ(Name(first), second)
    return isinstance(first, int) and isinstance(second, int) and first != second


def _item_type(type_: Type) -> Type:
    """The type of what a list or a dict holds; `Any` for other types."""
    proper = get_proper_type(type_)
    name = proper.type.fullname if isinstance(proper, Instance) else ""
    if isinstance(proper, Instance) and name in _ITEMS | _VALUES:
        return proper.args[-1]
    return AnyType(0)
