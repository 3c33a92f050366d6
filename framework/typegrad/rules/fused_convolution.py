"""Gradients of `ops/fused_convolution.yaml`, by the gradients of their parts."""

from __future__ import annotations

from typing import Any

from typegrad.base.types import TFloat32
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import MirrorPad, MirrorPadGrad
from typegrad.op.dtypes import Cast
from typegrad.op.image import ResizeBilinear, ResizeBilinearGrad
from typegrad.op.nn import Conv2dBackpropFilter, Conv2dBackpropInput, FusedPadConv2d, FusedResizeAndPadConv2d
from typegrad.rules.common import F, Gradients, N
from typegrad.rules.sizes import shape_of


def fused_pad_conv2d(scope: Scope, op: FusedPadConv2d[N], grad: Output[N]) -> Gradients:
    images = op.inputs.input
    return lambda: _grad_images(scope, op, images, grad), lambda: _grad_filters(scope, op, images, grad)


def fused_resize_and_pad_conv2d(scope: Scope, op: FusedResizeAndPadConv2d[F], grad: Output[F]) -> Gradients:
    inputs, align = op.inputs, op.inputs.resize_align_corners
    resized = ResizeBilinear.create(scope, inputs.input, inputs.size, align_corners=align)
    images = Cast.create(scope, resized, inputs.input.dtype).as_output()

    def grad_input() -> AnyOperand:
        back = Cast.create(scope, _grad_images(scope, op, images, grad), TFloat32)
        return ResizeBilinearGrad.create(scope, back, inputs.input, align_corners=align)

    return grad_input, lambda: _grad_filters(scope, op, images, grad)


def _padded(scope: Scope, op: Any, images: AnyOperand) -> AnyOutput:
    return MirrorPad.create(scope, images, op.inputs.paddings, op.inputs.mode).as_output()


def _grad_images(scope: Scope, op: Any, images: AnyOperand, grad: AnyOutput) -> AnyOperand:
    inputs = op.inputs
    shape = shape_of(scope, _padded(scope, op, images))
    back = Conv2dBackpropInput.create(scope, shape, inputs.filter, grad, inputs.strides, inputs.padding)
    return MirrorPadGrad.create(scope, back, inputs.paddings, inputs.mode)


def _grad_filters(scope: Scope, op: Any, images: AnyOperand, grad: AnyOutput) -> AnyOperand:
    inputs = op.inputs
    padded, shape = _padded(scope, op, images), shape_of(scope, inputs.filter)
    return Conv2dBackpropFilter.create(scope, padded, shape, grad, inputs.strides, inputs.padding)
