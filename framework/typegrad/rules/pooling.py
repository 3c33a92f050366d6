"""Gradients of `ops/pooling.yaml`."""

from __future__ import annotations

from typing import Any, Literal

from typegrad.graph.operand import AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.nn import (
    AvgPool,
    AvgPoolGrad,
    MaxPool,
    MaxPoolGrad,
    MaxPoolGradGrad,
    MaxPoolGradGradWithArgmax,
    MaxPoolGradWithArgmax,
    MaxPoolWithArgmax,
)
from typegrad.rules.common import F, Gradients, OutputGradients
from typegrad.rules.sizes import shape_of


def max_pool_v2(scope: Scope, op: MaxPool[F], grad: Output[F]) -> Gradients:
    """The first of the largest elements of each window gets the gradient of the window."""
    x, ksize, strides, padding = op.inputs.input, op.inputs.ksize, op.inputs.strides, op.inputs.padding
    data_format: Literal["NCHW", "NHWC"] = "NCHW" if op.inputs.data_format == "NCHW" else "NHWC"
    return MaxPoolGrad.create(scope, x, op, grad, ksize, strides, padding, data_format=data_format)


def max_pool_grad_v2(scope: Scope, op: MaxPoolGrad[F], grad: Output[F]) -> Gradients:
    """For each window, the gradient of the element that was taken: one of the maxima, whatever `orig_output` is."""
    x, ksize, strides = op.inputs.orig_input, op.inputs.ksize, op.inputs.strides
    padding, data_format = op.inputs.padding, op.inputs.data_format
    maxima = MaxPool.create(scope, x, ksize, strides, padding, data_format=data_format)
    return MaxPoolGradGrad.create(scope, x, maxima, grad, ksize, strides, padding, data_format=data_format)


def max_pool_grad_grad_v2(scope: Scope, op: MaxPoolGradGrad[F], grad: Output[F]) -> Gradients:
    """The element that was taken gets the gradient of the window."""
    inputs = op.inputs
    return MaxPoolGrad.create(
        scope,
        inputs.orig_input,
        inputs.orig_output,
        grad,
        inputs.ksize,
        inputs.strides,
        inputs.padding,
        data_format=inputs.data_format,
    )


def max_pool_with_argmax(scope: Scope, op: MaxPoolWithArgmax[Any, Any], grads: OutputGradients) -> Gradients:
    """The element at the index gets the gradient of the window."""
    inputs = op.inputs
    return MaxPoolGradWithArgmax.create(
        scope,
        inputs.input,
        grads[0],
        op.argmax,
        inputs.ksize,
        inputs.strides,
        inputs.padding,
        include_batch_in_index=inputs.include_batch_in_index,
    )


def max_pool_grad_with_argmax(scope: Scope, op: MaxPoolGradWithArgmax[Any, Any], grad: AnyOutput) -> Gradients:
    """For each window, the gradient of the element at the index."""
    inputs = op.inputs
    return MaxPoolGradGradWithArgmax.create(
        scope,
        inputs.input,
        grad,
        inputs.argmax,
        inputs.ksize,
        inputs.strides,
        inputs.padding,
        include_batch_in_index=inputs.include_batch_in_index,
    )


def max_pool_grad_grad_with_argmax(scope: Scope, op: MaxPoolGradGradWithArgmax[Any, Any], grad: AnyOutput) -> Gradients:
    """The element at the index gets the gradient of the window."""
    inputs = op.inputs
    return MaxPoolGradWithArgmax.create(
        scope,
        inputs.input,
        grad,
        inputs.argmax,
        inputs.ksize,
        inputs.strides,
        inputs.padding,
        include_batch_in_index=inputs.include_batch_in_index,
    )


def avg_pool(scope: Scope, op: AvgPool[F], grad: Output[F]) -> Gradients:
    """The elements of each window share its gradient."""
    inputs = op.inputs
    return AvgPoolGrad.create(
        scope,
        shape_of(scope, inputs.value),
        grad,
        ksize=inputs.ksize,
        strides=inputs.strides,
        padding=inputs.padding,
        data_format=inputs.data_format,
    )


def avg_pool_grad(scope: Scope, op: AvgPoolGrad[F], grad: Output[F]) -> Gradients:
    """For each window, the mean of the gradients of its elements."""
    inputs = op.inputs
    return AvgPool.create(
        scope,
        grad,
        ksize=inputs.ksize,
        strides=inputs.strides,
        padding=inputs.padding,
        data_format=inputs.data_format,
    )
