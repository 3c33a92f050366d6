"""Indices of arrays whose shape is known, as of `session.run(y)[0, 1]`."""

from __future__ import annotations

from typing import Final

from mypy.nodes import EllipsisExpr, Expression, IndexExpr, SliceExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import Instance, NoneType, Type, get_proper_type

from typegrad.base.brief import counted
from typegrad.base.shape import UNKNOWN
from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.base.codes import SHAPE
from typegrad.mypy_plugin.base.operands import ARRAY, base_of
from typegrad.mypy_plugin.base.reporting import report_anyway
from typegrad.mypy_plugin.values.evaluation import known_value
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["ARRAY_ITEM", "array_item_hook"]

ARRAY_ITEM: Final = f"{ARRAY}.__getitem__"


def array_item_hook(ctx: MethodContext) -> Type:
    """Report more indices than an array has dimensions, and an index out of range."""
    array, expr = base_of(ctx.type, ARRAY), ctx.context
    if array is None or not isinstance(expr, IndexExpr):
        return ctx.default_return_type
    known = array_of(ctx.api, expr.base, array)
    shape = UNKNOWN if known is None else known.shape
    if shape.dims is None:
        return ctx.default_return_type
    indices = expr.index.items if isinstance(expr.index, TupleExpr) else [expr.index]
    used = [each for each in indices if not isinstance(each, EllipsisExpr) and not _is_new(ctx.api, each)]
    if not all(_is_plain(ctx.api, each) for each in used):
        return ctx.default_return_type
    if len(used) > len(shape.dims):
        count = counted(len(shape.dims), "dimension")
        report_anyway(ctx.api, SHAPE, f"the array of shape {shape} has {count}, but {len(used)} are indexed", expr)
    elif len(used) == len(indices):
        for axis, (index, size) in enumerate(zip(indices, shape.dims, strict=False)):
            value = known_value(ctx.api, index)
            if type(value) is int and type(size) is int and not -size <= value < size:
                message = f"index {value} is out of range for dimension {axis} of an array of shape {shape}"
                report_anyway(ctx.api, SHAPE, message, expr)
    return ctx.default_return_type


def _is_new(api: CheckerPluginInterface, index: Expression) -> bool:
    """Whether an index is None, which makes a dimension."""
    return isinstance(get_proper_type(expression_type(api, index)), NoneType)


def _is_plain(api: CheckerPluginInterface, index: Expression) -> bool:
    """Whether an index is an integer or a slice, which take one dimension each."""
    type_ = get_proper_type(expression_type(api, index))
    return isinstance(index, SliceExpr) or (isinstance(type_, Instance) and type_.type.fullname == "builtins.int")
