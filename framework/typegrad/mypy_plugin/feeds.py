"""Checks of values that are fed or assigned: `session.run(y, {x: array})`, `session.assign(v, array)`."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import DictExpr, Expression, MemberExpr, NameExpr
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import CallableType, Instance, NoneType, Type, get_proper_type

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.assignments import only_value
from typegrad.mypy_plugin.conversion import misfit
from typegrad.mypy_plugin.dtypes import type_name
from typegrad.mypy_plugin.errors import DTYPE, SHAPE, report
from typegrad.mypy_plugin.evaluation import NotStatic, array_shape, expression_type
from typegrad.mypy_plugin.operands import base_of, operand_of

__all__ = ["check_feeds", "feed_hook", "session_assign_hook"]


_FEED: Final = "run: the feed of"
_VALUE: Final = "assign: the value for"


def check_feeds(ctx: MethodSigContext) -> CallableType:
    """Check the feeds of `run` once: for the overload of operations, before mypy tries any overload.

    If an error were reported while mypy tries the overloads, mypy would only say that none of them fits.
    """
    signature = ctx.default_signature
    if len(ctx.args) < 2 or not ctx.args[1]:
        return signature
    feeds = ctx.args[1][0]
    display = only_value(ctx.api, feeds) if isinstance(feeds, NameExpr) else feeds
    if isinstance(get_proper_type(signature.ret_type), NoneType):
        _check_items(ctx.api, display, _FEED)
    return _with_any_keys(ctx, feeds) if display is not feeds and _has_operands(ctx.api, display) else signature


def _with_any_keys(ctx: MethodSigContext, feeds: Expression) -> CallableType:
    """The signature of `run` for a dict of operands of several types, for whose keys mypy infers object."""
    signature, mapping = ctx.default_signature, base_of(expression_type(ctx.api, feeds), "builtins.dict")
    key = None if mapping is None else get_proper_type(mapping.args[0])
    if mapping is None or not isinstance(key, Instance) or key.type.fullname != "builtins.object":
        return signature
    return signature.copy_modified(arg_types=[signature.arg_types[0], mapping, *signature.arg_types[2:]])


def _has_operands(api: CheckerPluginInterface, display: Expression | None) -> bool:
    """Whether an expression is a dict display whose keys are all operands."""
    if not isinstance(display, DictExpr):
        return False
    return all(key is not None and operand_of(expression_type(api, key)) is not None for key, _ in display.items)


def feed_hook(ctx: MethodContext) -> Type:
    """Check `runner.feed(x, array)`."""
    _check_pair(ctx, _FEED)
    return ctx.default_return_type


def session_assign_hook(ctx: MethodContext) -> Type:
    """Check `session.assign(v, array)` and `session.assign({v: array})`."""
    if len(ctx.args) > 1 and ctx.args[1]:
        _check_pair(ctx, _VALUE)
    else:
        _check_items(ctx.api, ctx.args[0][0], _VALUE)
    return ctx.default_return_type


def _check_pair(ctx: MethodContext, role: str) -> None:
    (key,), (value,) = ctx.args
    (key_type,), (value_type,) = ctx.arg_types
    _check(ctx.api, role, key, key_type, value, value_type)


def _check_items(api: CheckerPluginInterface, display: Expression | None, role: str) -> None:
    if isinstance(display, DictExpr):
        for key, value in display.items:
            if key is not None:
                with cast("TypeChecker", api).msg.filter_errors():
                    types = expression_type(api, key), expression_type(api, value)
                _check(api, role, key, types[0], value, types[1])


def _check(
    api: CheckerPluginInterface, role: str, key: Expression, key_type: Type, value: Expression, value_type: Type
) -> None:
    operand = operand_of(key_type)
    if operand is None:
        return
    name = source_of(key)
    wrong = misfit(api, operand.dtype, value, value_type)
    if wrong is not None:
        report(api, DTYPE, wrong.alone(f"{role} {name}", type_name(operand.dtype)), value)
        return
    with suppress(NotStatic):
        actual, expected = array_shape(api, value, value_type), operand.static.shape
        if not _may_fit(actual, expected):
            report(api, SHAPE, f"{role} {name} has shape {actual}, which does not fit {expected}", value)


UNNAMED: Final = "the operand"


def source_of(expr: Expression) -> str:
    """The name of an expression in messages: `x`, `self.x` or "the operand"."""
    if isinstance(expr, NameExpr):
        return expr.name
    return f"{source_of(expr.expr)}.{expr.name}" if isinstance(expr, MemberExpr) else UNNAMED


def _may_fit(actual: Shape, expected: Shape) -> bool:
    """Whether arrays of this shape may be fed; a named dimension takes any size."""
    if actual.dims is None or expected.dims is None:
        return True
    return len(actual.dims) == len(expected.dims) and all(
        a == b or not (isinstance(a, int) and isinstance(b, int))
        for a, b in zip(actual.dims, expected.dims, strict=True)
    )
