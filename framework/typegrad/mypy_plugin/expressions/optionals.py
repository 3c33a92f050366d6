"""Operands that may be None, such as gradients, as the sides of operators: one error for each operator."""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import NoneType, ProperType, TupleType, Type, UnionType, flatten_nested_unions, get_proper_type

from typegrad.graph.tensors import NO_GRADIENT
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.codes import DTYPE
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.calls.gradients import GRADIENTS
from typegrad.mypy_plugin.expressions.refusals import type_of
from typegrad.mypy_plugin.values.following import bound_to

__all__ = ["refuse_optional", "refuse_optional_parts", "remedy_of_none"]

_NONE: Final = "{} may be None, which has no operators; {}"
_CHECK: Final = "check that {} is not None first"
_OF_CALL: Final = "tg.grad returns one that is not"


def refuse_optional(api: CheckerPluginInterface, operation: OpExpr | UnaryExpr) -> None:
    """Report an operator of an operand that may be None."""
    sides = ("left", "right") if isinstance(operation, OpExpr) else ("expr",)
    exprs: list[Expression] = [getattr(operation, side) for side in sides]
    present = [_without_none(api, expr) for expr in exprs]
    position = next((position for position, type_ in enumerate(present) if type_ is not None), None)
    if position is None:
        return
    side = exprs[position]
    report(api, DTYPE, _told(api, side), operation)
    for attribute, expr, type_ in zip(sides, exprs, present, strict=True):
        if type_ is not None:
            setattr(operation, attribute, cast_to(expr, type_))


def refuse_optional_parts(api: CheckerPluginInterface, generator: GeneratorExpr) -> None:
    """Report `g * 0.1` of the `g` in `[g * 0.1 for g in gradients]`, where one may be None."""
    operation, index, parts = generator.left_expr, generator.indices[0], generator.sequences[0]
    is_narrowed = len(generator.indices) > 1 or any(generator.condlists)
    if is_narrowed or not isinstance(index, NameExpr) or not isinstance(parts, (MemberExpr, NameExpr)):
        return
    type_ = type_of(api, parts)
    iterable = base_of(type_, "typing.Iterable")
    items = type_.items if isinstance(type_, TupleType) else [] if iterable is None else [iterable.args[0]]
    present = _present(get_proper_type(UnionType.make_union(flatten_nested_unions(items))))
    for side in ("left", "right") if present is not None and isinstance(operation, OpExpr) else ():
        expr = getattr(operation, side)
        if present is not None and isinstance(expr, NameExpr) and expr.node is index.node:
            report(api, DTYPE, f"{_NONE.format(index.name, _CHECK.format(index.name))}{_hint(api, parts)}", operation)
            setattr(operation, side, cast_to(expr, present))
            return


def _told(api: CheckerPluginInterface, side: Expression) -> str:
    """What is said of a side of an operator."""
    return _NONE.format("a gradient" if _is_gradient(side) else _name(side), remedy_of_none(api, side))


def remedy_of_none(api: CheckerPluginInterface, expr: Expression) -> str:
    """What to do with an operand that may be None."""
    if _is_gradient(expr):
        return f"{_OF_CALL}; {NO_GRADIENT}"
    return _CHECK.format(_name(expr)) + _hint(api, expr.base if isinstance(expr, IndexExpr) else expr)


def _is_gradient(expr: Expression) -> bool:
    """Whether an expression is an item of what `tg.gradients` returns there."""
    return isinstance(expr, IndexExpr) and _is_of_gradients(expr.base)


def _is_of_gradients(expr: Expression | None) -> bool:
    callee = expr.callee if isinstance(expr, CallExpr) else None
    return isinstance(callee, RefExpr) and callee.fullname == GRADIENTS


def _hint(api: CheckerPluginInterface, expr: Expression) -> str:
    """What to do instead where an expression is bound to what `tg.gradients` returned, or to an item of it."""
    bound = bound_to(api, expr)
    if bound is not None and bound.path and isinstance(bound.expr, NameExpr):  # `dw, db = gradients`
        bound = bound_to(api, bound.expr)
    return f"; {NO_GRADIENT}" if bound is not None and _is_of_gradients(bound.expr) else ""


def _name(expr: Expression) -> str:
    """The text of a name, an attribute or an item."""
    if isinstance(expr, IndexExpr) and isinstance(expr.index, IntExpr):
        return f"{source_of(expr.base)}[{expr.index.value}]"
    return source_of(expr)


def _without_none(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The type of an operand that may be None, without None; None for anything else.

    An item is looked at only if it is an item of a tuple in a variable, or a gradient: others cost too much.
    """
    if isinstance(expr, IndexExpr) and not _is_gradient(expr):
        if not isinstance(expr.base, NameExpr) or not isinstance(type_of(api, expr.base), TupleType):
            return None
    elif not isinstance(expr, (IndexExpr, MemberExpr, NameExpr)):
        return None
    return _present(type_of(api, expr))


def _present(type_: ProperType) -> Type | None:
    """A union of operands and None, without None; None for any other type."""
    items = [get_proper_type(item) for item in type_.items] if isinstance(type_, UnionType) else []
    operands = [item for item in items if not isinstance(item, NoneType)]
    if len(operands) == len(items) or not operands or any(base_of(item, OPERAND) is None for item in operands):
        return None
    return UnionType.make_union(operands)
