"""Gradients of `ops/patches.yaml`.

The patches of one channel are what a convolution makes with a filter for each element of the window, which is 1 there
and 0 elsewhere; the gradient is the one of this convolution, where channels are images of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from typegrad.base.types import TComplex, TComplex64, TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExtractVolumePatches, OneHot, Range, Reshape, ZerosLike
from typegrad.op.dtypes import Cast, Complex
from typegrad.op.image import ExtractImagePatches
from typegrad.op.linalg import Transpose
from typegrad.op.math import Imag, Real
from typegrad.op.nn import Conv2dBackpropInput, Conv3dBackpropInput
from typegrad.rules.common import F, Gradients, N
from typegrad.rules.sizes import Size, size_between, vector


def extract_image_patches(scope: Scope, op: ExtractImagePatches[F], grad: Output[F]) -> Gradients:
    inputs = op.inputs

    def accumulated(shape: Any, filters: AnyOperand, grad: AnyOperand) -> AnyOperand:
        return Conv2dBackpropInput.create(
            scope, shape, filters, grad, inputs.strides, inputs.padding, dilations=inputs.rates
        )

    if not issubclass(inputs.images.dtype, TComplex):
        return _moved_back(scope, inputs.images, inputs.ksizes, grad, accumulated)
    dtype = TFloat32 if inputs.images.dtype is TComplex64 else TFloat64
    parts = Real.create(scope, grad, dtype), Imag.create(scope, grad, dtype)
    real, imaginary = (_moved_back(scope, inputs.images, inputs.ksizes, part, accumulated) for part in parts)
    return Complex.create(scope, real, imaginary, inputs.images.dtype)


def extract_volume_patches(scope: Scope, op: ExtractVolumePatches[N], grad: Output[N]) -> Gradients:
    inputs = op.inputs

    def accumulated(shape: Any, filters: AnyOperand, grad: AnyOperand) -> AnyOperand:
        return Conv3dBackpropInput.create(scope, shape, filters, grad, inputs.strides, inputs.padding)

    return _moved_back(scope, inputs.input, inputs.ksizes, grad, accumulated)


def _moved_back(scope: Scope, x: AnyOutput, ksizes: Sequence[int], grad: AnyOperand, accumulated: Any) -> AnyOperand:
    """The gradients of patches, accumulated at the elements that they were taken from."""
    window = ksizes[1:-1]
    count, rank = math.prod(window), len(window)
    batch, *space, channels = (size_between(scope, x, axis, axis + 1) for axis in range(rank + 2))
    positions = [size_between(scope, grad.as_output(), axis, axis + 1) for axis in range(1, rank + 1)]
    if 0 in positions:
        return ZerosLike.create(scope, x)
    images = batch * channels
    by_element = Reshape.create(scope, grad, vector(scope, [batch, *positions, count, channels]))
    first = Transpose.create(scope, by_element, [0, rank + 2, *range(1, rank + 2)])
    rows = Reshape.create(scope, first, vector(scope, [images, *positions, count]))
    identity = Cast.create(scope, OneHot.create(scope, Range.create(scope, 0, count, 1), count, 1, 0), grad.dtype)
    filters = Reshape.create(scope, identity, [*window, 1, count])
    shape: list[Size] = [images, *space, 1]
    back = accumulated(vector(scope, shape), filters, rows)
    apart = Reshape.create(scope, back, vector(scope, [batch, channels, *space]))
    return Transpose.create(scope, apart, [0, *range(2, rank + 2), 1])
