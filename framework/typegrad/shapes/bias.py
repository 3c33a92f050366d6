"""Shape functions of `ops/bias.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, merge_dim
from typegrad.shapes.view import OpView


def bias_add(op: OpView) -> Shape:
    """The shape of the value, with the bias as long as its channel axis."""
    value, bias = op.at_least("value", _least_rank(op)), op.rank("bias", 1)
    if value.dims is None:
        return value
    axis = _channel_axis(op, value.dims)
    try:
        channels = merge_dim(value.dims[axis], bias.known()[0])
    except ShapeError:
        raise ShapeError(
            f"`bias` {bias} must have an element for each of the {value.dims[axis]} channels of `value` {value} "
            f"({op.attr('data_format')}: axis {axis})"
        ) from None
    return Shape((*value.dims[:axis], channels, *value.dims[axis + 1 :]))


def _least_rank(op: OpView) -> int:
    return 3 if op.attr("data_format") == "NCHW" else 2


def _channel_axis(op: OpView, dims: tuple[Dim, ...]) -> int:
    return 1 if op.attr("data_format") == "NCHW" else len(dims) - 1


def bias_add_grad(op: OpView) -> Shape:
    """A vector over the channels."""
    dims = op.at_least("out_backprop", _least_rank(op)).dims
    return Shape((None if dims is None else dims[_channel_axis(op, dims)],))
