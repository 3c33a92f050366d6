"""Gradients of `ops/top_k.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TFloating, TInt32
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Constant, Range, Reshape
from typegrad.op.dtypes import Cast
from typegrad.op.math import Abs, AddV2, Mul, RealDiv, Sign, UnsortedSegmentSum
from typegrad.op.nn import Softsign, SoftsignGrad, TopK
from typegrad.rules.arrays import shape_of
from typegrad.rules.common import Gradients, scalar_like
from typegrad.rules.sizes import size_between, times, vector

F = TypeVar("F", bound=TFloating)


def top_kv2(scope: Scope, op: TopK[F, Any], grads: Sequence[Output[F]]) -> Gradients:
    """Each element that was taken has its gradient, the others have none."""
    x, places = op.inputs.input, op.indices
    length, count = size_between(scope, x, -1, None), size_between(scope, x, 0, -1)
    rows = Range.create(scope, 0, count, 1)
    offsets = Mul.create(scope, rows, Constant.create(scope, length, TInt32) if isinstance(length, int) else length)
    rest = vector(scope, [count, size_between(scope, places, -1, None)])
    positions = Reshape.create(scope, Cast.create(scope, places, TInt32), rest)
    ids = AddV2.create(scope, positions, Reshape.create(scope, offsets, [-1, 1]))
    flat = UnsortedSegmentSum.create(
        scope, Reshape.create(scope, grads[0], [-1]), Reshape.create(scope, ids, [-1]), times(scope, count, length)
    )
    return Reshape.create(scope, flat, shape_of(scope, x))


def softsign(scope: Scope, op: Softsign[F], grad: Output[F]) -> Gradients:
    """The derivative is 1 / (1 + |x|)^2."""
    return SoftsignGrad.create(scope, grad, op.inputs.features)


def softsign_grad(scope: Scope, op: SoftsignGrad[F], grad: Output[F]) -> Gradients:
    """Of z = dy / (1 + |x|)^2: the derivative for x is -2 sign(x) z / (1 + |x|)."""
    dy, x = op.inputs.gradients, op.inputs.features

    def grad_features() -> Operand[F]:
        size = AddV2.create(scope, Abs.create(scope, x), scalar_like(scope, 1, x))
        ratio = RealDiv.create(scope, SoftsignGrad.create(scope, Mul.create(scope, grad, dy), x), size)
        return Mul.create(scope, Mul.create(scope, scalar_like(scope, -2, x), Sign.create(scope, x)), ratio)

    return lambda: SoftsignGrad.create(scope, grad, x), grad_features
