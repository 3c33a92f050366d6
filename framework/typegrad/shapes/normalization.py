"""Shape functions of `ops/normalization.yaml`."""

from __future__ import annotations

from functools import reduce

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Dim, Shape, merge, merge_dim
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import agreed, channel_axis

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
    x, channels = _with_channels(op, "x", x, ("scale", "offset", *(statistics if are_read else ())))
    return x, *[Shape((channels,))] * 4, _NONE


def fused_batch_norm_grad_v3(op: OpView) -> tuple[Shape, ...]:
    """The batch, and a vector over its channels for the scale and for the offset."""
    x, grad = _batch(op, "x"), _batch(op, "y_backprop")
    try:
        x = merge(x, grad)
    except ShapeError:
        raise ShapeError(f"`y_backprop` {grad} must have the shape of `x` {x}") from None
    x, channels = _with_channels(op, "x", x, ("scale", "reserve_space1", "reserve_space2"))
    return x, Shape((channels,)), Shape((channels,)), _NONE, _NONE


def batch_norm_with_global_normalization(op: OpView) -> Shape:
    """The batch."""
    return _with_channels(op, "t", op.rank("t", 4), ("m", "v", "beta", "gamma"))[0]


def batch_norm_with_global_normalization_grad(op: OpView) -> tuple[Shape, ...]:
    """The batch, and vectors over its channels."""
    t, channels = _with_channels(op, "t", agreed(op, "backprop", op.rank("t", 4)), ("m", "v", "gamma"))
    return t, *[Shape((channels,))] * 4


def lrn(op: OpView) -> Shape:
    """The images."""
    _check_radius(op)
    return op.rank("input", 4)


def lrn_grad(op: OpView) -> Shape:
    """The images: all inputs have their shape."""
    _check_radius(op)
    return agreed(op, "output_image", agreed(op, "input_grads", op.rank("input_image", 4)))


def _check_radius(op: OpView) -> None:
    radius = op.attr("depth_radius")
    if not 0 <= radius < 2**31:
        raise AttributeValueError(f"`depth_radius` must be from 0 to {2**31 - 1}, but is {radius}")


def _batch(op: OpView, name: str) -> Shape:
    return op.rank(name, len(op.attr("data_format")))


def _with_channels(op: OpView, batch: str, x: Shape, names: tuple[str, ...]) -> tuple[Shape, Dim]:
    """The shape of a batch, and the number of its channels, which is the length of all of these vectors."""
    data_format = op.attrs.get("data_format", "NHWC")
    axis, dims = channel_axis(op) if "data_format" in op.attrs else 3, x.known()
    lengths = [op.rank(name, 1).known()[0] for name in names]
    for name, length in zip(names, lengths, strict=True):
        try:
            merge_dim(dims[axis], length)
        except ShapeError:
            raise ShapeError(
                f"`{name}` has {counted(length, 'element')}, but must have one for each of the {dims[axis]} channels "
                f"of `{batch}` {x} ({data_format}: axis {axis})"
            ) from None
    channels = reduce(merge_dim, lengths, dims[axis])
    return Shape((*dims[:axis], channels, *dims[axis + 1 :])), channels
