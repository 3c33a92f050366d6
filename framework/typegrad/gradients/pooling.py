"""Gradients of `ops/pooling.yaml`."""

from __future__ import annotations

import math
from typing import Any

from typing_extensions import TypeVar

from typegrad.gradients.arrays import shape_of
from typegrad.gradients.common import Gradients, scalar_like
from typegrad.op.core import Pad
from typegrad.op.nn import AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad, MaxPoolGradGrad
from typegrad.operand import Output
from typegrad.scope import Scope
from typegrad.types import TFloating

F = TypeVar("F", bound=TFloating)


def max_pool(scope: Scope, op: MaxPool[F], grad: Output[F]) -> Gradients:
    """The first of the largest elements in each place has the gradient of the place."""
    given = op.inputs
    return MaxPoolGrad.create(
        scope,
        given.input,
        op,
        grad,
        ksize=given.ksize,
        strides=given.strides,
        padding=given.padding,
        explicit_paddings=given.explicit_paddings,
        data_format="NCHW" if given.data_format == "NCHW" else "NHWC",
    )


def max_pool_grad(scope: Scope, op: MaxPoolGrad[F], grad: Output[F]) -> Gradients:
    """The gradient of each place is that of the element that got it.

    `MaxPoolGradGrad` knows no explicit padding: what it looks at is padded instead, with what is never the maximum.
    """
    given = op.inputs
    x, wanted, padding = given.orig_input, grad, given.padding
    if padding == "EXPLICIT":
        x, wanted = (_padded(scope, each, op, value) for each, value in ((x, -math.inf), (grad, 0)))
    return MaxPoolGradGrad.create(
        scope,
        x,
        given.orig_output,
        wanted,
        ksize=given.ksize,
        strides=given.strides,
        padding="VALID" if padding == "EXPLICIT" else padding,
        data_format=given.data_format,
    )


def _padded(scope: Scope, x: Output[F], op: MaxPoolGrad[Any], value: float) -> Output[F]:
    explicit = op.inputs.explicit_paddings
    pairs = list(zip(explicit[::2], explicit[1::2], strict=True))
    return Pad.create(scope, x, pairs, scalar_like(scope, value, x)).as_output()


def max_pool_grad_grad(scope: Scope, op: MaxPoolGradGrad[F], grad: Output[F]) -> Gradients:
    """The element that was taken from each place has the gradient of the place."""
    given = op.inputs
    return MaxPoolGrad.create(
        scope,
        given.orig_input,
        given.orig_output,
        grad,
        ksize=given.ksize,
        strides=given.strides,
        padding=given.padding,
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
