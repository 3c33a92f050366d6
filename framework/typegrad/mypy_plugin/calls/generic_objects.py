"""Objects of a program's generic classes that take other values: `cell = Cell(x)`, then `cell.set(y)` or `cell.x = y`.

mypy solves the type variable with the type of the first value, in which the plugin has put its exact shape. Such an
object takes values of any shape.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from mypy.nodes import FuncDef, TypeInfo, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.typeops import get_all_type_vars
from mypy.types import CallableType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.types.widening import of_any_shape

__all__ = ["opened_hook", "replaced_types"]

_CONSTRUCTORS: Final = ("__init__", "__new__", "__replace__")


def replaced_types(info: TypeInfo) -> frozenset[int]:
    """The positions of the type variables of a class that its fields or the parameters of its methods have."""
    methods = [each.node for name, each in info.names.items() if name not in _CONSTRUCTORS]
    types = [get_proper_type(each.type) for each in methods if isinstance(each, FuncDef)]
    parameters = [each for type_ in types if isinstance(type_, CallableType) for each in type_.arg_types[1:]]
    fields = [each.node for each in info.names.values() if isinstance(each.node, Var)]
    parameters += [each.type for each in fields if each.type is not None and not (each.is_property or each.is_final)]
    taken = {variable.fullname for each in parameters for variable in get_all_type_vars(each)}
    return frozenset(position for position, each in enumerate(info.defn.type_vars) if each.fullname in taken)


def opened_hook(
    ctx: FunctionContext | MethodContext, positions: Collection[int], own: Callable[[Any], Type] | None
) -> Type:
    """The type of such an object, with operands of any shape."""
    made = ctx.default_return_type if own is None else own(ctx)
    proper = get_proper_type(made)
    if not isinstance(proper, Instance):
        return made
    opened = [of_any_shape(each) if position in positions else each for position, each in enumerate(proper.args)]
    return proper.copy_modified(args=opened)
