"""Outputs and inputs have names and types."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import linalg, math, nn


def accessors(
    operation: tg.Operation,
    loss: nn.SoftmaxCrossEntropyWithLogits[tg.TFloat32],
    product: linalg.MatMul[tg.TFloat32],
) -> None:
    product.sum  # E: - / reportAttributeAccessIssue
    product.inputs.c  # E: - / reportAttributeAccessIssue
    product.inputs.transpose_a = True  # E: - / reportAttributeAccessIssue
    double: tg.Operand[tg.TFloat64] = loss.loss  # E: - / reportAssignmentType
    name: int = product.op.name  # E: - / reportAssignmentType
    math.Add.of(product)  # E: - / reportArgumentType
    mul: linalg.MatMul[tg.TFloat32] = math.Mul.of(operation)  # E: - / reportAssignmentType
    print(double, name, mul)
