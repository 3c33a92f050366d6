"""Gradients of `ops/fourier.yaml`. The transforms are linear: each is differentiated by its adjoint.

The adjoint of a complex transform is its inverse, but for the factor. Half of the frequencies of real numbers appear
twice in the whole transform, as conjugates; they have half the weight in the adjoint of RFFT, and twice in IRFFT's.
"""

from __future__ import annotations

import math
from typing import Any

from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import (
    OneHot,
    OnesLike,
    Prod,
    Range,
    Rank,
    Reshape,
    Select,
    Shape,
    Size,
    StridedSlice,
    StridedSliceGrad,
    ZerosLike,
)
from typegrad.op.dtypes import Cast
from typegrad.op.math import Equal, FloorDiv, FloorMod
from typegrad.op.signal import (
    Fft,
    Fft2d,
    Fft3d,
    FftNd,
    Ifft,
    Ifft2d,
    Ifft3d,
    IfftNd,
    Irfft,
    Irfft2d,
    Irfft3d,
    IrfftNd,
    Rfft,
    Rfft2d,
    Rfft3d,
    RfftNd,
)
from typegrad.rules.common import C, Gradients, N
from typegrad.rules.sizes import size_between


def fft(scope: Scope, op: Fft[C], grad: Output[C]) -> Gradients:
    return Ifft.create(scope, grad) * _size(scope, grad, 1)


def ifft(scope: Scope, op: Ifft[C], grad: Output[C]) -> Gradients:
    return Fft.create(scope, grad) / _size(scope, grad, 1)


def fft2d(scope: Scope, op: Fft2d[C], grad: Output[C]) -> Gradients:
    return Ifft2d.create(scope, grad) * _size(scope, grad, 2)


def ifft2d(scope: Scope, op: Ifft2d[C], grad: Output[C]) -> Gradients:
    return Fft2d.create(scope, grad) / _size(scope, grad, 2)


def fft3d(scope: Scope, op: Fft3d[C], grad: Output[C]) -> Gradients:
    return Ifft3d.create(scope, grad) * _size(scope, grad, 3)


def ifft3d(scope: Scope, op: Ifft3d[C], grad: Output[C]) -> Gradients:
    return Fft3d.create(scope, grad) / _size(scope, grad, 3)


def _size(scope: Scope, x: AnyOutput, count: int) -> int | AnyOperand:
    """How many elements are transformed together, at least 1, as a number of the type of `x`."""
    size = size_between(scope, x, -count, None)
    return max(size, 1) if isinstance(size, int) else Cast.create(scope, size, x.dtype)


def fftnd(scope: Scope, op: FftNd[C], grad: Output[C]) -> Gradients:
    inputs = op.inputs
    back = IfftNd.create(scope, grad, inputs.fft_length, inputs.axes)
    return _whole(scope, back * _product(scope, inputs.fft_length, grad), inputs.input)


def ifftnd(scope: Scope, op: IfftNd[C], grad: Output[C]) -> Gradients:
    inputs = op.inputs
    back = FftNd.create(scope, grad, inputs.fft_length, inputs.axes)
    return _whole(scope, back / _product(scope, inputs.fft_length, grad), inputs.input)


def rfft(scope: Scope, op: Rfft[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths = op.inputs.input, op.inputs.fft_length
    halved = grad / _weights(scope, lengths, grad)
    return _whole(scope, Irfft.create(scope, halved, lengths, x.dtype) * _product(scope, lengths, x), x)


def rfft2d(scope: Scope, op: Rfft2d[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths = op.inputs.input, op.inputs.fft_length
    halved = grad / _weights(scope, lengths, grad)
    return _whole(scope, Irfft2d.create(scope, halved, lengths, x.dtype) * _product(scope, lengths, x), x)


def rfft3d(scope: Scope, op: Rfft3d[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths = op.inputs.input, op.inputs.fft_length
    halved = grad / _weights(scope, lengths, grad)
    return _whole(scope, Irfft3d.create(scope, halved, lengths, x.dtype) * _product(scope, lengths, x), x)


def rfftnd(scope: Scope, op: RfftNd[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths, axes = op.inputs.input, op.inputs.fft_length, op.inputs.axes
    halved = grad / _along_last(scope, _weights(scope, lengths, grad), axes, grad)
    back = IrfftNd.create(scope, halved, lengths, axes, x.dtype)
    return _whole(scope, back * _product(scope, lengths, x), x)


def irfft(scope: Scope, op: Irfft[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths = op.inputs.input, op.inputs.fft_length
    back = Rfft.create(scope, grad / _product(scope, lengths, grad), lengths, x.dtype)
    return _whole(scope, back * _weights(scope, lengths, x), x)


def irfft2d(scope: Scope, op: Irfft2d[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths = op.inputs.input, op.inputs.fft_length
    back = Rfft2d.create(scope, grad / _product(scope, lengths, grad), lengths, x.dtype)
    return _whole(scope, back * _weights(scope, lengths, x), x)


def irfft3d(scope: Scope, op: Irfft3d[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths = op.inputs.input, op.inputs.fft_length
    back = Rfft3d.create(scope, grad / _product(scope, lengths, grad), lengths, x.dtype)
    return _whole(scope, back * _weights(scope, lengths, x), x)


def irfftnd(scope: Scope, op: IrfftNd[Any, Any], grad: AnyOutput) -> Gradients:
    x, lengths, axes = op.inputs.input, op.inputs.fft_length, op.inputs.axes
    back = RfftNd.create(scope, grad / _product(scope, lengths, grad), lengths, axes, x.dtype)
    return _whole(scope, back * _along_last(scope, _weights(scope, lengths, x), axes, x), x)


def _product(scope: Scope, lengths: AnyOutput, like: AnyOutput) -> int | AnyOperand:
    """How many elements are transformed together, as a number of the type of `like`."""
    if isinstance(known := lengths.static_value, tuple) and all(isinstance(length, int) for length in known):
        return math.prod(known)
    return Cast.create(scope, Prod.create(scope, lengths, 0), like.dtype)


def _weights(scope: Scope, lengths: AnyOutput, like: AnyOutput) -> AnyOperand:
    """How often each of the lower frequencies of the last dimension appears in the whole transform: once or twice."""
    length = StridedSlice.create(scope, lengths, [-1], [0], [1], end_mask=1, shrink_axis_mask=1)
    doubles = 2 * Range.create(scope, 0, FloorDiv.create(scope, length, 2) + 1, 1)
    is_alone = Equal.create(scope, FloorMod.create(scope, doubles, length), 0)
    return Cast.create(scope, Select.create(scope, is_alone, 1, 2), like.dtype)


def _along_last(scope: Scope, vector: AnyOperand, axes: AnyOutput, x: AnyOutput) -> AnyOperand:
    """A vector over the last of the axes of `x`."""
    rank = Rank.create(scope, x)
    axis = StridedSlice.create(scope, axes, [-1], [0], [1], end_mask=1, shrink_axis_mask=1)
    sizes = OneHot.create(scope, FloorMod.create(scope, axis, rank), rank, Size.create(scope, vector), 1)
    return Reshape.create(scope, vector, sizes)


def _whole(scope: Scope, grad: Operand[N], x: AnyOutput) -> Operand[N]:
    """The gradient of `x`, with zeros for what was not read."""
    if x.shape.is_static and grad.as_output().shape == x.shape:
        return grad
    shape = Shape.create(scope, x)
    begin, strides = ZerosLike.create(scope, shape), OnesLike.create(scope, shape)
    return StridedSliceGrad.create(scope, shape, begin, Shape.create(scope, grad), strides, grad)
