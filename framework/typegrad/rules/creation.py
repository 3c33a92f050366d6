"""Gradients of `ops/creation.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Fill, LinSpace, OneHot, Range, Select, Size, Sum
from typegrad.op.dtypes import Cast
from typegrad.rules.common import F, Gradients, N


def fill(scope: Scope, op: Fill[N], grad: Output[N]) -> Gradients:
    return Sum.create(scope, grad)


def arange(scope: Scope, op: Range[Any], grad: Output[Any]) -> Gradients:
    """Each number is `start` and so many steps."""
    numbers = Cast.create(scope, Range.create(scope, 0, Size.create(scope, op), 1), grad.dtype)
    return lambda: Sum.create(scope, grad), lambda: Sum.create(scope, grad * numbers)


def lin_space(scope: Scope, op: LinSpace[F], grad: Output[F]) -> Gradients:
    """Each number is a mean of `start` and `stop`, with weights from 0 to 1."""
    zero, one = (Constant.create(scope, end, grad.dtype) for end in (0, 1))
    weights = LinSpace.create(scope, zero, one, op.inputs.num)
    return lambda: Sum.create(scope, grad * (1 - weights)), lambda: Sum.create(scope, grad * weights)


def one_hot(scope: Scope, op: OneHot[N], grad: Output[N]) -> Gradients:
    """The sums of the gradients where each of both values is."""
    is_on = OneHot.create(scope, op.inputs.indices, op.inputs.depth, True, False, op.inputs.axis)
    return (
        lambda: Sum.create(scope, Select.create(scope, is_on, grad, 0)),
        lambda: Sum.create(scope, Select.create(scope, is_on, 0, grad)),
    )
