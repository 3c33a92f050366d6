"""The expression that a name or an attribute of the checked file means, where it is bound once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, RefExpr, TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, TupleType, Type, TypeType, get_proper_type

from typegrad.mypy_plugin.bindings import Bindings, Bound, bindings_of, has_fields

__all__ = ["bound_to", "bound_values", "may_reshape", "only_value"]

_LONGEST: Final = 10
"""How many names lead from a name to its value."""


def only_value(api: CheckerPluginInterface, expr: Expression | None) -> Expression | None:
    """The expression that a name or attribute is bound to, if it is bound once; any other expression itself.

    None if mypy has not checked that expression yet.
    """
    for _ in range(_LONGEST):
        if not isinstance(expr, (NameExpr, MemberExpr)):
            return expr
        bound = bound_to(api, expr)
        if bound is None or bound.path or not cast("TypeChecker", api).has_type(bound.expr):
            return None
        expr = bound.expr
    return None


def bound_values(api: CheckerPluginInterface, expr: Expression) -> Sequence[Bound | None]:
    """All that a name or attribute of this file is bound to; None for an unknown value."""
    variable = expr.node if isinstance(expr, NameExpr) else _attribute(api, expr)[1]
    bindings = bindings_of(cast("TypeChecker", api).tree, expr)
    return bindings.stores.get(variable, []) if isinstance(variable, Var) else []


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
    info, variable = _attribute(api, expr)
    if info is None or variable is None:
        return bindings.only(expr.node) if isinstance(expr.node, Var) and not expr.node.info else None
    if has_fields(info) and not variable.is_classvar:
        value = _field_value(api, bindings, expr.expr, info, variable)
        return None if value is None else Bound(value)
    is_class = isinstance(expr.expr, RefExpr) and expr.expr.node is info
    return bindings.attribute(info, variable, is_class=is_class)


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


def _attribute(api: CheckerPluginInterface, expr: Expression) -> tuple[TypeInfo | None, Var | None]:
    """The class of an object and the variable of its attribute."""
    info = _class_of(api, expr.expr) if isinstance(expr, MemberExpr) else None
    symbol = info.get(expr.name) if info is not None and isinstance(expr, MemberExpr) else None
    return info, symbol.node if symbol is not None and isinstance(symbol.node, Var) else None


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
    if isinstance(proper, TupleType):
        return proper.partial_fallback.type
    return proper.type if isinstance(proper, Instance) else None
