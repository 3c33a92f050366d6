"""Gradients of `ops/convolution.yaml`: a convolution and its two gradients are each differentiated by the other two."""

from __future__ import annotations

from typing import Literal, Protocol, TypedDict

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.nn import (
    Conv2d,
    Conv2dBackpropFilter,
    Conv2dBackpropInput,
    DepthwiseConv2dNative,
    DepthwiseConv2dNativeBackpropFilter,
    DepthwiseConv2dNativeBackpropInput,
)
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of


class _Inputs(Protocol):
    """What the inputs and attributes of all six operations have."""

    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def padding(self) -> Literal["SAME", "VALID", "EXPLICIT"]: ...
    @property
    def explicit_paddings(self) -> tuple[int, ...]: ...
    @property
    def data_format(self) -> Literal["NHWC", "NCHW"]: ...
    @property
    def dilations(self) -> tuple[int, ...]: ...


class _Slide(TypedDict):
    """How filters slide over the input."""

    strides: tuple[int, ...]
    padding: Literal["SAME", "VALID", "EXPLICIT"]
    explicit_paddings: tuple[int, ...]
    data_format: Literal["NHWC", "NCHW"]
    dilations: tuple[int, ...]


def slide_of(inputs: _Inputs) -> _Slide:
    return {
        "strides": inputs.strides,
        "padding": inputs.padding,
        "explicit_paddings": inputs.explicit_paddings,
        "data_format": inputs.data_format,
        "dilations": inputs.dilations,
    }


def conv2d(scope: Scope, op: Conv2d[F], grad: Output[F]) -> Gradients:
    x, filters = op.inputs.input, op.inputs.filter
    options, gpu = slide_of(op.inputs), op.inputs.use_cudnn_on_gpu
    return (
        lambda: Conv2dBackpropInput.create(scope, shape_of(scope, x), filters, grad, use_cudnn_on_gpu=gpu, **options),
        lambda: Conv2dBackpropFilter.create(scope, x, shape_of(scope, filters), grad, use_cudnn_on_gpu=gpu, **options),
    )


def conv2d_backprop_input(scope: Scope, op: Conv2dBackpropInput[F], grad: Output[F]) -> Gradients:
    """Linear in the filters and in `out_backprop`; `grad` has the shape of the convolution's input."""
    filters, out_grad = op.inputs.filter, op.inputs.out_backprop
    options, gpu = slide_of(op.inputs), op.inputs.use_cudnn_on_gpu
    return (
        lambda: Conv2dBackpropFilter.create(
            scope, grad, shape_of(scope, filters), out_grad, use_cudnn_on_gpu=gpu, **options
        ),
        lambda: Conv2d.create(scope, grad, filters, use_cudnn_on_gpu=gpu, **options),
    )


def conv2d_backprop_filter(scope: Scope, op: Conv2dBackpropFilter[F], grad: Output[F]) -> Gradients:
    """Linear in the input and in `out_backprop`; `grad` has the shape of the filters."""
    x, out_grad = op.inputs.input, op.inputs.out_backprop
    options, gpu = slide_of(op.inputs), op.inputs.use_cudnn_on_gpu
    return (
        lambda: Conv2dBackpropInput.create(scope, shape_of(scope, x), grad, out_grad, use_cudnn_on_gpu=gpu, **options),
        lambda: Conv2d.create(scope, x, grad, use_cudnn_on_gpu=gpu, **options),
    )


def depthwise_conv2d_native(scope: Scope, op: DepthwiseConv2dNative[F], grad: Output[F]) -> Gradients:
    x, filters = op.inputs.input, op.inputs.filter
    options = slide_of(op.inputs)
    return (
        lambda: DepthwiseConv2dNativeBackpropInput.create(scope, shape_of(scope, x), filters, grad, **options),
        lambda: DepthwiseConv2dNativeBackpropFilter.create(scope, x, shape_of(scope, filters), grad, **options),
    )


def depthwise_conv2d_native_backprop_input(
    scope: Scope, op: DepthwiseConv2dNativeBackpropInput[F], grad: Output[F]
) -> Gradients:
    """Linear in the filters and in `out_backprop`; `grad` has the shape of the convolution's input."""
    filters, out_grad = op.inputs.filter, op.inputs.out_backprop
    options = slide_of(op.inputs)
    return (
        lambda: DepthwiseConv2dNativeBackpropFilter.create(scope, grad, shape_of(scope, filters), out_grad, **options),
        lambda: DepthwiseConv2dNative.create(scope, grad, filters, **options),
    )


def depthwise_conv2d_native_backprop_filter(
    scope: Scope, op: DepthwiseConv2dNativeBackpropFilter[F], grad: Output[F]
) -> Gradients:
    """Linear in the input and in `out_backprop`; `grad` has the shape of the filters."""
    x, out_grad = op.inputs.input, op.inputs.out_backprop
    options = slide_of(op.inputs)
    return (
        lambda: DepthwiseConv2dNativeBackpropInput.create(scope, shape_of(scope, x), grad, out_grad, **options),
        lambda: DepthwiseConv2dNative.create(scope, x, grad, **options),
    )
