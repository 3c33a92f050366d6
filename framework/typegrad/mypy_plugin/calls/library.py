"""Calls of typegrad's own functions and methods that are no operations: losses, metrics, initializers and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from attrs import frozen
from mypy.nodes import ARG_STAR, CallExpr, Expression, FloatExpr, FuncDef, ListExpr, TupleExpr
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.types import (
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    Overloaded,
    TupleType,
    Type,
    TypeVarType,
    flatten_nested_unions,
    get_proper_type,
)

from typegrad.arguments.instead import of_labels
from typegrad.base.brief import brief
from typegrad.base.types import TIntegral, TType, allowed_names, conversion
from typegrad.graph.operator_table import shape_instead
from typegrad.mypy_plugin.arguments.passed import type_of_argument
from typegrad.mypy_plugin.arguments.wrong_calls import accepting_anything, called_as
from typegrad.mypy_plugin.base.codes import DTYPE
from typegrad.mypy_plugin.base.dtypes import leaf_of, leaves_of, type_name
from typegrad.mypy_plugin.base.memory import OncePerCall
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.static_values import has_fractions

__all__ = ["library_signature"]

_Context: TypeAlias = MethodSigContext | FunctionSigContext


@frozen
class _Wrong:
    """An argument of an element type that its parameter does not take."""

    name: str
    element: Type
    allowed: frozenset[type[TType]]

    def fits(self, other: _Wrong) -> bool:
        """Whether the parameter of the other argument takes this one."""
        return (leaves_of(self.element) or frozenset()) <= other.allowed


def library_signature(ctx: _Context, fullname: str) -> CallableType:
    """The signature of a function. Element types that no type variable of it may have are reported.

    mypy alone says which type variable cannot have which value, a name that the program does not contain.
    """
    is_wrong = _mistakes.get(ctx, lambda: _report_element_types(ctx, fullname))
    return accepting_anything(ctx.default_signature) if is_wrong else ctx.default_signature


_mistakes: Final = OncePerCall[bool]()


def _report_element_types(ctx: _Context, fullname: str) -> bool:
    """Report an element type that a parameter does not take; return whether there is one."""
    limits = list(_limits(ctx)) if ctx.default_signature.variables else []
    wrong = list(_wrong_elements(ctx, limits))
    called = called_as(ctx, fullname)
    text = _message(called, wrong) if wrong else next(_wrong_numbers(ctx, limits), "") or next(_different(ctx), "")
    if text:
        report(ctx.api, DTYPE, f"{called}: {text}", ctx.context)
    return bool(text)


@frozen
class _Limit:
    """An argument whose parameter takes operands of a few element types."""

    name: str
    expr: Expression
    allowed: frozenset[type[TType]]


def _limits(ctx: _Context) -> Iterator[_Limit]:
    overloads = _overloads(ctx)
    for name, exprs in zip(ctx.default_signature.arg_names, ctx.args, strict=True):
        declared = [dict(zip(each.arg_names, each.arg_types, strict=True)).get(name) for each in overloads]
        choices = [None if each is None else _allowed(each) for each in declared]
        known = [each for each in choices if each is not None]
        allowed = frozenset[type[TType]]().union(*known)
        if name and len(exprs) == 1 and allowed and len(known) == len(choices):
            yield _Limit(name, exprs[0], allowed)


def _wrong_elements(ctx: _Context, limits: Sequence[_Limit]) -> Iterator[_Wrong]:
    for each in limits:
        operand = base_of(type_of_argument(ctx.api, each.expr), OPERAND)
        leaves = None if operand is None else leaves_of(operand.args[0])
        if operand is not None and leaves is not None and not leaves <= each.allowed:
            yield _Wrong(each.name, operand.args[0], each.allowed)


def _wrong_numbers(ctx: _Context, limits: Sequence[_Limit]) -> Iterator[str]:
    """The error messages for floats in the place of integers."""
    for each in limits:
        takes_integers = all(issubclass(leaf, TIntegral) for leaf in each.allowed)
        if takes_integers and isinstance(each.expr, (FloatExpr, ListExpr, TupleExpr)):
            value = evaluate(ctx.api, each.expr, type_of_argument(ctx.api, each.expr))
            if has_fractions(value):
                yield f"{each.name} must be integers, not {brief(value)}"


def _different(ctx: _Context) -> Iterator[str]:
    """The error messages for operands of several element types in one parameter like `*vectors`, which takes one."""
    own = ctx.default_signature
    for name, kind, type_, exprs in zip(own.arg_names, own.arg_kinds, own.arg_types, ctx.args, strict=True):
        operand = base_of(type_, OPERAND) if kind is ARG_STAR else None
        takes_one = operand is not None and isinstance(get_proper_type(operand.args[0]), TypeVarType)
        operands = [operand_of(type_of_argument(ctx.api, each)) for each in exprs] if takes_one else []
        leaves = [None if each is None else leaf_of(each.dtype) for each in operands]
        for position, leaf in enumerate(leaves):
            if leaf is not None and leaves[0] not in (None, leaf):
                types = f"{name}[0] is {leaves[0].name}, but {name}[{position}] is {leaf.name}"
                yield f"{types}; cast one with dtypes.Cast"


def _overloads(ctx: _Context) -> list[CallableType]:
    """The signatures that a call may fit."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if isinstance(ctx.default_signature.definition, FuncDef) or callee is None:
        return [ctx.default_signature]
    type_ = get_proper_type(expression_type(ctx.api, callee))
    return list(type_.items) if isinstance(type_, Overloaded) else []


def _allowed(declared: Type) -> frozenset[type[TType]] | None:
    """The element types of the operands that a parameter takes; None if they are not known."""
    leaves = [_leaves(each) for each in flatten_nested_unions([declared])]
    known = [each for each in leaves if each is not None]
    return frozenset[type[TType]]().union(*known) if len(known) == len(leaves) else None


def _leaves(declared: Type) -> frozenset[type[TType]] | None:
    """The element types of the operands that are of a type; None if they are not known."""
    declared = get_proper_type(declared)
    if isinstance(declared, Instance) and declared.type.fullname == OPERAND:
        return leaves_of(declared.args[0])
    if not isinstance(declared, Instance):
        return frozenset() if isinstance(declared, (CallableType, LiteralType, NoneType, TupleType)) else None
    may_be_operand = declared.type.is_protocol or declared.type.fullname == "builtins.object"
    return None if may_be_operand or declared.type.has_base(OPERAND) else frozenset()


def _message(called: str, wrong: list[_Wrong]) -> str:
    """The error message for arguments of other element types than a function takes."""
    first = wrong[0]
    if len(wrong) == 2 and first.fits(wrong[1]) and wrong[1].fits(first):
        types = [type_name(each.element) for each in wrong]
        return f"{first.name} is {types[0]} and {wrong[1].name} is {types[1]}; swap them"
    actual, allowed = type_name(first.element), allowed_names(first.allowed)
    leaves = leaves_of(first.element) or ()
    remedy = shape_instead(first.name, leaves) or conversion("it", first.allowed, leaves)
    return f"{first.name} is {actual}, but must be {allowed}; {remedy}{of_labels(called, first.name)}"
