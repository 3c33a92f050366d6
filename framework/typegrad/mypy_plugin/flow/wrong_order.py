"""Arguments of users' functions that are in each other's place or no operands, and calls without the scope.

Each is told in one sentence.
mypy reports every argument on its own, and what it cannot infer then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from mypy.erasetype import erase_typevars
from mypy.nodes import (
    ARG_OPT,
    ARG_POS,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    TypeInfo,
)
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.typeops import get_all_type_vars
from mypy.types import AnyType, CallableType, Type, get_proper_type

from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.misuse import accepting_anything
from typegrad.mypy_plugin.arguments.passed import type_of_argument
from typegrad.mypy_plugin.arguments.wrong_operands import operation_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import is_silent, report
from typegrad.mypy_plugin.reports.wording import described
from typegrad.mypy_plugin.types.symbols import short_name

__all__ = ["checked_order", "has_order"]

_Context: TypeAlias = FunctionSigContext | MethodSigContext
_SCOPE: Final = "typegrad.graph.scope.Scope"
_CONSTRUCTORS: Final = ("__new__", "__init__")


def has_order(function: SymbolNode | None) -> bool:
    """Whether a function or a class of the user takes operands, which may be in the place of something else."""
    if isinstance(function, TypeInfo):
        return any(has_order(function.names[name].node) for name in _CONSTRUCTORS if name in function.names)
    type_ = get_proper_type(function.type) if isinstance(function, (Decorator, FuncDef)) else None
    return isinstance(type_, CallableType) and any(base_of(each, OPERAND) for each in type_.arg_types)


def checked_order(ctx: _Context, fullname: str) -> CallableType | None:
    """Report a call whose arguments are in the wrong order, and return a signature that accepts anything."""
    call, signature = ctx.context, ctx.default_signature
    if not isinstance(call, CallExpr) or not all(kind is ARG_POS for kind in call.arg_kinds) or is_silent(ctx.api):
        return None
    if not all(kind in (ARG_POS, ARG_OPT) for kind in signature.arg_kinds):
        return None
    text = next(_wrong_order(ctx, call.args, signature), "")
    if not text:
        return None
    report(ctx.api, CALL, f"{_called(fullname)}(): {text}", call)
    return accepting_anything(signature).copy_modified(ret_type=erase_typevars(signature.ret_type))


def _wrong_order(ctx: _Context, args: Sequence[Expression], signature: CallableType) -> Iterator[str]:
    expected, names = signature.arg_types, _names(signature)
    if len(args) > len(expected) or not args:
        return
    lacks_one = len(args) == signature.arg_kinds.count(ARG_POS) - 1 and base_of(expected[0], _SCOPE) is not None
    if lacks_one and base_of(type_of_argument(ctx.api, args[0]), OPERAND) is not None:
        yield f"{names[0]} is missing; the scope is the first argument"
    for name, type_, expr in zip(names, expected, args, strict=False):
        operation = operation_of(ctx.api, expr) if base_of(type_, OPERAND) is not None else None
        if operation is not None:
            yield f"{name} must be an operand, not {operation.class_name}; {named_outputs(operation)}"
    types = [type_of_argument(ctx.api, each) if _is_cheap(each) else None for each in args]
    wrong = [place for place, type_ in enumerate(types) if type_ is not None and _differs(type_, expected[place])]
    for i, j in combinations(wrong, 2):
        one, other = types[i], types[j]
        if one is None or other is None or _differs(one, expected[j]) or _differs(other, expected[i]):
            continue
        yield f"{names[i]} is {_shown(one)} and {names[j]} is {_shown(other)}; swap them"


def _names(signature: CallableType) -> list[str]:
    """What to call the parameters; a decorator may have taken the name of the first one, a scope."""
    types = enumerate(signature.arg_types, 1)
    unnamed = ("`scope`" if base_of(type_, _SCOPE) else f"argument {position}" for position, type_ in types)
    return [f"`{name}`" if name else other for name, other in zip(signature.arg_names, unnamed, strict=True)]


def _is_cheap(expr: Expression) -> bool:
    """Whether an argument is named, or what a function of the user returns, so that its type is known at no cost."""
    callee = expr.callee if isinstance(expr, CallExpr) else None
    return isinstance(expr, (IndexExpr, MemberExpr, NameExpr)) or (
        isinstance(callee, RefExpr) and isinstance(callee.node, FuncDef) and isinstance(callee.node.type, CallableType)
    )


def _differs(type_: Type, expected: Type) -> bool:
    """Whether mypy refuses a type for a parameter that has no type variables."""
    is_open = isinstance(get_proper_type(type_), AnyType) or bool(get_all_type_vars(expected))
    return not is_open and not is_subtype(type_, expected)


def _shown(type_: Type) -> str:
    return described(type_) or short_name(type_)


def _called(fullname: str) -> str:
    """What is called: `update`, `Critic.value`, or the class of an object that is called."""
    *owner, name = fullname.split(".")
    if name == "__call__":
        return owner[-1]
    return f"{owner[-1]}.{name}" if owner and owner[-1][:1].isupper() else name
