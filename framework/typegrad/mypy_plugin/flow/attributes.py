"""Attributes of objects, as exact as the constructor makes them: `model.users` for `model = Model(users=12)`."""

from __future__ import annotations

from typing import Final

from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import Context, MemberExpr, Var
from mypy.plugin import AttributeContext, CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.widening import functions_around, of_its_rank, of_no_function
from typegrad.mypy_plugin.values.exact import exact_type
from typegrad.mypy_plugin.values.objects import attributes_in
from typegrad.mypy_plugin.values.passed_types import part_of_type
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["attribute_hook"]

_targets: Final = Memory[Context, bool]()
"""The attributes that are assigned: mypy also asks which type they have before."""


def attribute_hook(ctx: AttributeContext) -> Type:
    """The type of an operand that an attribute holds, with the shape that the constructor gives it."""
    default, expr = ctx.default_attr_type, ctx.context
    if not isinstance(expr, MemberExpr):
        return default
    any_sizes = of_its_rank(default) if _is_inferred(ctx.type, expr.name) else None
    if ctx.is_lvalue or expr in _targets:
        _targets[expr] = True
        return any_sizes or default
    now = checker_of(ctx.api).binder.get(expr)
    if now is not None and any_sizes is not None and is_subtype(now, any_sizes):
        return now  # another variable, which mypy does not take for one of the declared sizes
    around = functions_around(ctx.api)
    default = of_no_function(default, around)
    if base_of(default, OPERAND) is None or not is_open(default):
        return default
    attributes = attributes_in(exact_type(ctx.api, expr.expr, ctx.type))
    known = _assigned(ctx.api, expr.name, ctx.type) if attributes is None else attributes.get(expr.name)
    known = None if known is None else of_no_function(_outside(known, ctx.type), around)
    is_operand = known is not None and base_of(known, OPERAND) is not None  # not Any, where mypy comes to that later
    return known if known is not None and is_operand and is_subtype(known, default) else default


def _is_inferred(owner: Type, name: str) -> bool:
    """Whether mypy has the type of an attribute from its first value, which another one may replace."""
    whole = get_proper_type(owner)
    symbol = whole.type.get(name) if isinstance(whole, Instance) else None
    return symbol is not None and isinstance(symbol.node, Var) and symbol.node.is_inferred


def _outside(type_: Type, owner: Type) -> Type:
    """The type of an attribute with the sizes of this object, where its class has type variables."""
    whole = get_proper_type(owner)
    for info in whole.type.mro if isinstance(whole, Instance) else ():
        if info.defn.type_vars and isinstance(whole, Instance):
            type_ = expand_type_by_instance(type_, map_instance_to_supertype(whole, info))
    return type_


def _assigned(api: CheckerPluginInterface, name: str, owner: Type) -> Type | None:
    """The type of what is assigned to an attribute, if that is a single expression."""
    checker, whole = checker_of(api), get_proper_type(owner)
    symbol = whole.type.get(name) if isinstance(whole, Instance) else None
    variable = None if symbol is None else symbol.node
    if not isinstance(whole, Instance) or not isinstance(variable, Var) or variable.info is not whole.type:
        return None
    bound = bindings_of(checker.tree).attribute(whole.type, variable, is_class=False)
    return part_of_type(bound.path, checker.lookup_type(bound.expr)) if bound and checker.has_type(bound.expr) else None
