"""Calls of `expect`: `x.expect(tg.TFloat32, (Batch, 10))` narrows the type of an operand."""

from __future__ import annotations

from typing import Any, Final

from mypy.errorcodes import ErrorCode
from mypy.expandtype import expand_type
from mypy.nodes import CallExpr, Context, EllipsisExpr, ListExpr, MemberExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, TypeType, get_proper_type

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.types import conversion, to_expect
from typegrad.mypy_plugin.arguments.passed import type_of_argument
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.codes import DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import Rest, StaticShape, any_rest, shape_type
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of, leaves_of, type_name
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import of_operator, report
from typegrad.mypy_plugin.calls.shape_variables import shape_variable
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.arguments import Argument, arguments
from typegrad.mypy_plugin.values.evaluation import evaluate, known_value, shape_value
from typegrad.shapes.shape import ensured

__all__ = ["expect_hook", "expect_signature"]

_ANY: Final = AnyType(TypeOfAny.special_form)


def expect_signature(ctx: MethodSigContext) -> CallableType:
    """The signature for what is stated: mypy would infer it from what the result is assigned to."""
    signature = ctx.default_signature
    dtype = class_argument(type_of_argument(ctx.api, ctx.args[0][0])) if ctx.args[0] else None
    result = get_proper_type(signature.ret_type)
    if not isinstance(dtype, Instance) or not isinstance(result, Instance):
        return signature
    types = [TypeType.make_normalized(dtype), *signature.arg_types[1:]]
    stated = result.copy_modified(args=[dtype, *result.args[1:]])
    of_shape = [each for each in signature.variables if leaves_of(each) is None]
    narrowed = signature.copy_modified(arg_types=types, ret_type=stated, variables=of_shape)
    like = dict(zip(signature.arg_names, ctx.args, strict=False)).get("like")
    operand = base_of(type_of_argument(ctx.api, like[0]), OPERAND) if like else None
    if operand is None or len(of_shape) != 1:
        return narrowed
    return expand_type(narrowed, {of_shape[0].id: operand.args[1]}).copy_modified(variables=[])


def _name(call: Context) -> str:
    """The text of the operand."""
    callee = call.callee if isinstance(call, CallExpr) else None
    return source_of(callee.expr) if isinstance(callee, MemberExpr) else "the operand"


def expect_hook(ctx: MethodContext) -> Type:
    """The narrowed type; an error if the operand can never have it."""
    result, own, args = get_proper_type(ctx.default_return_type), operand_of(ctx.type), arguments(ctx)
    dtype = class_argument(args["dtype"].type)
    if own is None or dtype is None or not isinstance(result, Instance):
        return result
    name = _name(ctx.context)
    known, requested = leaves_of(own.dtype), leaves_of(dtype)
    if known is not None and requested is not None and not known & requested:
        message = f"expect: {name} is {type_name(own.dtype)}, not {type_name(dtype)}"
        actual, expected = leaf_of(own.dtype), leaf_of(dtype)
        remedy = conversion("it", requested, known)
        if actual is not None and expected is not None:
            remedy = to_expect(expected, actual)
        _report(ctx, DTYPE, f"{message}; {remedy}")
        if ctx.api.type_context[-1] is not None:  # what it is for may be of the type that it is
            result = result.copy_modified(args=[_ANY, *result.args[1:]])
    variable = shape_variable(ctx.api, args["shape"].expr) if "shape" in args else None
    if variable is not None:
        return result.copy_modified(args=[result.args[0], variable])
    like = operand_of(args["like"].type) if "like" in args else None
    if like is not None and like.static.pattern is not None:
        return result
    stated = UNKNOWN if like is None else like.static.shape
    if "shape" in args:
        stated = _stated_shape(ctx.api, args["shape"], own.static)
    try:
        ensured(own.static.shape, stated)
    except ShapeError:
        _report(ctx, SHAPE, f"expect: {name} has shape {own.static.shape}, which is never {stated}")
        return result.copy_modified(args=[result.args[0], any_tuple(ctx.api)])
    found_type = shape_type(ctx.api, _narrowed(own.static.shape, stated), is_gradual=own.static.is_gradual)
    return result if found_type is None else result.copy_modified(args=[result.args[0], found_type])


def _report(ctx: MethodContext, code: ErrorCode, message: str) -> None:
    with of_operator(ctx.api):
        report(ctx.api, code, message, ctx.context)


def _stated_shape(api: CheckerPluginInterface, argument: Argument, own: StaticShape) -> Shape:
    """The stated shape; `...` is as many unknown dimensions as the operand has, or a `Rest` if that is unknown."""
    expr = argument.expr
    if not isinstance(expr, (TupleExpr, ListExpr)):
        return shape_value(api, evaluate(api, expr, argument.type))
    items: list[Any] = []
    for item in expr.items:
        is_rest = isinstance(item, EllipsisExpr)
        items.append(... if is_rest else known_value(api, item))
    if ... not in items:
        return shape_value(api, tuple(items))
    at, after = items.index(...), len(items) - items.index(...) - 1
    begin, end = (shape_value(api, tuple(part)).known() for part in (items[:at], items[at + 1 :]))
    if own.shape.dims is not None:
        return Shape((*begin, *(None,) * (len(own.shape.dims) - at - after), *end))
    known = own.pattern.known() if own.pattern is not None and not begin else ()
    lead = known[: len(known) - after]
    is_told = len(known) > after and not any(isinstance(dim, Rest) for dim in known[len(lead) :])
    return Shape((*(lead if is_told else (*begin, any_rest(api))), *end))


def _narrowed(known: Shape, stated: Shape) -> Shape:
    """The stated shape, with known sizes where it states none."""
    if known.dims is None or stated.dims is None or len(known.dims) != len(stated.dims):
        return known if stated.dims is None else stated
    return Shape(tuple(a if b is None else b for a, b in zip(known.dims, stated.dims, strict=True)))
