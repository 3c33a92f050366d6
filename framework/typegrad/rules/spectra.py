"""Gradients of `ops/spectra.yaml`.

They hold for functions that do not depend on signs, phases and rotations of vectors. What would be divided by zero,
between equal eigenvalues, is left out.
"""

from __future__ import annotations

from typegrad.base.types import TComplex
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import OnesLike
from typegrad.op.linalg import Eig, SelfAdjointEig, Solve, Svd
from typegrad.op.math import DivNoNan, Real
from typegrad.rules.common import C, Gradients, N, OutputGradients, conj, real_part
from typegrad.rules.matrices import (
    M,
    adjoint,
    column,
    diagonal,
    diagonal_matrix,
    half_lower,
    left,
    right,
    row,
    times,
)
from typegrad.rules.sizes import Size, size_between


def self_adjoint_eig_v2(scope: Scope, op: SelfAdjointEig[M], grads: OutputGradients) -> Gradients:
    """Hermitian, and folded into the lower triangle, which is what is read."""
    has_vectors = op.inputs.compute_v
    factors = op if has_vectors else SelfAdjointEig.create(scope, op.inputs.input)
    e, v = factors.e, factors.v
    inner: Operand[M] = diagonal_matrix(scope, grads[0])
    if has_vectors and grads.connected(1):
        inner = inner + _over_gaps(scope, e) * times(scope, v, grads[1], adj_x=True)
    whole = times(scope, v @ inner, v, adj_y=True)
    return half_lower(scope, whole + adjoint(scope, whole))


def _over_gaps(scope: Scope, x: Operand[N]) -> Operand[N]:
    """In row i and column j, 1 / (x_j - x_i); 0 where they are equal."""
    return _reciprocal(scope, row(scope, x) - column(scope, x))


def _reciprocal(scope: Scope, x: Operand[N]) -> Operand[N]:
    """1 / x; 0 where x is 0."""
    return DivNoNan.create(scope, OnesLike.create(scope, x), x)


def eig(scope: Scope, op: Eig[C], grads: OutputGradients) -> Gradients:
    """Columns of norm 1 lose the part of their gradient along themselves."""
    x, has_vectors = op.inputs.input, op.inputs.compute_v
    factors = op if has_vectors else Eig.create(scope, x, op.e.dtype)
    e: Operand[C] = factors.e
    v: Operand[C] = factors.v
    inner: Operand[C] = diagonal_matrix(scope, grads[0])
    if has_vectors and grads.connected(1):
        projected = times(scope, v, grads[1], adj_x=True)
        along = real_part(scope, row(scope, diagonal(scope, projected)))
        inner = inner + conj(_over_gaps(scope, e)) * (projected - times(scope, v, v, adj_x=True) * along)
    result = Solve.create(scope, v, times(scope, inner, v, adj_y=True), adjoint=True)
    return result if issubclass(x.dtype, TComplex) else Real.create(scope, result, x.dtype)


def svd(scope: Scope, op: Svd[M], grads: OutputGradients) -> Gradients:
    """Townsend, "Differentiating the singular value decomposition"; of complex matrices, with the phase of u and v."""
    has_vectors = op.inputs.compute_uv
    factors = op if has_vectors else Svd.create(scope, op.inputs.input)
    s: Operand[M] = factors.s
    u: Operand[M] = factors.u
    v: Operand[M] = factors.v
    inner: Operand[M] = diagonal_matrix(scope, real_part(scope, grads[0]))
    if not has_vectors:
        return times(scope, u @ inner, v, adj_y=True)
    size, inverse = size_between(scope, factors.s, -1, None), row(scope, _reciprocal(scope, s))
    (u, grad_u), (v, grad_v) = (
        _own_columns(scope, x, grad, size) if op.inputs.full_matrices else (x, grad)
        for x, grad in ((u, grads[1]), (v, grads[2]))
    )
    from_u, from_v = times(scope, u, grad_u, adj_x=True), times(scope, v, grad_v, adj_x=True)
    gaps, wide, high = _over_gaps(scope, s * s), row(scope, s), column(scope, s)
    inner = inner + _hermitian(scope, gaps * from_u) * wide + high * _hermitian(scope, gaps * from_v)
    if issubclass(s.dtype, TComplex):
        phases = diagonal(scope, from_u)
        inner = inner + diagonal_matrix(scope, (phases - conj(phases)) / 2) * inverse
    outside_u, outside_v = (grad_u - u @ from_u) * inverse, (grad_v - v @ from_v) * inverse
    return times(scope, u @ inner + outside_u, v, adj_y=True) + times(scope, u, outside_v, adj_y=True)


def _hermitian(scope: Scope, x: Operand[N]) -> Operand[N]:
    return x + adjoint(scope, x)


def _own_columns(scope: Scope, x: Operand[N], grad: Operand[N], size: Size) -> tuple[Operand[N], Operand[N]]:
    """The first columns of a square matrix of orthonormal columns, and their gradient: the others turn with them."""
    first, others = left(scope, x, size), right(scope, x, size)
    turned = others @ times(scope, right(scope, grad, size), first, adj_x=True)
    return first, left(scope, grad, size) - turned
