"""Arguments of users' functions that are operations in the place of operands, and calls without the scope.

mypy reports every argument on its own, and what it cannot infer then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from mypy.erasetype import erase_typevars
from mypy.nodes import (
    ARG_OPT,
    ARG_POS,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    SymbolNode,
    TypeInfo,
)
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.types import CallableType, get_proper_type

from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.passed import type_of_argument
from typegrad.mypy_plugin.arguments.wrong_calls import accepting_anything
from typegrad.mypy_plugin.arguments.wrong_operands import operation_of
from typegrad.mypy_plugin.base.classes import SCOPE
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import is_silent, report
from typegrad.mypy_plugin.reports.wording import called, parameter_names

__all__ = ["checked_order", "has_order"]

_Context: TypeAlias = FunctionSigContext | MethodSigContext
_CONSTRUCTORS: Final = ("__new__", "__init__")


def has_order(function: SymbolNode | None) -> bool:
    """Whether a function or a class of the user takes operands, which may be in the place of the scope."""
    if isinstance(function, TypeInfo):
        return any(has_order(function.names[name].node) for name in _CONSTRUCTORS if name in function.names)
    type_ = get_proper_type(function.type) if isinstance(function, (Decorator, FuncDef)) else None
    return isinstance(type_, CallableType) and any(base_of(each, OPERAND) for each in type_.arg_types)


def checked_order(ctx: _Context, fullname: str) -> CallableType | None:
    """Report a call without the scope, or with an operation for an operand; return a signature for any arguments."""
    call, signature = ctx.context, ctx.default_signature
    if not isinstance(call, CallExpr) or not all(kind is ARG_POS for kind in call.arg_kinds) or is_silent(ctx.api):
        return None
    if not all(kind in (ARG_POS, ARG_OPT) for kind in signature.arg_kinds):
        return None
    text = next(_wrong_order(ctx, call.args, signature), "")
    if not text:
        return None
    report(ctx.api, CALL, f"{called(fullname)}(): {text}", call)
    return accepting_anything(signature).copy_modified(ret_type=erase_typevars(signature.ret_type))


def _wrong_order(ctx: _Context, args: Sequence[Expression], signature: CallableType) -> Iterator[str]:
    expected, names = signature.arg_types, parameter_names(signature)
    if len(args) > len(expected) or not args:
        return
    lacks_one = len(args) == signature.arg_kinds.count(ARG_POS) - 1 and base_of(expected[0], SCOPE) is not None
    if lacks_one and base_of(type_of_argument(ctx.api, args[0]), OPERAND) is not None:
        yield f"{names[0]} is missing; the scope is the first argument"
    for name, type_, expr in zip(names, expected, args, strict=False):
        operation = operation_of(ctx.api, expr) if base_of(type_, OPERAND) is not None else None
        if operation is not None:
            yield f"{name} must be an operand, not {operation.class_name}; {named_outputs(operation)}"
