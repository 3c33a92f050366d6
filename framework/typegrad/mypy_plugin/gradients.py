"""`tg.gradients`: for each x, an output of its type and shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.nodes import ListExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.mypy_plugin.literals import evaluate, expression_type
from typegrad.mypy_plugin.operands import OPERAND, base_of
from typegrad.mypy_plugin.symbols import any_tuple, instance
from typegrad.mypy_plugin.variables import VARIABLE

__all__ = ["GRADIENTS", "gradients_hook"]

GRADIENTS: Final = "typegrad.gradients.api.gradients"
OUTPUT: Final = "typegrad.operand.Output"


def gradients_hook(ctx: FunctionContext) -> Type:
    """The gradients of a tuple or list that is written out."""
    given = {name: position for position, name in enumerate(ctx.callee_arg_names) if ctx.args[position]}
    expr, type_ = ctx.args[given["xs"]][0], get_proper_type(ctx.arg_types[given["xs"]][0])
    if isinstance(expr, (TupleExpr, ListExpr)) and not any(isinstance(item, StarExpr) for item in expr.items):
        items: Sequence[Type] = [expression_type(ctx.api, item) for item in expr.items]
    elif isinstance(type_, TupleType):
        items = type_.items
    else:
        return ctx.default_return_type
    found = [_output(ctx.api, item) for item in items]
    if None in found:
        return ctx.default_return_type
    outputs = [item for item in found if item is not None]
    if not _zeros(ctx, given):
        outputs = [UnionType.make_union([item, NoneType()]) for item in outputs]
    return TupleType(outputs, any_tuple(ctx.api))


def _output(api: CheckerPluginInterface, x: Type) -> Type | None:
    known = base_of(x, OPERAND) or base_of(x, VARIABLE)
    return None if known is None else instance(api, OUTPUT, known.args)


def _zeros(ctx: FunctionContext, given: dict[str | None, int]) -> bool:
    """Whether unconnected gradients are zeros rather than None."""
    position = given.get("unconnected_gradients")
    return position is not None and evaluate(ctx.api, ctx.args[position][0], ctx.arg_types[position][0]) == "zero"
