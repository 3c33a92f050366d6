"""Calls of `expect`: `x.expect(tg.TFloat32, (Batch, 10))` narrows the type of an operand."""

from __future__ import annotations

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import MethodContext
from mypy.types import Instance, Type, get_proper_type

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.mypy_plugin.calls import arguments
from typegrad.mypy_plugin.dims import shape_type
from typegrad.mypy_plugin.dtypes import class_argument, leaves_of, type_name
from typegrad.mypy_plugin.errors import DTYPE, SHAPE, report
from typegrad.mypy_plugin.evaluation import evaluate, shape_value
from typegrad.mypy_plugin.feeds import source_of
from typegrad.mypy_plugin.operands import operand_of
from typegrad.shapes.shape import ensured

__all__ = ["expect_hook"]


def expect_hook(ctx: MethodContext) -> Type:
    """The narrowed type; an error if the operand can never have it."""
    result, own, args = get_proper_type(ctx.default_return_type), operand_of(ctx.type), arguments(ctx)
    dtype = class_argument(args["dtype"].type)
    if own is None or dtype is None or not isinstance(result, Instance):
        return result
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    name = source_of(callee.expr) if isinstance(callee, MemberExpr) else "the operand"
    known, requested = leaves_of(own.dtype), leaves_of(dtype)
    if known is not None and requested is not None and not known & requested:
        message = f"expect: {name} is {type_name(own.dtype)}, not {type_name(dtype)}; cast it with dtypes.Cast"
        report(ctx.api, DTYPE, message, ctx.context)
    stated = UNKNOWN
    if "shape" in args:
        stated = shape_value(ctx.api, evaluate(ctx.api, args["shape"].expr, args["shape"].type))
    try:
        ensured(own.static.shape, stated)
    except ShapeError:
        report(ctx.api, SHAPE, f"expect: {name} has shape {own.static.shape}, which is never {stated}", ctx.context)
    found_type = shape_type(ctx.api, _narrowed(own.static.shape, stated), is_gradual=own.static.is_gradual)
    return result if found_type is None else result.copy_modified(args=[result.args[0], found_type])


def _narrowed(known: Shape, stated: Shape) -> Shape:
    """The stated shape, with known sizes where it states none."""
    if known.dims is None or stated.dims is None or len(known.dims) != len(stated.dims):
        return known if stated.dims is None else stated
    return Shape(tuple(a if b is None else b for a, b in zip(known.dims, stated.dims, strict=True)))
