"""The element type and the static shape of an operand's type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import TypeInfo
from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    UnboundType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.base.dims import StaticShape, shape_of, united
from typegrad.mypy_plugin.base.memory import Memory

__all__ = [
    "ARRAY",
    "OP",
    "OPERAND",
    "SESSION",
    "VARIABLE",
    "StaticOperand",
    "are_of_several_elements",
    "are_operands",
    "base_of",
    "in_tuple",
    "maps_operands",
    "operand_of",
    "union_items",
]

ARRAY: Final = "numpy.ndarray"
OP: Final = "typegrad.graph.wrapper.Op"
OPERAND: Final = "typegrad.graph.operand.Operand"
SESSION: Final = "typegrad.session.session.Session"
VARIABLE: Final = "typegrad.graph.variable.Variable"
_ANY: Final = AnyType(TypeOfAny.special_form)


@frozen
class StaticOperand:
    """An operand's element type, as mypy sees it, and its static shape."""

    dtype: Type
    static: StaticShape


_operands: Final = Memory[ProperType, StaticOperand | None]()


def operand_of(type_: Type) -> StaticOperand | None:
    """The operand of an expression of this type; None if it is not an operand."""
    proper = get_proper_type(type_)
    if isinstance(proper, AnyType):
        return StaticOperand(_ANY, StaticShape())
    if isinstance(proper, TypeVarType):
        return operand_of(proper.upper_bound)
    if isinstance(proper, UnionType):
        return _either([operand_of(item) for item in proper.items])
    if proper not in _operands:
        base = base_of(proper, OPERAND)
        _operands[proper] = None if base is None else StaticOperand(_element(base.args[0]), shape_of(base.args[1]))
    return _operands[proper]


def _element(type_: Type) -> Type:
    """An element type, which is unknown if an annotation states what is no type; mypy has told that."""
    return _ANY if isinstance(get_proper_type(type_), UnboundType) else type_


def _either(items: Sequence[StaticOperand | None]) -> StaticOperand | None:
    known = [item for item in items if item is not None]
    if len(known) < len(items):
        return None
    dtypes = [item.dtype for item in known]
    dtype = dtypes[0] if all(each == dtypes[0] for each in dtypes) else _ANY
    return StaticOperand(dtype, united([item.static for item in known]))


def base_of(type_: Type, fullname: str) -> Instance | None:
    """The type as an instance of one of its base classes."""
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance):
        return None
    key = proper.type, fullname
    if key not in _bases:
        _bases[key] = next((info for info in proper.type.mro if info.fullname == fullname), None)
    base = _bases[key]
    return None if base is None else map_instance_to_supertype(proper, base)


_bases: Final = Memory[tuple[TypeInfo, str], TypeInfo | None]()


def union_items(type_: Type) -> list[ProperType]:
    """The types of a union; of any other type, the type itself."""
    proper = get_proper_type(type_)
    return list(map(get_proper_type, proper.items)) if isinstance(proper, UnionType) else [proper]


def are_operands(type_: Type) -> bool:
    """Whether values of a type are operands, or None, and nothing else."""
    known = [base_of(item, OPERAND) is not None for item in union_items(type_) if not isinstance(item, NoneType)]
    return bool(known) and all(known)


def in_tuple(type_: Type) -> int:
    """How many operands a tuple holds, such as one that a function returns; 0 for any other type."""
    proper = get_proper_type(type_)
    if not isinstance(proper, TupleType) or proper.partial_fallback.type.fullname != "builtins.tuple":
        return 0  # the exact types of lists are of another class
    return len(proper.items) if all(base_of(item, OPERAND) is not None for item in proper.items) else 0


def are_of_several_elements(type_: Type) -> bool:
    """Whether a type is a union of operands of several element types, and of nothing else."""
    proper = get_proper_type(type_)
    operands = [base_of(item, OPERAND) for item in proper.items] if isinstance(proper, UnionType) else []
    return None not in operands and len({each.args[0] for each in operands if each is not None}) > 1


def maps_operands(type_: Type) -> bool:
    """Whether a type is a mapping with operands as keys, as feeds are."""
    mapping = base_of(type_, "typing.Mapping")
    return mapping is not None and all(base_of(each, OPERAND) is not None for each in union_items(mapping.args[0]))
