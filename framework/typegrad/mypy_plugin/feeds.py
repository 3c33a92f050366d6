"""`session.run(y, {x: array})`: whether what is fed can fit."""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from mypy.checker import TypeChecker
from mypy.nodes import DictExpr, Expression, MemberExpr, NameExpr
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import CallableType, NoneType, Type, get_proper_type

from typegrad.mypy_plugin.conversion import misfit
from typegrad.mypy_plugin.dtypes import type_name
from typegrad.mypy_plugin.errors import DTYPE, SHAPE, report
from typegrad.mypy_plugin.literals import NotStatic, array_shape, expression_type
from typegrad.mypy_plugin.operands import operand_of
from typegrad.shape import Shape

__all__ = ["check_feeds", "feed_hook"]


def check_feeds(ctx: MethodSigContext) -> CallableType:
    """Check the feeds of `run`, once: when mypy asks about the form for operations, before it tries any form.

    An error while mypy tries the overloads one by one would only make it say that none of them fits.
    """
    signature = ctx.default_signature
    if isinstance(get_proper_type(signature.ret_type), NoneType) and len(ctx.args) > 1 and ctx.args[1]:
        feeds = ctx.args[1][0]
        checker = cast("TypeChecker", ctx.api)
        if isinstance(feeds, DictExpr):
            for key, value in feeds.items:
                if key is not None:
                    with checker.msg.filter_errors():
                        types = expression_type(ctx.api, key), expression_type(ctx.api, value)
                    _check(ctx.api, key, types[0], value, types[1])
    return signature


def feed_hook(ctx: MethodContext) -> Type:
    """Check `runner.feed(x, array)`."""
    (key,), (value,) = ctx.args
    (key_type,), (value_type,) = ctx.arg_types
    _check(ctx.api, key, key_type, value, value_type)
    return ctx.default_return_type


def _check(api: CheckerPluginInterface, key: Expression, key_type: Type, value: Expression, value_type: Type) -> None:
    operand = operand_of(key_type)
    if operand is None:
        return
    name = source_of(key)
    wrong = misfit(api, operand.dtype, value, value_type)
    if wrong is not None:
        report(api, DTYPE, f"run: {wrong.alone(f'the feed of {name}', type_name(operand.dtype))}", value)
        return
    with suppress(NotStatic):
        given, expected = array_shape(api, value, value_type), operand.static.shape
        if not _may_fit(given, expected):
            report(api, SHAPE, f"run: the feed of {name} has shape {given}, which does not fit {expected}", value)


def source_of(expr: Expression) -> str:
    """What a user calls an expression."""
    if isinstance(expr, NameExpr):
        return expr.name
    return f"{source_of(expr.expr)}.{expr.name}" if isinstance(expr, MemberExpr) else "the operand"


def _may_fit(given: Shape, expected: Shape) -> bool:
    """Whether arrays of this shape may be fed; a name stands for any size."""
    if given.dims is None or expected.dims is None:
        return True
    return len(given.dims) == len(expected.dims) and all(
        a == b or not (isinstance(a, int) and isinstance(b, int))
        for a, b in zip(given.dims, expected.dims, strict=True)
    )
