"""Formats of numbers, as in `f"{loss:.3f}"`, which neither operands nor arrays of several elements have."""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, StrExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Type

from typegrad.graph.refusals import NO_VALUE
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.arrays.numpy_refusals import check_format
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import report_anyway
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["FORMAT", "FORMAT_METHOD", "format_hook"]

FORMAT: Final = "builtins.format"
FORMAT_METHOD: Final = "builtins.str.format"
_OF_F_STRINGS: Final = "{:{}}"
"""The string whose `format` mypy calls in the place of each part of an f-string."""


def format_hook(ctx: FunctionContext | MethodContext) -> Type:
    """Report an operand, or an array of several elements, in a format that is for numbers."""
    call = ctx.context
    if isinstance(call, CallExpr) and len(call.args) == 2 and _is_of_one(call.callee):
        expr, form = call.args
        if isinstance(form, StrExpr) and form.value:
            _check(ctx.api, expr, form.value)
    return ctx.default_return_type


def _is_of_one(callee: Expression) -> bool:
    """Whether a call is of `format`, or is a part of an f-string. What `str.format` takes, mypy itself checks."""
    if not isinstance(callee, MemberExpr):
        return True
    return isinstance(callee.expr, StrExpr) and callee.expr.value == _OF_F_STRINGS


def _check(api: CheckerPluginInterface, expr: Expression, form: str) -> None:
    if base_of(expression_type(api, expr), OPERAND) is not None:
        report_anyway(api, CALL, f"{source_of(expr)} {NO_VALUE}", expr)
    else:
        check_format(api, expr, form)
