"""Classes by their full name, also where the checked module does not import them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mypy.nodes import TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    Instance,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeTranslator,
    get_proper_type,
)

from typegrad.base.types import TType
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import ARRAY
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["any_tuple", "class_info", "element_type", "instance", "short_name"]


_TUPLE: Final = "builtins.tuple"
_MODULES: Final = re.compile(r"\b(?:[a-z_]\w*\.)+(?=\w)")


def class_info(api: CheckerPluginInterface, fullname: str) -> TypeInfo:
    """The class of this name; `NotStatic` if mypy has not read its module."""
    module, _, name = fullname.rpartition(".")
    tree = checker_of(api).modules.get(module)
    symbol = None if tree is None else tree.names.get(name)
    if symbol is None or not isinstance(symbol.node, TypeInfo):
        raise NotStatic
    return symbol.node


def instance(api: CheckerPluginInterface, fullname: str, args: Sequence[Type]) -> Instance:
    """The class of this name with type arguments."""
    return Instance(class_info(api, fullname), args)


def element_type(api: CheckerPluginInterface, leaf: type[TType]) -> Instance:
    """An element type as mypy's type."""
    return instance(api, f"{leaf.__module__}.{leaf.__name__}", [])


def short_name(type_: Type) -> str:
    """A type in the form that a user writes, without the modules of its classes; of an array, the class alone."""
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and (not proper.args or proper.type.fullname == ARRAY):
        return proper.type.name
    return _MODULES.sub("", str(proper.accept(_Named())))


class _Named(TypeTranslator):
    """Replaces tuples that have a class of their own, such as named ones, by that class."""

    def visit_tuple_type(self, t: TupleType, /) -> Type:
        info = t.partial_fallback.type
        return super().visit_tuple_type(t) if info.fullname == _TUPLE else Instance(info, [])

    def visit_type_alias_type(self, t: TypeAliasType, /) -> Type:
        return get_proper_type(t).accept(self)


def any_tuple(api: CheckerPluginInterface) -> Instance:
    """`tuple[Any, ...]`."""
    return api.named_generic_type("builtins.tuple", [AnyType(TypeOfAny.special_form)])
