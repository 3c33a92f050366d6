"""Sizes of operands in programs: `x.shape[1]`, and arithmetic with them.

A size is declared as all that it may be: an int, a name, arithmetic with names, or None. Where the shape is known, so
is the size: an int is one, and the others have the operators of `Size`.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import CastExpr, Expression, IndexExpr, MemberExpr, NameExpr, OpExpr
from mypy.plugin import AttributeContext, CheckerPluginInterface, MethodContext
from mypy.types import Type

from typegrad.base.shape import Dim
from typegrad.mypy_plugin.arguments.wrong_values import is_size
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.values.evaluation import expression_type, known_value
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["RANK", "SHAPE_ITEM", "SIZE_OPERATORS", "is_symbolic", "known_dims", "rank_hook", "size_hook"]

RANK: Final = "typegrad.base.shape.Shape.rank"
SHAPE_ITEM: Final = "typegrad.base.shape.Shape.__getitem__"
SIZE_OPERATORS: Final = ("+", "-", "*", "//")


def size_hook(ctx: MethodContext) -> Type:
    """The type of `x.shape[1]`: int, if it is known to be one. With its value, mypy would refuse to compare it."""
    size = _size(ctx.api, ctx.context) if isinstance(ctx.context, IndexExpr) else None
    return ctx.api.named_generic_type("builtins.int", []) if isinstance(size, int) else ctx.default_return_type


def rank_hook(ctx: AttributeContext) -> Type:
    """The type of `x.shape.rank`: int, if the rank is known."""
    whole = ctx.context.expr if isinstance(ctx.context, MemberExpr) else None
    is_known = whole is not None and known_dims(ctx.api, whole) is not None
    return ctx.api.named_generic_type("builtins.int", []) if is_known else ctx.default_attr_type


def known_dims(api: CheckerPluginInterface, expr: Expression) -> tuple[Dim, ...] | None:
    """The sizes of `x.shape`; None for any other expression and if the rank is not known."""
    if not isinstance(expr, MemberExpr) or expr.name != "shape":
        return None
    operand = operand_of(expression_type(api, expr.expr))
    return None if operand is None else operand.static.shape.dims


def is_symbolic(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a size that is known by its names: `x.shape[0] + 1` is `Batch + 1`."""
    if isinstance(expr, CastExpr):  # by `refusals`
        return is_symbolic(api, expr.expr)
    if isinstance(expr, OpExpr) and expr.op in SIZE_OPERATORS:
        sides = expr.left, expr.right
        return any(is_symbolic(api, each) for each in sides) and all(_is_size(api, each) for each in sides)
    size = _size(api, expr)
    return size is not None and not isinstance(size, int)


def _is_size(api: CheckerPluginInterface, expr: Expression) -> bool:
    return is_symbolic(api, expr) or isinstance(known_value(api, expr), int)


def _size(api: CheckerPluginInterface, expr: Expression) -> Dim:
    """The size that `x.shape[1]` is, or a name that is bound to it alone, if it is known."""
    if isinstance(expr, NameExpr) and is_size(expression_type(api, expr)):
        known = only_value(api, expr)
        return None if known is None or isinstance(known, NameExpr) else _size(api, known)
    if not isinstance(expr, IndexExpr):
        return None
    dims, axis = known_dims(api, expr.base), known_value(api, expr.index)
    return dims[axis] if dims is not None and type(axis) is int and -len(dims) <= axis < len(dims) else None
