"""Other names for `create`: `dense = linalg.MatMul.create`, `dense = functools.partial(linalg.MatMul.create, scope)`.

mypy finds hooks by the name of what is called. A call by another name is checked as the call that it means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    CallExpr,
    Context,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext, MethodContext
from mypy.plugins.functools import partial_call_callback, partial_new_callback
from mypy.types import CallableType, Instance, Type, get_proper_type

from typegrad.arguments.calls import hint
from typegrad.mypy_plugin.arguments.wrong_calls import accepting_anything
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.registry import MARK
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.expressions.displays import PARTIAL
from typegrad.mypy_plugin.values.callees import callee_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to

__all__ = ["PARTIAL_CALL", "alias_hook", "alias_signature", "made_partial_hook", "partial_hook"]

PARTIAL_CALL: Final = "functools.partial.__call__"


_SCOPE: Final = "scope"
_calls: Final = Memory[Context, CallExpr]()
_wrong: Final = Memory[Context, bool]()
"""The wrong calls of `functools.partial`."""


def alias_signature(ctx: FunctionSigContext) -> CallableType:
    """A signature that accepts anything, for a call that `alias_hook` checks."""
    call = _call(ctx.api, ctx.context)
    is_checked = call is not None and _is_generated(ctx.api, call.callee)
    return accepting_anything(ctx.default_signature) if is_checked else ctx.default_signature


def alias_hook(ctx: FunctionContext, otherwise: Callable[[FunctionContext], Type]) -> Type:
    """The type of a call by another name; `otherwise` is the hook for all other calls."""
    call, checker = _call(ctx.api, ctx.context), checker_of(ctx.api)
    if call is None:
        return otherwise(ctx)
    if _is_generated(ctx.api, call.callee):
        return checker.expr_checker.accept(call)
    with checker.msg.filter_errors(filter_errors=_is_of_mypy):
        return checker.expr_checker.accept(call)


def made_partial_hook(ctx: FunctionContext) -> Type:
    """The type of a `functools.partial`. A name that `create` does not take is reported here, and at no call of it."""
    text = _unknown_name(ctx)
    if not text:
        return partial_new_callback(ctx)
    report(ctx.api, CALL, text, ctx.context)
    _wrong[ctx.context] = True
    return ctx.default_return_type


def _unknown_name(ctx: FunctionContext) -> str:
    """The error message for a keyword of a `functools.partial` that `create` of an operation does not take."""
    made = ctx.context
    function = _value(ctx.api, made.args[0]) if isinstance(made, CallExpr) and made.args else None
    if function is None or not isinstance(made, CallExpr) or not _is_generated(ctx.api, function):
        return ""
    class_ = function.expr.node if isinstance(function, MemberExpr) and isinstance(function.expr, RefExpr) else None
    if not isinstance(class_, TypeInfo) or not isinstance(function, MemberExpr):
        return ""
    callee = callee_of(ctx.api, f"{class_.fullname}.{function.name}")
    names = [name for name in made.arg_names[1:] if name is not None]
    unknown = next((name for name in names if name not in callee.by_name), None)
    known = callee.by_name - {_SCOPE, *names}
    return "" if unknown is None else f"{callee.name}() takes no argument `{unknown}`; {hint(unknown, known)}"


def partial_hook(ctx: MethodContext) -> Type:
    """The type of a call of a `functools.partial`. mypy checks one of a user's function, and calls `alias_hook`."""
    call = _call(ctx.api, ctx.context)
    if call is None or not _is_generated(ctx.api, call.callee):
        return partial_call_callback(ctx)
    return checker_of(ctx.api).expr_checker.accept(call)


def _is_of_mypy(file: str, error: ErrorInfo) -> bool:
    """Whether mypy has found an error itself."""
    del file
    return error.code is None or not error.code.code.startswith("typegrad")


def _call(api: CheckerPluginInterface, context: Context) -> CallExpr | None:
    """The call that a call by another name means, of a generated function or of one in a `functools.partial`."""
    if context in _calls or not isinstance(context, CallExpr):
        return _calls.get(context)
    value = _value(api, context.callee)
    bound: CallExpr | None = None
    if value is not None and value in _wrong:
        return None
    if isinstance(value, CallExpr) and isinstance(value.callee, RefExpr) and value.callee.fullname == PARTIAL:
        bound, value = value, value.args[0]
        value = _value(api, value)
    is_own = bound is not None and isinstance(value, NameExpr) and isinstance(value.node, FuncDef)
    call = _joined(value, bound, context) if value is not None and (is_own or _is_generated(api, value)) else None
    if call is not None:
        _calls[context] = call
    return call


def _value(api: CheckerPluginInterface, expr: Expression) -> Expression | None:
    if not isinstance(expr, (IndexExpr, NameExpr)) or (isinstance(expr, NameExpr) and isinstance(expr.node, FuncDef)):
        return expr
    bound = bound_to(api, expr)
    return None if bound is None or bound.path else bound.expr


def _is_generated(api: CheckerPluginInterface, function: Expression) -> bool:
    """Whether an expression is `create` of an operation or a method of the facade."""
    if not isinstance(function, MemberExpr):
        return False
    owner = function.expr
    node = owner.node if isinstance(owner, RefExpr) else None
    type_ = None if isinstance(node, TypeInfo) else get_proper_type(expression_type(api, owner))
    info = node if isinstance(node, TypeInfo) else type_.type if isinstance(type_, Instance) else None
    tree = None if info is None else checker_of(api).modules.get(info.module_name)
    return tree is not None and MARK in tree.names and not function.name.startswith("_")


def _joined(function: Expression, bound: CallExpr | None, call: CallExpr) -> CallExpr | None:
    """A call of `function` with the arguments of a `functools.partial` and of a call of it."""
    first = [] if bound is None else list(zip(bound.args, bound.arg_kinds, bound.arg_names, strict=True))[1:]
    own = list(zip(call.args, call.arg_kinds, call.arg_names, strict=True))
    by_name = {name for _, _, name in own if name is not None}
    every = [*(each for each in first if each[2] not in by_name), *own]
    if any(kind not in (ARG_POS, ARG_NAMED) for _, kind, _ in every):
        return None
    every.sort(key=lambda each: each[1] == ARG_NAMED)
    args, kinds, names = map(list, zip(*every, strict=True)) if every else ([], [], [])
    joined = CallExpr(function, args, kinds, names)
    joined.set_line(call)
    return joined
