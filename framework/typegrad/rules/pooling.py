"""Gradients of `ops/pooling.yaml`."""

from __future__ import annotations

from typing import Literal

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.nn import AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad, MaxPoolGradGrad
from typegrad.rules.common import F, Gradients
from typegrad.rules.sizes import shape_of


def max_pool_v2(scope: Scope, op: MaxPool[F], grad: Output[F]) -> Gradients:
    """The first of the largest elements in each place has the gradient of the place."""
    x, ksize, strides, padding = op.inputs.input, op.inputs.ksize, op.inputs.strides, op.inputs.padding
    data_format: Literal["NCHW", "NHWC"] = "NCHW" if op.inputs.data_format == "NCHW" else "NHWC"
    return MaxPoolGrad.create(scope, x, op, grad, ksize, strides, padding, data_format=data_format)


def max_pool_grad_v2(scope: Scope, op: MaxPoolGrad[F], grad: Output[F]) -> Gradients:
    """The gradient of each place is that of the element that got it."""
    given = op.inputs
    return MaxPoolGradGrad.create(
        scope,
        given.orig_input,
        given.orig_output,
        grad,
        given.ksize,
        given.strides,
        given.padding,
        data_format=given.data_format,
    )


def max_pool_grad_grad_v2(scope: Scope, op: MaxPoolGradGrad[F], grad: Output[F]) -> Gradients:
    """The element that was taken from each place has the gradient of the place."""
    given = op.inputs
    return MaxPoolGrad.create(
        scope,
        given.orig_input,
        given.orig_output,
        grad,
        given.ksize,
        given.strides,
        given.padding,
        data_format=given.data_format,
    )


def avg_pool(scope: Scope, op: AvgPool[F], grad: Output[F]) -> Gradients:
    """The elements of each place share its gradient."""
    given = op.inputs
    return AvgPoolGrad.create(
        scope,
        shape_of(scope, given.value),
        grad,
        ksize=given.ksize,
        strides=given.strides,
        padding=given.padding,
        data_format=given.data_format,
    )


def avg_pool_grad(scope: Scope, op: AvgPoolGrad[F], grad: Output[F]) -> Gradients:
    """The gradient of each place is the mean over its elements."""
    given = op.inputs
    return AvgPool.create(
        scope,
        grad,
        ksize=given.ksize,
        strides=given.strides,
        padding=given.padding,
        data_format=given.data_format,
    )
