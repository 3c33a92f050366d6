"""Shape functions of `ops/decomposition.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, broadcast, merge_dim
from typegrad.shapes.view import OpView


def qr(op: OpView) -> tuple[Shape, Shape]:
    """[..., m, p] and [..., p, n], where p is the smaller of m and n, or m for full matrices."""
    x = op.at_least("input", 2)
    if x.dims is None:
        return UNKNOWN, UNKNOWN
    *stack, m, n = x.dims
    p = m if op.attr("full_matrices") else _smaller(m, n)
    return Shape((*stack, m, p)), Shape((*stack, p, n))


def matrix_triangular_solve(op: OpView) -> Shape:
    """[..., m, k], the leading dimensions broadcast."""
    matrix, rhs = op.at_least("matrix", 2), op.at_least("rhs", 2)
    if matrix.dims is None or rhs.dims is None:
        return UNKNOWN
    try:
        m = merge_dim(merge_dim(*matrix.dims[-2:]), rhs.dims[-2])
        batch = broadcast(Shape(matrix.dims[:-2]), Shape(rhs.dims[:-2]))
    except ShapeError:
        raise ShapeError(
            "`matrix` must hold square matrices, and `rhs` as many rows, with leading dimensions that broadcast: "
            f"`matrix` has shape {matrix}, `rhs` {rhs}"
        ) from None
    return Shape((*batch.known(), m, rhs.dims[-1]))


def _smaller(m: Dim, n: Dim) -> Dim:
    if m == n:
        return m
    return min(m, n) if isinstance(m, int) and isinstance(n, int) else None
