"""Shape functions of `ops/convolution_3d.yaml`."""

from __future__ import annotations

from typegrad.base.shape import Shape
from typegrad.shapes.convolution import check_elements, convolution, filter_gradient, input_gradient
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import sizes


def conv3d(op: OpView) -> Shape:
    """An element for each position of the filters, with a channel for each filter."""
    check_elements(op.rank("filter", 5))
    return convolution(op, 5)


def conv3d_backprop_input(op: OpView) -> Shape:
    """The requested shape."""
    return input_gradient(op, sizes(op, "input_sizes", 5))


def conv3d_backprop_filter(op: OpView) -> Shape:
    """The requested shape."""
    return filter_gradient(op, 5)
