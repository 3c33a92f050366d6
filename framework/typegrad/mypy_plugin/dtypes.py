"""Element types as mypy's types: which leaf types one may be, what it is called, and whether it fits an operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import frozen
from mypy.subtypes import is_same_type
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    Type,
    TypeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.base import types as element_types
from typegrad.base.types import ALL_TYPES, TType, allowed_names
from typegrad.graph.definition import OpDef
from typegrad.graph.wrapper import ElementType

__all__ = [
    "Held",
    "class_argument",
    "find_problem",
    "leaf_of",
    "leaves_below",
    "leaves_of",
    "type_name",
]


@frozen
class Held:
    """An element type where it was found: `a`, or `values[1]`; `spec` is what the definition says about that place."""

    name: str
    dtype: Type
    spec: ElementType | str


def leaves_of(type_: Type) -> frozenset[type[TType]] | None:
    """The leaf types that an element type may be; None if nothing is known of it."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeVarType):
        return _all_leaves(proper.values or [proper.upper_bound])
    if isinstance(proper, UnionType):
        return _all_leaves(proper.items)
    return _LEAVES.get(proper.type.fullname) if isinstance(proper, Instance) else None


def leaves_below(*markers: type[TType]) -> frozenset[type[TType]]:
    """The leaf types that are one of `markers` or below one."""
    return frozenset(leaf for leaf in ALL_TYPES if issubclass(leaf, markers))


_LEAVES: Final = {
    f"{element_types.__name__}.{name}": leaves_below(marker)
    for name, marker in vars(element_types).items()
    if isinstance(marker, type) and issubclass(marker, TType)
}
"""The leaf types of each class in the hierarchy of element types."""


def _all_leaves(types: Iterable[Type]) -> frozenset[type[TType]] | None:
    found = [leaves_of(item) for item in types]
    known = [item for item in found if item is not None]
    return frozenset().union(*known) if len(known) == len(found) else None


def leaf_of(type_: Type) -> type[TType] | None:
    """The leaf type that an element type is, if there is only one."""
    found = leaves_of(type_)
    return next(iter(found)) if found is not None and len(found) == 1 else None


def class_argument(type_: Type) -> Type | None:
    """The element type that an argument such as `tg.TFloat32` or `x.dtype` passes as a class."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeType):
        return proper.item
    if isinstance(proper, CallableType) and proper.is_type_obj():
        return proper.ret_type
    return None


def type_name(type_: Type) -> str:
    """What a user calls an element type: "float32"."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeVarType):
        return proper.name
    return _short(proper.type.name) if isinstance(proper, Instance) else str(proper)


def _short(class_name: str) -> str:
    return class_name.removeprefix("T").lower()


def find_problem(definition: OpDef, held: Sequence[Held]) -> str | None:
    """What is wrong with the element types of an operation's inputs, in the user's terms."""
    first: dict[str, Held] = {}
    for each in held:
        if isinstance(get_proper_type(each.dtype), AnyType):
            continue
        other = first.setdefault(each.spec, each) if isinstance(each.spec, str) else each
        if not is_same_type(each.dtype, other.dtype):
            return (
                f"{other.name} is {type_name(other.dtype)} but {each.name} is {type_name(each.dtype)}; "
                "cast one with dtypes.Cast"
            )
        problem = _problem_alone(definition, each)
        if problem:
            return problem
    return None


def _problem_alone(definition: OpDef, held: Held) -> str | None:
    allowed = definition.types[held.spec] if isinstance(held.spec, str) else frozenset([held.spec])
    found = leaves_of(held.dtype)
    if found is None or found <= allowed:
        return None
    return f"{held.name} is {type_name(held.dtype)}, but must be {allowed_names(allowed)}; cast it with dtypes.Cast"
