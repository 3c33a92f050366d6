"""Gradients of `ops/decomposition.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.errors import GradientError
from typegrad.base.types import TComplex, TFloating
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, ExpandDims, Range, StridedSlice
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import Einsum, Qr, TriangularSolve
from typegrad.op.math import Add, Equal, Greater, Less, Mul, MulNoNan, Neg, Sub
from typegrad.op.train import BatchMatMul
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, OutputGradients, conj, scalar_like
from typegrad.rules.sizes import Size, size_between, vector

N = TypeVar("N", bound=TFloating | TComplex)


def qr(scope: Scope, op: Qr[N], grads: OutputGradients) -> Gradients:
    """Of a wide matrix, the square block on its left is factored; the rest follows from R = Q* A."""
    q, r, grad_q, grad_r = op.q, op.r, grads[0], grads[1]
    m, n = (x.shape.dims[axis] if x.shape.dims is not None else None for x, axis in ((q, -2), (r, -1)))
    is_tall = isinstance(m, int) and isinstance(n, int) and m > n
    if is_tall and op.inputs.full_matrices:
        raise GradientError(
            f"'{op.op.name}' has no gradient with full_matrices, because matrices of shape [{m}, {n}] do not determine the last "
            "columns of `q`; use full_matrices=False"
        )
    if is_tall or (m == n and m is not None):
        return _of_independent_columns(scope, q, r, grad_q, grad_r)
    size = size_between(scope, q, -1, None)
    right, grad_right = _right(scope, r, size), _right(scope, grad_r, size)
    grad_q = Add.create(scope, grad_q, _product(scope, q, _product(scope, right, grad_right, adj_y=True)))
    left = _of_independent_columns(scope, q, _left(scope, r, size), grad_q, _left(scope, grad_r, size))
    return Concat.create(scope, [left, _product(scope, q, grad_right)], -1)


def _of_independent_columns(
    scope: Scope, q: Operand[N], r: Operand[N], grad_q: Operand[N], grad_r: Operand[N]
) -> Operand[N]:
    """With A = Q R: dQ = Q W + (1 - Q Q*) dA / R, where W is antihermitian, and Q* dA / R - W upper triangular and real on its diagonal."""
    projected = _product(scope, q, grad_q, adj_x=True)
    slopes = Sub.create(scope, projected, _product(scope, grad_r, r, adj_y=True))
    half = _triangle(scope, size_between(scope, q.as_output(), -1, None), q, lower=True, diagonal=0.5)
    turn = Mul.create(scope, half, Sub.create(scope, slopes, _adjoint(scope, slopes)))
    right = Add.create(scope, grad_q, _product(scope, q, Sub.create(scope, turn, projected)))
    solved = TriangularSolve.create(scope, r, _adjoint(scope, right), lower=False)
    return Add.create(scope, _adjoint(scope, solved), _product(scope, q, grad_r))


def matrix_triangular_solve(scope: Scope, op: TriangularSolve[N], grad: Output[N]) -> Gradients:
    """dX = -(dA X - dB) / A: the gradient of B solves the adjoint system, that of A is its product with X, in the triangle."""
    matrix, rhs, lower, adjoint = op.inputs.matrix, op.inputs.rhs, op.inputs.lower, op.inputs.adjoint
    solved = TriangularSolve.create(scope, matrix, grad, lower=lower, adjoint=not adjoint).as_output()

    def grad_matrix() -> Output[N]:
        x = op.as_output()
        product = _product(scope, *((x, solved) if adjoint else (solved, x)), adj_y=True)
        triangle = _triangle(scope, size_between(scope, matrix, -1, None), x, lower=lower, diagonal=1)
        full = Neg.create(scope, MulNoNan.create(scope, product, triangle)).as_output()
        return sum_to_shape(scope, full, matrix)

    return grad_matrix, lambda: sum_to_shape(scope, solved, rhs)


def _product(scope: Scope, x: Operand[N], y: Operand[N], *, adj_x: bool = False, adj_y: bool = False) -> BatchMatMul[N]:
    return BatchMatMul.create(scope, x, y, x.dtype, adj_x=adj_x, adj_y=adj_y)


def _adjoint(scope: Scope, x: Operand[N]) -> Operand[N]:
    """The conjugate transpose of each matrix."""
    return conj(scope, Einsum.create(scope, [x], equation="...ij->...ji"))


def _triangle(scope: Scope, size: Size, x: Operand[N], *, lower: bool, diagonal: float) -> Operand[N]:
    """A square matrix of x's type with ones on one side of its diagonal, and zeros on the other."""
    columns = Range.create(scope, 0, size, 1)
    rows = ExpandDims.create(scope, columns, 1)
    side = Cast.create(scope, (Greater if lower else Less).create(scope, rows, columns), x.dtype)
    middle = Cast.create(scope, Equal.create(scope, rows, columns), x.dtype)
    return Add.create(scope, side, Mul.create(scope, middle, scalar_like(scope, diagonal, x)))


def _left(scope: Scope, x: Operand[N], size: Size) -> Operand[N]:
    """The first columns of each matrix."""
    end = vector(scope, [0, size])
    return StridedSlice.create(scope, x, [0, 0], end, [1, 1], ellipsis_mask=1, begin_mask=2)


def _right(scope: Scope, x: Operand[N], size: Size) -> Operand[N]:
    """The columns of each matrix after the first ones."""
    begin = vector(scope, [0, size])
    return StridedSlice.create(scope, x, begin, [0, 0], [1, 1], ellipsis_mask=1, end_mask=2)
