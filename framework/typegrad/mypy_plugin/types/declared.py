"""The types that the signature of `create` declares for an input; the plugin must not accept more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.erasetype import erase_typevars
from mypy.nodes import TypeAlias
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    Overloaded,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from typegrad.graph import operand_like
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import operand_of, union_items
from typegrad.mypy_plugin.base.registry import Definition
from typegrad.mypy_plugin.types.symbols import class_info
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["any_values", "declared", "forms", "is_accepted", "is_relaxed"]

_SEQUENCE: Final = "typing.Sequence"
_declared: Final = Memory[tuple[str, str], list[Type]]()
_values: Final = Memory[TypeAlias, list[Type]]()


def forms(type_: Type | None) -> list[CallableType]:
    """The overloads of a function, or its only signature."""
    proper = None if type_ is None else get_proper_type(type_)
    if isinstance(proper, Overloaded):
        return proper.items
    return [proper] if isinstance(proper, CallableType) else []


def declared(api: CheckerPluginInterface, definition: Definition, name: str) -> list[Type]:
    """The types of an input in the overloads of `create`; for a list input, the types of its items."""
    op = definition.op
    key = (op.module, f"{op.class_name}.{name}")
    if key not in _declared:
        symbol = class_info(api, definition.fullname).names["create"]
        kind = next(input_def.kind for input_def in op.inputs if input_def.name == name)
        types = [form.arg_types[form.arg_names.index(name)] for form in forms(symbol.type) if name in form.arg_names]
        _declared[key] = types if kind == "one" else [item for type_ in types for item in _items(type_)]
    return _declared[key]


def _items(type_: Type) -> Sequence[Type]:
    proper = get_proper_type(type_)
    return proper.args if isinstance(proper, Instance) else ()


def any_values(api: CheckerPluginInterface) -> list[Type]:
    """The types of values in place of an operand, and None, sets and dicts, which are mistakes.

    Sequences have items of any type: `is_accepted` checks the items, and mypy is slow for unions of nested sequences.
    """
    tree = checker_of(api).modules.get(operand_like.__name__)
    symbol = None if tree is None else tree.names.get("AnyLike")
    if symbol is None or not isinstance(symbol.node, TypeAlias):
        raise NotStatic
    if symbol.node not in _values:
        scalars = [item for item in union_items(symbol.node.target) if not _is_sequence(item)]
        objects = api.named_generic_type(_SEQUENCE, [api.named_generic_type("builtins.object", [])])
        anything = AnyType(TypeOfAny.special_form)
        unordered = [
            api.named_generic_type("builtins.set", [anything]),
            api.named_generic_type("builtins.dict", [anything, anything]),
        ]
        _values[symbol.node] = [*scalars, objects, *unordered, NoneType()]
    return _values[symbol.node]


def _is_sequence(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname == _SEQUENCE


def is_accepted(type_: Type, declared: Sequence[Type]) -> bool:
    """Whether one of the declared types accepts an argument of this type, for any values of its type variables."""
    return any(is_subtype(type_, erase_typevars(each)) for each in declared)


def is_relaxed(api: CheckerPluginInterface, type_: Type) -> bool:
    """Whether a relaxed signature accepts an argument of this type; mypy itself reports every other."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return all(is_relaxed(api, item) for item in proper.items)
    return operand_of(proper) is not None or is_accepted(proper, any_values(api))
