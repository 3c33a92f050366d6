"""Gradients of `ops/diagonal.yaml`."""

from __future__ import annotations

from typing import Any, Literal

from typegrad.base.types import TBool
from typegrad.graph.operand import AnyOperand, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Fill, Select, Sum, ZerosLike
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
from typegrad.rules.sizes import shape_of

Align = Literal["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"]


def matrix_band_part(scope: Scope, op: BandPart[N], grad: Output[N]) -> Gradients:
    return BandPart.create(scope, grad, op.inputs.num_lower, op.inputs.num_upper)


def matrix_diag_v2(scope: Scope, op: MatrixDiag[N], grad: Output[N]) -> Gradients:
    return _of_diagonals(scope, op, grad, "LEFT_LEFT")


def matrix_diag_v3(scope: Scope, op: MatrixDiagV3[N], grad: Output[N]) -> Gradients:
    return _of_diagonals(scope, op, grad, op.inputs.align)


def _of_diagonals(scope: Scope, op: MatrixDiag[N] | MatrixDiagV3[N], grad: Output[N], align: Align) -> Gradients:
    inputs = op.inputs

    def of_padding() -> AnyOperand:
        inside = Fill.create(scope, shape_of(scope, inputs.diagonal), False)
        is_padding = MatrixDiagV3.create(scope, inside, inputs.k, inputs.num_rows, inputs.num_cols, True, align=align)
        return _sum_where(scope, is_padding, grad)

    def of_diagonals() -> AnyOperand:
        if inputs.diagonal.shape.size == 0:  # a matrix of size 1 has no other diagonal to read
            return ZerosLike.create(scope, inputs.diagonal)
        return _part(scope, grad, inputs.k, align)

    return of_diagonals, of_padding


def _sum_where(scope: Scope, is_padding: Operand[TBool], grad: Output[N]) -> Operand[N]:
    return Sum.create(scope, Select.create(scope, is_padding, grad, 0))


def _part(scope: Scope, x: Operand[N], k: AnyOperand, align: Align) -> Operand[N]:
    zero: Any = 0
    return MatrixDiagPartV3.create(scope, x, k, zero, align=align)


def matrix_diag_part_v2(scope: Scope, op: MatrixDiagPart[N], grad: Output[N]) -> Gradients:
    return _of_matrices(scope, op, grad, "LEFT_LEFT")


def matrix_diag_part_v3(scope: Scope, op: MatrixDiagPartV3[N], grad: Output[N]) -> Gradients:
    return _of_matrices(scope, op, grad, op.inputs.align)


def _of_matrices(scope: Scope, op: MatrixDiagPart[N] | MatrixDiagPartV3[N], grad: Output[N], align: Align) -> Gradients:
    x, k = op.inputs.input, op.inputs.k

    def of_padding() -> AnyOperand:
        inside = Fill.create(scope, shape_of(scope, x), False)
        return _sum_where(scope, MatrixDiagPartV3.create(scope, inside, k, True, align=align), grad)

    return lambda: _placed(scope, x, grad, k, align), of_padding


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
