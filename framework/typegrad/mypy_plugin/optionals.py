"""Operands that may be None, such as gradients, as the sides of operators: one error for each operator."""

from __future__ import annotations

from mypy.nodes import CastExpr, Expression, IndexExpr, IntExpr, MemberExpr, NameExpr, OpExpr, UnaryExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.mypy_plugin.errors import DTYPE, report
from typegrad.mypy_plugin.feeds import source_of
from typegrad.mypy_plugin.operands import OPERAND, base_of
from typegrad.mypy_plugin.refusals import type_of

__all__ = ["refuse_optional"]


def refuse_optional(api: CheckerPluginInterface, operation: OpExpr | UnaryExpr) -> None:
    """Report an operator of an operand that may be None. Beside an operand on the left, its hook reports the other."""
    sides = ("left", "right") if isinstance(operation, OpExpr) else ("expr",)
    exprs: list[Expression] = [getattr(operation, side) for side in sides]
    present = [_without_none(api, expr) for expr in exprs]
    position = next((position for position, type_ in enumerate(present) if type_ is not None), None)
    if position is None or (position == 1 and base_of(type_of(api, exprs[0]), OPERAND) is not None):
        return
    name = _name(exprs[position])
    report(api, DTYPE, f"{name} may be None, which has no operators; check that {name} is not None first", operation)
    for side, expr, type_ in zip(sides, exprs, present, strict=True):
        if type_ is not None:
            converted = CastExpr(expr, type_)
            converted.set_line(expr)
            setattr(operation, side, converted)


def _name(expr: Expression) -> str:
    """The text of a name, an attribute or an item."""
    if isinstance(expr, IndexExpr) and isinstance(expr.index, IntExpr):
        return f"{source_of(expr.base)}[{expr.index.value}]"
    return source_of(expr)


def _without_none(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The type of an operand that may be None, without None; None for anything else.

    Of items, only those of a tuple in a variable are looked at: others cost too much.
    """
    if isinstance(expr, IndexExpr):
        if not isinstance(expr.base, NameExpr) or not isinstance(type_of(api, expr.base), TupleType):
            return None
    elif not isinstance(expr, (MemberExpr, NameExpr)):
        return None
    type_ = type_of(api, expr)
    items = [get_proper_type(item) for item in type_.items] if isinstance(type_, UnionType) else []
    operands = [item for item in items if not isinstance(item, NoneType)]
    if len(operands) == len(items) or not operands or any(base_of(item, OPERAND) is None for item in operands):
        return None
    return UnionType.make_union(operands)
