"""The expression that a name or an attribute of the checked file means, where it is bound once."""

from __future__ import annotations

from typing import cast

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, RefExpr, TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, Type, TypeType, get_proper_type

from typegrad.mypy_plugin.bindings import Bindings, Bound, bindings_of, has_fields

__all__ = ["bound_to", "bound_values", "may_reshape", "only_value"]


def only_value(api: CheckerPluginInterface, expr: Expression | None) -> Expression | None:
    """The expression that a name or attribute is bound to, if it is bound once; any other expression itself."""
    if not isinstance(expr, (NameExpr, MemberExpr)):
        return expr
    bound = bound_to(api, expr)
    return bound.expr if bound is not None and not bound.path else None


def bound_values(api: CheckerPluginInterface, name: NameExpr) -> list[Bound | None]:
    """All that a name of this file is bound to; None stands for an unknown value."""
    tree = cast("TypeChecker", api).tree
    return bindings_of(tree, name).stores.get(name.node, []) if isinstance(name.node, Var) else []


def may_reshape(api: CheckerPluginInterface) -> bool:
    """Whether a statement of this file changes the shape or the dtype of some array in place."""
    return bindings_of(cast("TypeChecker", api).tree).may_reshape


def bound_to(api: CheckerPluginInterface, expr: Expression) -> Bound | None:
    """What a name or attribute is bound to, if it is bound once."""
    bindings = bindings_of(cast("TypeChecker", api).tree, expr)
    if isinstance(expr, NameExpr):
        return bindings.only(expr.node) if isinstance(expr.node, Var) else None
    if not isinstance(expr, MemberExpr):
        return None
    info = _class_of(api, expr.expr)
    symbol = None if info is None else info.get(expr.name)
    if info is None or symbol is None or not isinstance(symbol.node, Var):
        return bindings.only(expr.node) if isinstance(expr.node, Var) and not expr.node.info else None
    if has_fields(info) and not symbol.node.is_classvar:
        value = _field_value(api, bindings, expr.expr, info, symbol.node)
        return None if value is None else Bound(value)
    return bindings.attribute(info, symbol.node)


def _field_value(
    api: CheckerPluginInterface, bindings: Bindings, owner: Expression, info: TypeInfo, variable: Var
) -> Expression | None:
    """The value of a field of an object that is made once: `config.width` for `config = Config(width=64)`."""
    made = only_value(api, owner)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or made.callee.node is not info:
        return None
    is_kept = isinstance(owner, NameExpr) and isinstance(owner.node, Var) and bindings.keeps_fields(owner.node)
    is_frozen = info.is_named_tuple or any(each.get("frozen") for each in info.metadata.values())
    is_fixed = is_frozen or is_kept
    return bindings.value_of_field(info, variable, made) if is_fixed else None


def _class_of(api: CheckerPluginInterface, expr: Expression) -> TypeInfo | None:
    """The class of an object, or the class that an expression is."""
    checker = cast("TypeChecker", api)
    if isinstance(expr, RefExpr) and isinstance(expr.node, TypeInfo):
        return expr.node
    return _info(checker.lookup_type(expr)) if checker.has_type(expr) else None


def _info(type_: Type) -> TypeInfo | None:
    proper = get_proper_type(type_)
    if isinstance(proper, CallableType) and proper.is_type_obj():
        return proper.type_object()
    if isinstance(proper, TypeType):
        return _info(proper.item)
    return proper.type if isinstance(proper, Instance) else None
