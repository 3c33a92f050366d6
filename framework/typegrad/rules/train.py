"""Gradients of `ops/train.yaml`."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.errors import GradientError
from typegrad.base.types import TType
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.train import BatchMatMul, PreventGradient
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients

T = TypeVar("T", bound=TType)


def prevent_gradient(scope: Scope, op: PreventGradient[T], grad: Output[T]) -> Gradients:
    """An error: that is what the operation is for."""
    raise GradientError(f"PreventGradient refuses a gradient: {op.inputs.message or 'it gives no reason'}")


def batch_mat_mul_v3(scope: Scope, op: BatchMatMul[Any], grad: Output[Any]) -> Gradients:
    """With C = A B: dA = dC B*, dB = A* dC, where * is the conjugate transpose; then the sum over broadcast batch dimensions."""
    x, y = op.inputs.x, op.inputs.y
    adj_x, adj_y = op.inputs.adj_x, op.inputs.adj_y

    def product(
        left: Operand[Any], right: Operand[Any], target: Output[Any], *, left_adj: bool, right_adj: bool
    ) -> Output[Any]:
        result = BatchMatMul.create(scope, left, right, target.dtype, adj_x=left_adj, adj_y=right_adj)
        return sum_to_shape(scope, result.as_output(), target)

    def grad_x() -> Output[Any]:
        if adj_x:
            return product(y, grad, x, left_adj=adj_y, right_adj=True)
        return product(grad, y, x, left_adj=False, right_adj=not adj_y)

    def grad_y() -> Output[Any]:
        if adj_y:
            return product(grad, x, y, left_adj=True, right_adj=adj_x)
        return product(x, grad, y, left_adj=not adj_x, right_adj=False)

    return grad_x, grad_y
