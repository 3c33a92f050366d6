"""Gradients of `ops/morphology.yaml`."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from typegrad.base.types import TInt32
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Gather, OneHot, Range, Reshape, Select, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Transpose
from typegrad.op.math import ArgMax, LogicalAnd, Maximum, Minimum
from typegrad.op.nn import Dilation2d, Dilation2dBackpropFilter, Dilation2dBackpropInput
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import Size, size_between, vector

_Backprop: TypeAlias = Dilation2dBackpropInput[F] | Dilation2dBackpropFilter[F]


def dilation2d(scope: Scope, op: Dilation2d[F], grad: Output[F]) -> Gradients:
    """The elements of the first of the largest sums of each window get the gradient of the window."""
    own = op.inputs
    return (
        lambda: Dilation2dBackpropInput.create(scope, own.input, own.filter, grad, own.strides, own.rates, own.padding),
        lambda: Dilation2dBackpropFilter.create(
            scope, own.input, own.filter, grad, own.strides, own.rates, own.padding
        ),
    )


def dilation2d_backprop_input(scope: Scope, op: Dilation2dBackpropInput[F], grad: Output[F]) -> Gradients:
    """For each window, the gradient of the chosen element of the image."""
    windows = _Windows(scope, op)
    return Sum.create(scope, windows.seen(grad) * windows.chosen(), 3)


def dilation2d_backprop_filter(scope: Scope, op: Dilation2dBackpropFilter[F], grad: Output[F]) -> Gradients:
    """For each window, the gradient of the chosen element of the filter."""
    windows = _Windows(scope, op)
    return Sum.create(scope, windows.of_filter(grad) * windows.chosen(), 3)


class _Windows:
    """What filters see at each position, as arrays [batch, rows, columns, elements of the filter, channels]."""

    def __init__(self, scope: Scope, op: _Backprop[Any]) -> None:
        inputs = op.inputs
        self._scope, self._x, self._filter, self._grad = scope, inputs.input, inputs.filter, inputs.out_backprop
        self._axes = [self._along(axis, inputs.strides[axis], inputs.rates[axis], inputs.padding) for axis in (1, 2)]

    def _size(self, x: AnyOutput, axis: int) -> Size:
        return size_between(self._scope, x, axis, axis + 1)

    def _along(self, axis: int, stride: int, rate: int, padding: str) -> tuple[Operand[TInt32], AnyOperand]:
        """The indices along an axis under each element of the filter at each position, and whether they are inside."""
        scope, count = self._scope, self._size(self._grad, axis)
        window, length = self._size(self._filter, axis - 1), self._size(self._x, axis)
        starts = Range.create(scope, 0, count, 1) * stride
        edge: Size = 0
        if padding == "SAME":
            beyond = (count - 1) * stride + (window - 1) * rate + 1 - length
            edge = max(beyond, 0) // 2 if isinstance(beyond, int) else Maximum.create(scope, beyond, 0) // 2
        indices = ExpandDims.create(scope, starts, 1) + (Range.create(scope, 0, window, 1) * rate - edge)
        is_inside = LogicalAnd.create(scope, indices >= 0, indices < length)
        last = Maximum.create(scope, length - 1, 0)
        return Minimum.create(scope, Maximum.create(scope, indices, 0), last), is_inside

    def _shape(self) -> Any:
        grad, kernel = self._grad, self._filter
        sizes = [self._size(grad, axis) for axis in range(3)]
        elements = size_between(self._scope, kernel, 0, 2)
        return vector(self._scope, [*sizes, elements, self._size(kernel, 2)])

    def seen(self, x: Operand[F]) -> Operand[F]:
        """The elements of images under the filter; outside, the ones at the edge."""
        scope, (rows, columns) = self._scope, (indices for indices, _ in self._axes)
        by_row = Gather.create(scope, x, rows, 1)
        by_both = Gather.create(scope, by_row, columns, 3)
        return Reshape.create(scope, Transpose.create(scope, by_both, [0, 1, 3, 2, 4, 5]), self._shape())

    def of_filter(self, kernel: Operand[F]) -> Operand[F]:
        """The elements of the filter, [1, 1, 1, elements, channels]."""
        scope, own = self._scope, self._filter
        sizes = [1, 1, 1, size_between(scope, own, 0, 2), self._size(own, 2)]
        return Reshape.create(scope, kernel, vector(scope, sizes))

    def chosen(self) -> AnyOperand:
        """1 at the first of the largest sums of each window, 0 elsewhere."""
        scope, (rows, columns) = self._scope, (is_inside for _, is_inside in self._axes)
        # [rows, height] and [columns, width] to [rows, columns, height, width]
        rows = ExpandDims.create(scope, ExpandDims.create(scope, rows, 1), 3)
        by_axes = LogicalAnd.create(scope, rows, ExpandDims.create(scope, columns, 1))
        elements = size_between(scope, self._filter, 0, 2)
        sizes = [self._size(self._grad, 1), self._size(self._grad, 2), elements, 1]
        inside = Reshape.create(scope, by_axes, vector(scope, sizes))
        sums = self.seen(self._x) + self.of_filter(self._filter)
        is_candidate = LogicalAnd.create(scope, inside, sums > -math.inf)
        first = ArgMax.create(scope, Select.create(scope, is_candidate, sums, -math.inf), 3, TInt32)
        return Cast.create(scope, OneHot.create(scope, first, elements, True, False, axis=3), self._x.dtype)
