"""Operands and arrays that have one of several shapes: mypy asks about each, and a program may ask which it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, ComparisonExpr, Context, Expression, IndexExpr, MemberExpr, OpExpr
from mypy.types import UnionType, get_proper_type

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of

__all__ = ["NONE_FITS", "may_fit"]

NONE_FITS: Final = "and no shape fits"
"""With what an error ends that is about all of the shapes."""

_refused: Final = Memory[tuple[Context, tuple[frozenset[str], ...]], set[str]]()
"""The errors of each expression, by the shapes that its operands may have."""


def may_fit(checker: TypeChecker, message: str, context: Context) -> bool:
    """Whether an error is about one of several shapes, and another one may fit."""
    if message.endswith(NONE_FITS):
        return False
    shapes = tuple(_shapes(checker, each) for each in _operands(context))
    count = prod(max(len(each), 1) for each in shapes)
    if count == 1:
        return False
    refused = _refused.setdefault((context, shapes), set())
    refused.add(message)
    return len(refused) < count


def _operands(context: Context) -> Sequence[Expression]:
    """The operands of an operator, or what an item or a method is of."""
    if isinstance(context, IndexExpr):
        return [context.base]
    if isinstance(context, OpExpr):
        return [context.left, context.right]
    if isinstance(context, ComparisonExpr):
        return context.operands
    callee = context.callee if isinstance(context, CallExpr) else None
    return [callee.expr] if isinstance(callee, MemberExpr) else []


def _shapes(checker: TypeChecker, expr: Expression) -> frozenset[str]:
    """The shapes of the items of a union."""
    type_ = get_proper_type(checker.lookup_type(expr)) if checker.has_type(expr) else None
    if not isinstance(type_, UnionType):
        return frozenset()
    operands = (base_of(each, OPERAND) for each in type_.items)
    arrays = (base_of(each, ARRAY) for each in type_.items)
    return frozenset(
        [*(str(each.args[1]) for each in operands if each), *(str(each.args[0]) for each in arrays if each)]
    )
