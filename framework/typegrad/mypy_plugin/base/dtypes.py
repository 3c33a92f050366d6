"""Element types as mypy's types: their leaf types, their names, and whether they fit an operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import frozen
from mypy.subtypes import is_same_type
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    Type,
    TypeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.base import types as element_types
from typegrad.base.types import ALL_TYPES, TIntegral, TNumber, TType, allowed_names, conversion, conversion_to_agree
from typegrad.graph.definition import OpDef
from typegrad.graph.operator_table import instead, otherwise
from typegrad.graph.wrapper import ElementType

__all__ = [
    "THE_VARIABLE",
    "InputType",
    "class_argument",
    "find_problem",
    "leaf_of",
    "leaves_of",
    "type_name",
]


THE_VARIABLE: Final = "the variable"
"""The name of the input of an assignment that is assigned."""


@frozen
class InputType:
    """The element type of an input; `name` is `a`, or `values[1]` in a list."""

    name: str
    dtype: Type
    declared: ElementType | str
    """The element type in the definition, or the name of a type attribute."""


def leaves_of(type_: Type) -> frozenset[type[TType]] | None:
    """The leaf types that an element type may be; None if nothing is known of it."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeVarType):
        return _all_leaves(proper.values or [proper.upper_bound])
    if isinstance(proper, UnionType):
        return _all_leaves(proper.items)
    return _LEAVES.get(proper.type.fullname) if isinstance(proper, Instance) else None


_LEAVES: Final = {
    f"{element_types.__name__}.{name}": frozenset(leaf for leaf in ALL_TYPES if issubclass(leaf, marker))
    for name, marker in vars(element_types).items()
    if isinstance(marker, type) and issubclass(marker, TType)
}
"""The leaf types of each class in the hierarchy of element types."""


def _all_leaves(types: Iterable[Type]) -> frozenset[type[TType]] | None:
    leaves = [leaves_of(item) for item in types]
    known = [item for item in leaves if item is not None]
    return frozenset().union(*known) if len(known) == len(leaves) else None


def leaf_of(type_: Type) -> type[TType] | None:
    """The leaf type of an element type, if it has exactly one."""
    leaves = leaves_of(type_)
    return next(iter(leaves)) if leaves is not None and len(leaves) == 1 else None


def class_argument(type_: Type) -> Type | None:
    """The element type that an argument such as `tg.TFloat32` or `x.dtype` passes as a class."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeType):
        return proper.item
    if isinstance(proper, FunctionLike) and proper.is_type_obj():
        return proper.items[0].ret_type
    return None


def type_name(type_: Type) -> str:
    """The name of an element type in messages: "float32"."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeVarType):
        return proper.name
    return proper.type.name.removeprefix("T").lower() if isinstance(proper, Instance) else str(proper)


def find_problem(definition: OpDef, input_types: Sequence[InputType]) -> str | None:
    """The error message for the element types of an operation's inputs; None if they fit."""
    first: dict[str, InputType] = {}
    for each in input_types:
        if isinstance(get_proper_type(each.dtype), AnyType):
            continue
        other = first.setdefault(each.declared, each) if isinstance(each.declared, str) else each
        if not is_same_type(each.dtype, other.dtype):
            remedy = conversion_to_agree([leaf for leaf in map(leaf_of, (other.dtype, each.dtype)) if leaf])
            names = type_name(other.dtype), type_name(each.dtype)
            if other.name == each.name:  # of items of one list
                return f"{each.name} holds {names[0]} and {names[1]}; {remedy}"
            leaf = leaf_of(each.dtype)
            remedy += otherwise(definition, each.name) if leaf and issubclass(leaf, TIntegral) else ""
            return f"{other.name} is {names[0]} but {each.name} is {names[1]}; {remedy}"
        problem = _problem_alone(definition, each)
        if problem:
            return problem
    return None


def _problem_alone(definition: OpDef, input_type: InputType) -> str | None:
    allowed = (
        definition.types[input_type.declared]
        if isinstance(input_type.declared, str)
        else frozenset([input_type.declared])
    )
    leaves = leaves_of(input_type.dtype)
    if leaves is None or leaves <= allowed:
        return None
    actual = type_name(input_type.dtype)
    remedy = instead(definition, leaves, input_type.name) or conversion("it", allowed, leaves)
    is_number = all(issubclass(leaf, TNumber) for leaf in leaves)
    remedy += otherwise(definition, input_type.name) if is_number else ""
    return f"{input_type.name} is {actual}, but must be {allowed_names(allowed)}; {remedy}"
