"""Shape functions of `ops/fused_convolution.yaml`: the ones of their parts, one after the other."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.convolution import conv2d
from typegrad.shapes.resize import check_pixels, new_size
from typegrad.shapes.tiling_and_padding import mirror_pad
from typegrad.shapes.view import OpView


def fused_pad_conv2d(op: OpView) -> Shape:
    """The convolution of the padded images."""
    return _padded_convolution(op, op.rank("input", 4))


def fused_resize_and_pad_conv2d(op: OpView) -> Shape:
    """The convolution of the resized and padded images."""
    batch, *pixel = op.rank("input", 4).known()
    check_pixels("input", op.shape("input"), pixel)
    return _padded_convolution(op, Shape((batch, *new_size(op), pixel[-1])))


def _padded_convolution(op: OpView, images: Shape) -> Shape:
    paddings = op.value("paddings")
    view = OpView({"input": images, "paddings": op.shape("paddings")}, {"paddings": paddings}, op.attrs)
    padded = mirror_pad(view)
    if isinstance(paddings, tuple) and any(
        width not in (0, None) for pair in (paddings[0], paddings[3]) for width in pair
    ):
        raise ShapeError(
            f"`paddings` must be 0 for the batch and the channels, but is {[list(pair) for pair in paddings]}"
        )
    attrs = {**op.attrs, "data_format": "NHWC", "dilations": (1, 1, 1, 1), "explicit_paddings": ()}
    return conv2d(OpView({"input": padded, "filter": op.shape("filter")}, {}, attrs))
