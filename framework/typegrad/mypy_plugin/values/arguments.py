"""The arguments of a call, and the items of those that are lists of operands."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from attrs import frozen
from mypy.nodes import ARG_NAMED, ARG_POS, ARG_STAR, Expression, ListExpr, RefExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, UnionType, UnpackType, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import OPERAND, are_of_several_elements, base_of, operand_of, union_items
from typegrad.mypy_plugin.values.evaluation import length_of
from typegrad.mypy_plugin.values.exact import exact_type, grown_types
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import growth_before
from typegrad.mypy_plugin.values.static_values import NotStatic
from typegrad.shapes.values import MAX_VALUE

__all__ = ["Argument", "arguments", "listed", "type_alone"]

_ITERABLE: Final = "typing.Iterable"


@frozen
class Argument:
    """An argument of a call. `expr` is None where only the type is known."""

    expr: Expression | None
    type: Type
    is_many: bool = False
    """Whether it is any number of arguments of this type: the items of a list."""


def arguments(ctx: FunctionContext | MethodContext, *, without: Container[str] = ()) -> dict[str, Argument]:
    """The arguments of a call by name; `NotStatic` if some come from `**kwargs`, or an unknown number from `*args`.

    Parameters may be left out, as `*vectors`, which takes any number.
    """
    result: dict[str, Argument] = {}
    starred: dict[Expression, list[Argument]] = {}
    """What is left of each `*arguments`."""
    for name, exprs, types, kinds in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, strict=True):
        if not types or (name or "") in without:
            continue
        if len(types) > 1 or kinds[0] not in (ARG_POS, ARG_NAMED, ARG_STAR):
            raise NotStatic
        argument = Argument(exprs[0], types[0])
        if kinds[0] is ARG_STAR:
            argument = starred.setdefault(exprs[0], _items_of_tuple(argument)).pop(0)
        if name is not None:
            result[name] = argument
    return result


def _items_of_tuple(argument: Argument) -> list[Argument]:
    """The arguments that `*argument` passes."""
    expr, proper = argument.expr, get_proper_type(argument.type)
    if not isinstance(proper, TupleType) or any(isinstance(item, UnpackType) for item in proper.items):
        raise NotStatic
    has_displays = isinstance(expr, TupleExpr) and not any(isinstance(item, StarExpr) for item in expr.items)
    exprs = expr.items if isinstance(expr, TupleExpr) and has_displays else [None] * len(proper.items)
    return [Argument(each, type_) for each, type_ in zip(exprs, proper.items, strict=True)]


def listed(api: CheckerPluginInterface, argument: Argument) -> list[Argument]:
    """The items of a list input; an item may be any number of operands."""
    expr, proper = argument.expr, get_proper_type(argument.type)
    if isinstance(expr, (ListExpr, TupleExpr)):
        return [item for each in expr.items for item in _items(api, each)]
    if isinstance(proper, TupleType):
        return [Argument(None, item) for item in proper.items]
    growth = None if expr is None else growth_before(api, expr)
    types = None if growth is None else grown_types(api, growth)
    if types is not None:
        return [Argument(None, each) for each in types]
    item = _common_item(proper)
    operand = operand_of(item)
    is_list = isinstance(expr, RefExpr) and isinstance(proper, Instance)
    if expr is not None and is_list and operand is not None and isinstance(get_proper_type(operand.dtype), AnyType):
        exact = get_proper_type(exact_type(api, expr, proper))
        if isinstance(exact, TupleType):
            return [Argument(None, each) for each in exact.items]
    if operand is None and expr is not None:
        # The expected type, with all values that may take the place of an operand, is part of mypy's own type.
        checker = checker_of(api)
        with checker.msg.filter_errors():
            item = _common_item(checker.expr_checker.accept(expr))
    several = get_proper_type(item)
    if isinstance(proper, Instance) and isinstance(several, UnionType) and are_of_several_elements(several):
        return [Argument(None, each, is_many=True) for each in several.items]
    count = length_of(api, expr)
    if isinstance(count, int) and 0 < count <= MAX_VALUE:
        return [Argument(None, item)] * count
    return [Argument(None, item, is_many=True)]


def type_alone(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of a part of an argument where mypy expects operands of any element type, and then infers `Any`."""
    type_, checker = expression_type(api, expr), checker_of(api)
    operand = None if isinstance(expr, RefExpr) else base_of(type_, OPERAND)
    if operand is None or not isinstance(get_proper_type(operand.args[0]), AnyType):
        return type_
    with checker.msg.filter_errors():
        return checker.expr_checker.accept(expr)


def _common_item(type_: Type) -> Type:
    """The type of the items of an iterable, or of any of several."""
    proper = get_proper_type(type_)
    if isinstance(proper, AnyType):
        return proper
    types = [base_of(each, _ITERABLE) for each in union_items(proper)]
    if None in types:
        raise NotStatic
    return UnionType.make_union([each.args[0] for each in types if each is not None])


def _items(api: CheckerPluginInterface, expr: Expression) -> list[Argument]:
    """An item of a list display, or all of `*hs`."""
    if not isinstance(expr, StarExpr):
        return [Argument(expr, type_alone(api, expr))]
    return listed(api, Argument(expr.expr, expression_type(api, expr.expr)))
