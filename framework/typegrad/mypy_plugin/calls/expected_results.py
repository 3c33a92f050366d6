"""Calls of generic functions whose arguments do not fit what is expected of the result.

mypy solves type variables with what is expected first. In `dense(act(x))`, where `act` takes any shape, it says that
`act` takes no other than `dense` does. The mistake is around the call, so that is where it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.reporting import drop, told
from typegrad.mypy_plugin.types.widening import holds_operands

__all__ = ["expected_hook"]

_OF_ARGUMENTS: Final = frozenset((codes.ARG_TYPE, codes.DICT_ITEM, codes.LIST_ITEM))


def expected_hook(ctx: FunctionContext | MethodContext, own: Callable[[Any], Type]) -> Type:
    """The type of the result: without what is expected of it, if the arguments fit then, and do not otherwise."""
    alone = _fitting(ctx)
    return own(ctx) if alone is None else alone


def _fitting(ctx: FunctionContext | MethodContext) -> Type | None:
    """The type of a call where nothing is expected, if only what is expected refuses its arguments; None otherwise."""
    checker, call = checker_of(ctx.api), ctx.context
    expected = get_proper_type(checker.expr_checker.type_context[-1])
    if expected is None or isinstance(expected, AnyType) or not isinstance(call, CallExpr):
        return None
    if not holds_operands(ctx.default_return_type):
        return None
    refused = [each for errors in told(checker) for each in errors if _is_of_argument(each, call)]
    if not refused:
        return None
    with checker.msg.filter_errors(save_filtered_errors=True) as again:
        type_ = checker.expr_checker.accept(call)
    if any(each.severity == "error" for each in again.filtered_errors()):
        return None
    for errors in told(checker):
        drop(errors, refused)
    return type_


def _is_of_argument(error: ErrorInfo, call: CallExpr) -> bool:
    """Whether mypy refuses an argument of a call, or an item of one."""
    place, end = (error.line, error.column), (error.end_line or error.line, error.end_column or error.column)
    return error.code in _OF_ARGUMENTS and any(
        (each.line, each.column) <= place and end <= (each.end_line or each.line, each.end_column or each.column)
        for each in call.args
    )
