"""The result types of `tg.gradients`, of the types and shapes of the xs; gradients that cannot exist or do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeGuard

from mypy.errorcodes import ErrorCode
from mypy.nodes import ARG_POS, CallExpr, Expression, ListExpr, RefExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext, MethodContext
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type
from mypy.types_utils import remove_optional

from typegrad.base.errors import ShapeError
from typegrad.base.shape import merge
from typegrad.base.types import TComplex, TFloating
from typegrad.graph.definition import leaves
from typegrad.graph.explain import NO_GRADIENT
from typegrad.mypy_plugin.arguments.passed import type_of_argument
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.codes import DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.dtypes import leaf_of, leaves_of, type_name
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.types.symbols import any_tuple, instance
from typegrad.mypy_plugin.values.arguments import Argument, arguments, listed
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["GRAD", "GRADIENTS", "apply_hook", "grad_hook", "gradients_hook", "gradients_signature"]

GRAD: Final = "typegrad.differentiation.api.grad"
GRADIENTS: Final = "typegrad.differentiation.api.gradients"
_OF_ANY_LENGTH: Final = ("builtins.tuple", "typing.Sequence")
_CARRIERS: Final = leaves(TFloating, TComplex)


def gradients_signature(ctx: FunctionSigContext) -> CallableType:
    """The signature of an overload for lists, which also takes a `Sequence`, and a tuple of any length.

    A tuple of known length must not fit it: mypy would find the call ambiguous.
    """
    signature = ctx.default_signature
    position = signature.arg_names.index("xs")
    xs = type_of_argument(ctx.api, ctx.args[position][0]) if ctx.args[position] else None
    is_open = isinstance(get_proper_type(signature.arg_types[position]), UnionType)
    if not is_open or not isinstance(xs, Instance) or xs.type.fullname not in _OF_ANY_LENGTH:
        return signature
    item = get_proper_type(xs.args[0])
    if not isinstance(item, AnyType) and base_of(item, OPERAND) is None:
        return signature
    types = [xs if each == position else type_ for each, type_ in enumerate(signature.arg_types)]
    return signature.copy_modified(arg_types=types)


def gradients_hook(ctx: FunctionContext) -> Type:
    """The gradients with respect to a tuple, a list display or any list."""
    positions = {name: position for position, name in enumerate(ctx.callee_arg_names) if ctx.args[position]}
    expr, type_ = ctx.args[positions["xs"]][0], get_proper_type(ctx.arg_types[positions["xs"]][0])
    if is_plain(expr):
        items: Sequence[Type] = [expression_type(ctx.api, item) for item in expr.items]
    elif isinstance(type_, TupleType):
        items = type_.items
    else:
        return _of_any_number(ctx, type_, positions)
    outputs = [_gradient(ctx, item, positions) for item in items]
    known = [item for item in outputs if item is not None]
    return ctx.default_return_type if len(known) < len(outputs) else TupleType(known, any_tuple(ctx.api))


def _of_any_number(ctx: FunctionContext, xs: Type, positions: dict[str | None, int]) -> Type:
    """The gradients with respect to a list, of what its items have in common."""
    listed = base_of(xs, "typing.Sequence")
    gradient = None if listed is None else _gradient(ctx, listed.args[0], positions)
    whole = ctx.default_return_type
    return whole if gradient is None else ctx.api.named_generic_type("builtins.tuple", [gradient])


def grad_hook(ctx: FunctionContext) -> Type:
    """Report an element type without gradients, for which there is always an error."""
    args = arguments(ctx)
    ends = [each for each in (args["y"], args["x"]) if each.expr is not None]
    names = [source_of(each.expr) for each in ends if each.expr is not None]
    for name, each in zip(names, ends, strict=True):
        known = base_of(each.type, OPERAND) or base_of(each.type, VARIABLE)
        leaves = None if known is None else leaves_of(known.args[0])
        if known is not None and leaves is not None and leaves.isdisjoint(_CARRIERS):
            reason = f"{name} is {type_name(known.args[0])}, {NO_GRADIENT}"
            report(ctx.api, DTYPE, f"grad: no gradient flows from {names[0]} to {names[-1]}: {reason}", ctx.context)
            break
    return ctx.default_return_type


def _gradient(ctx: FunctionContext, x: Type, positions: dict[str | None, int]) -> Type | None:
    """The type of a gradient, which may be an `IndexedSlices`, or None where x is not connected."""
    known = base_of(x, OPERAND) or base_of(x, VARIABLE)
    if known is None:
        return None
    gradient = instance(ctx.api, OPERAND, known.args)
    return gradient if _zeros(ctx, positions) else UnionType.make_union([gradient, NoneType()])


def _zeros(ctx: FunctionContext, positions: dict[str | None, int]) -> bool:
    """Whether gradients of unconnected xs are zeros instead of None."""
    position = positions.get("unconnected_gradients")
    return position is not None and evaluate(ctx.api, ctx.args[position][0], ctx.arg_types[position][0]) == "zero"


def apply_hook(ctx: MethodContext) -> Type:
    """Check the (gradient, variable) pairs of `apply_gradients`."""
    pairs = arguments(ctx)["grads_and_vars"].expr
    if pairs is not None:
        for gradient, variable in _pairs(ctx.api, pairs):
            problem = _wrong_pair(gradient, variable)
            if problem is not None:  # the others may be wrong by the same mistake
                report(ctx.api, *problem, gradient.expr or pairs)
                break
    return ctx.default_return_type


def _pairs(api: CheckerPluginInterface, expr: Expression) -> Iterator[tuple[Argument, Argument]]:
    """The pairs of `[(grad, w)]`, `zip(grads, [w])` and `list(zip(grads, [w]))`."""
    if isinstance(expr, (TupleExpr, ListExpr)):
        for pair in expr.items:
            if isinstance(pair, TupleExpr) and len(pair.items) == 2:
                gradient, variable = (Argument(each, expression_type(api, each)) for each in pair.items)
                yield gradient, variable
    elif _calls(expr, "builtins.list", 1):
        yield from _pairs(api, expr.args[0])
    elif _calls(expr, "builtins.zip", 2):
        gradients, variables = (listed(api, _value(api, each)) for each in expr.args[:2])
        if not any(each.is_many for each in (*gradients, *variables)):
            yield from zip(gradients, variables, strict=False)  # as the program does


def _calls(expr: Expression, fullname: str, count: int) -> TypeGuard[CallExpr]:
    """Whether an expression calls a function with so many arguments by position."""
    if not isinstance(expr, CallExpr) or not isinstance(expr.callee, RefExpr):
        return False
    return expr.callee.fullname == fullname and expr.arg_kinds.count(ARG_POS) == count


def _value(api: CheckerPluginInterface, expr: Expression) -> Argument:
    return Argument(only_value(api, expr) or expr, expression_type(api, expr))


def _wrong_pair(gradient: Argument, variable: Argument) -> tuple[ErrorCode, str] | None:
    """The error of a gradient that is not of its variable."""
    operand = operand_of(remove_optional(get_proper_type(gradient.type)))
    target = base_of(variable.type, VARIABLE)
    if operand is None or target is None:
        return None
    name = "the variable" if variable.expr is None else source_of(variable.expr)
    leaves = leaf_of(operand.dtype), leaf_of(target.args[0])
    if None not in leaves and leaves[0] is not leaves[1]:
        message = f"{name} is {type_name(target.args[0])} but its gradient is {type_name(operand.dtype)}"
        return DTYPE, f"apply_gradients: {message}; cast one with dtypes.Cast"
    own = shape_of(target.args[1]).shape
    try:
        merge(own, operand.static.shape)
    except ShapeError:
        message = f"{name} has shape {own}, but its gradient has shape {operand.static.shape}"
        return SHAPE, f"apply_gradients: {message}"
    return None
