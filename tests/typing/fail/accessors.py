"""Outputs and inputs have names and types."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import linalg, math, nn


def accessors(
    operation: tg.Operation,
    loss: nn.SoftmaxCrossEntropyWithLogits[tg.TFloat32],
    product: linalg.MatMul[tg.TFloat32],
) -> None:
    product.sum  # E: attr-defined / reportAttributeAccessIssue
    product.inputs.c  # E: attr-defined / reportAttributeAccessIssue
    product.inputs.transpose_a = True  # E: misc / reportAttributeAccessIssue
    double: tg.Operand[tg.TFloat64] = loss.loss  # E: assignment / reportAssignmentType
    name: int = product.op.name  # E: assignment / reportAssignmentType
    math.Add.of(product)  # E: arg-type / reportArgumentType
    mul: linalg.MatMul[tg.TFloat32] = math.Mul.of(operation)  # E: assignment / reportAssignmentType
    print(double, name, mul)
