"""Gradients of `ops/diagonal.yaml`."""

from __future__ import annotations

from typing import Any, Literal

from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ZerosLike
from typegrad.op.linalg import (
    BandPart,
    MatrixDiag,
    MatrixDiagPart,
    MatrixDiagPartV3,
    MatrixDiagV3,
    MatrixSetDiag,
    TensorDiag,
    TensorDiagPart,
)
from typegrad.rules.common import Gradients, N

Align = Literal["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"]


def matrix_band_part(scope: Scope, op: BandPart[N], grad: Output[N]) -> Gradients:
    return BandPart.create(scope, grad, op.inputs.num_lower, op.inputs.num_upper)


def matrix_diag_v2(scope: Scope, op: MatrixDiag[N], grad: Output[N]) -> Gradients:
    return _part(scope, grad, op.inputs.k, "LEFT_LEFT")


def matrix_diag_v3(scope: Scope, op: MatrixDiagV3[N], grad: Output[N]) -> Gradients:
    return _part(scope, grad, op.inputs.k, op.inputs.align)


def _part(scope: Scope, x: Operand[N], k: AnyOperand, align: Align) -> Operand[N]:
    zero: Any = 0
    return MatrixDiagPartV3.create(scope, x, k, zero, align=align)


def matrix_diag_part_v2(scope: Scope, op: MatrixDiagPart[N], grad: Output[N]) -> Gradients:
    return _placed(scope, op.inputs.input, grad, op.inputs.k, "LEFT_LEFT")


def matrix_diag_part_v3(scope: Scope, op: MatrixDiagPartV3[N], grad: Output[N]) -> Gradients:
    return _placed(scope, op.inputs.input, grad, op.inputs.k, op.inputs.align)


def _placed(scope: Scope, x: Operand[N], diagonal: Operand[N], k: AnyOperand, align: Align) -> Operand[N]:
    """Zeros of x's shape, but for some diagonals."""
    return MatrixSetDiag.create(scope, ZerosLike.create(scope, x), diagonal, k, align=align)


def matrix_set_diag_v3(scope: Scope, op: MatrixSetDiag[N], grad: Output[N]) -> Gradients:
    k, align = op.inputs.k, op.inputs.align
    return (
        lambda: MatrixSetDiag.create(scope, grad, ZerosLike.create(scope, op.inputs.diagonal), k, align=align),
        lambda: _part(scope, grad, k, align),
    )


def diag(scope: Scope, op: TensorDiag[N], grad: Output[N]) -> Gradients:
    return TensorDiagPart.create(scope, grad)


def diag_part(scope: Scope, op: TensorDiagPart[N], grad: Output[N]) -> Gradients:
    return TensorDiag.create(scope, grad)
