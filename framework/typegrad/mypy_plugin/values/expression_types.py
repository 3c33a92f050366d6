"""The types that mypy has for expressions, also for parts of arguments, and where nothing is expected of them."""

from __future__ import annotations

from mypy.nodes import Expression, ListExpr, NameExpr, Node, RefExpr, StarExpr, TupleExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.syntax import children

__all__ = ["expression_type", "has_types", "unexpected_type", "written_type"]


def expression_type(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of a part of an argument; `Any` in a function that mypy has not checked yet."""
    checker = checker_of(api)
    if checker.has_type(expr):
        return checker.lookup_type(expr)
    return checker.expr_checker.accept(expr) if has_types(expr) else AnyType(TypeOfAny.special_form)


def has_types(expr: Node) -> bool:
    """Whether mypy knows the types of the variables in an expression; asking for one that it does not know defers."""
    if isinstance(expr, NameExpr) and isinstance(expr.node, Var):
        return expr.node.type is not None
    return all(map(has_types, children(expr)))


def unexpected_type(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Type:
    """The type of an expression where nothing is expected; `[0.5] * 3` is a `list[object]` where anything is."""
    if expr is None or isinstance(expr, RefExpr) or not _holds_objects(type_):
        return type_
    checker = checker_of(api)
    with checker.msg.filter_errors():
        return checker.expr_checker.accept(expr)


def written_type(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Type:
    """The type of a value by itself, from its items for a display: mypy's own type depends on the expected type."""
    if not isinstance(expr, (TupleExpr, ListExpr)):
        return unexpected_type(api, expr, type_)
    items = [_item_type(api, item) for item in expr.items]
    return api.named_generic_type("builtins.tuple", [UnionType.make_union(items)])


def _holds_objects(type_: Type) -> bool:
    proper = get_proper_type(type_)
    if isinstance(proper, (TupleType, UnionType)):
        return any(map(_holds_objects, proper.items))
    is_object = isinstance(proper, Instance) and proper.type.fullname == "builtins.object"
    return is_object or (isinstance(proper, Instance) and any(map(_holds_objects, proper.args)))


def _item_type(api: CheckerPluginInterface, item: Expression) -> Type:
    """The type of an item of a display, or of each of the items that a starred one unpacks to."""
    inner = item.expr if isinstance(item, StarExpr) else item
    type_ = written_type(api, inner, expression_type(api, inner))
    if not isinstance(item, StarExpr):
        return type_
    return checker_of(api).analyze_iterable_item_type_without_expression(type_, item)[1]
