"""What stands around hooks: an error in one never stops mypy, and calls that fit no signature are reported."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

from mypy.nodes import CallExpr, MemberExpr, MypyFile, NameExpr
from mypy.plugin import AttributeContext, FunctionContext, FunctionSigContext, MethodContext, MethodSigContext
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.arguments.wrong_calls import ANYTHING, checked_call
from typegrad.mypy_plugin.arrays.ndarrays import type_beside_any
from typegrad.mypy_plugin.arrays.numpy_refusals import check_array_use
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.calls.declared_records import field_of_run
from typegrad.mypy_plugin.calls.generics import Parameters, generic_signature
from typegrad.mypy_plugin.calls.gradients import GRADIENTS, gradients_signature
from typegrad.mypy_plugin.calls.library import library_signature
from typegrad.mypy_plugin.calls.signatures import of_any_rank, of_stated_type
from typegrad.mypy_plugin.flow.attributes import attribute_hook
from typegrad.mypy_plugin.flow.common_types import common_signature
from typegrad.mypy_plugin.flow.rebinding import prepare
from typegrad.mypy_plugin.flow.wrong_order import checked_order
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.callees import takes_object
from typegrad.mypy_plugin.values.program_files import is_own
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = [
    "SUPPRESSED",
    "checked",
    "function_signature",
    "is_public",
    "own_signature",
    "safe",
    "safe_attribute",
    "safe_signature",
]


SUPPRESSED: tuple[type[BaseException], ...] = (Exception,)
"""What a hook may raise without consequences, besides giving up on purpose; tests make it empty."""

_Context = TypeVar("_Context", MethodContext, FunctionContext)
_SignatureHook: TypeAlias = Callable[[MethodSigContext], CallableType]


def _harmless() -> tuple[type[BaseException], ...]:
    """What a hook may raise without consequences."""
    return (NotStatic, *SUPPRESSED)


def safe(hook: Callable[[_Context], Type]) -> Callable[[_Context], Type]:
    """A hook that keeps mypy's own type where `hook` fails: an error in the plugin must never stop mypy.

    So it does where a method is called by its class, as no hook expects its object among the arguments.
    """

    def guarded(ctx: _Context) -> Type:
        prepare(ctx.api, ctx.context)
        if ctx.callee_arg_names == ANYTHING or (isinstance(ctx, MethodContext) and takes_object(ctx)):
            return ctx.default_return_type
        if _is_replaced(ctx):
            return ctx.default_return_type
        try:
            return hook(ctx)
        except NotStatic:
            return _beside_any(ctx)
        except SUPPRESSED:
            return ctx.default_return_type

    return guarded


_replaced: Final = Memory[MypyFile, AbstractSet[str]]()
"""The functions and methods of libraries that each file replaces."""


def _is_replaced(ctx: MethodContext | FunctionContext | MethodSigContext | FunctionSigContext) -> bool:
    """Whether the program may have put something else in the place of what is called."""
    tree = checker_of(ctx.api).tree
    if tree not in _replaced:
        _replaced[tree] = bindings_of(tree).replaced if is_own(tree.path) else frozenset()
    callee = ctx.context.callee if _replaced[tree] and isinstance(ctx.context, CallExpr) else None
    return isinstance(callee, (MemberExpr, NameExpr)) and callee.name in _replaced[tree]


def _beside_any(ctx: _Context) -> Type:
    """mypy's own type, of any shape where an argument is Any: the shape is then that of the first overload."""
    result = get_proper_type(ctx.default_return_type)
    if not isinstance(result, Instance) or base_of(result, OPERAND) is None or len(result.args) != 2:
        return ctx.default_return_type
    is_any = any(isinstance(get_proper_type(each), AnyType) for types in ctx.arg_types for each in types)
    return result.copy_modified(args=[result.args[0], any_tuple(ctx.api)]) if is_any else result


def checked(hook: Callable[[_Context], Type] | None) -> Callable[[_Context], Type]:
    """A hook that first looks at what a call or an operator does with the arrays of a run, and then at its result."""

    def guarded(ctx: _Context) -> Type:
        with suppress(*_harmless()):
            check_array_use(ctx)
        type_ = ctx.default_return_type if hook is None else hook(ctx)
        return type_beside_any(ctx.api, ctx.context, type_)

    return guarded


def safe_signature(hook: _SignatureHook, fullname: str) -> _SignatureHook:
    """The same for the signature of a method. Calls of typegrad that fit no overload are reported here."""
    is_own = is_public(fullname)

    def guarded(ctx: MethodSigContext) -> CallableType:
        if takes_object(ctx) or _is_replaced(ctx):
            return ctx.default_signature
        shaped = of_any_rank(ctx)
        try:
            return (checked_call(ctx, fullname) if is_own else None) or of_stated_type(ctx, hook(shaped))
        except _harmless():
            return shaped.default_signature

    return guarded


def safe_attribute(ctx: AttributeContext) -> Type:
    """The type of an attribute of a user's object; mypy's own where the hook for it fails."""
    try:
        return field_of_run(ctx) or attribute_hook(ctx)
    except _harmless():
        return ctx.default_attr_type


def is_public(fullname: str) -> bool:
    """Whether it is a function, class or method of typegrad for users."""
    name = fullname.rpartition(".")[2]
    return fullname.startswith(OWN) and (name == "__call__" or not name.startswith("_"))


def function_signature(ctx: FunctionSigContext, fullname: str) -> CallableType:
    """The signature of a function of typegrad. Calls that fit no overload are reported here."""
    if _is_replaced(ctx):
        return ctx.default_signature
    try:
        shaped = gradients_signature(ctx) if fullname == GRADIENTS else None
        return checked_call(ctx, fullname) or shaped or of_stated_type(ctx, library_signature(ctx, fullname))
    except _harmless():
        return ctx.default_signature


def own_signature(ctx: FunctionSigContext | MethodSigContext, fullname: str, parameters: Parameters) -> CallableType:
    """The signature of a user's function. Arguments in the wrong order are reported here."""
    with suppress(*_harmless()):
        wrong = checked_order(ctx, fullname)
        if wrong is not None:
            return wrong
    if parameters.changes_signature:
        return generic_signature(ctx, parameters)
    with suppress(*_harmless()):
        return common_signature(ctx)
    return ctx.default_signature
