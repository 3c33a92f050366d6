"""Shape functions of `ops/normalization.yaml`."""

from __future__ import annotations

from functools import reduce

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, merge, merge_dim
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import channel_axis

_NONE = Shape((0,))
"""The shape of outputs that hold nothing."""


def fused_batch_norm_v3(op: OpView) -> tuple[Shape, ...]:
    """The batch, and vectors over its channels."""
    x = _batch(op, "x")
    statistics = ("mean", "variance")
    are_read = not op.attr("is_training") or op.attr("exponential_avg_factor") != 1
    if not are_read:
        for name in statistics:
            op.rank(name, 1)
    x, channels = _with_channels(op, x, ("scale", "offset", *(statistics if are_read else ())))
    return x, *[Shape((channels,))] * 4, _NONE


def fused_batch_norm_grad_v3(op: OpView) -> tuple[Shape, ...]:
    """The batch, and a vector over its channels for the scale and for the offset."""
    x, grad = _batch(op, "x"), _batch(op, "y_backprop")
    try:
        x = merge(x, grad)
    except ShapeError:
        raise ShapeError(f"`y_backprop` {grad} must have the shape of `x` {x}") from None
    x, channels = _with_channels(op, x, ("scale", "reserve_space1", "reserve_space2"))
    return x, Shape((channels,)), Shape((channels,)), _NONE, _NONE


def _batch(op: OpView, name: str) -> Shape:
    return op.rank(name, len(op.attr("data_format")))


def _with_channels(op: OpView, x: Shape, names: tuple[str, ...]) -> tuple[Shape, Dim]:
    """The batch and its channels, of which all of these vectors have an element each."""
    axis, dims = channel_axis(op), x.known()
    lengths = [op.rank(name, 1).known()[0] for name in names]
    for name, length in zip(names, lengths, strict=True):
        try:
            merge_dim(dims[axis], length)
        except ShapeError:
            raise ShapeError(
                f"`{name}` has {length} elements, but must have one for each of the {dims[axis]} channels of `x` {x} "
                f"({op.attr('data_format')}: axis {axis})"
            ) from None
    channels = reduce(merge_dim, lengths, dims[axis])
    return Shape((*dims[:axis], channels, *dims[axis + 1 :])), channels
