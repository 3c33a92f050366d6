"""Shape functions of `ops/linear_systems.yaml`."""

from __future__ import annotations

from functools import reduce

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, broadcast, merge, merge_dim
from typegrad.shapes.common import square
from typegrad.shapes.view import OpView


def matrix_triangular_solve(op: OpView) -> Shape:
    """[..., m, k], the leading dimensions broadcast."""
    matrix, rhs = square(op, "matrix"), op.at_least("rhs", 2)
    if matrix.dims is None or rhs.dims is None:
        return UNKNOWN
    try:
        m = merge_dim(matrix.dims[-1], rhs.dims[-2])
        batch = broadcast(Shape(matrix.dims[:-2]), Shape(rhs.dims[:-2]))
    except ShapeError:
        raise ShapeError(
            "`rhs` must have as many rows as `matrix`, and the leading dimensions must broadcast: "
            f"`matrix` has shape {matrix}, `rhs` {rhs}"
        ) from None
    return Shape((*batch.known(), m, rhs.dims[-1]))


def matrix_solve(op: OpView) -> Shape:
    """[..., m, k]; nothing is broadcast."""
    matrix, rhs = square(op, "matrix"), op.at_least("rhs", 2)
    rows = _common_rows(matrix, rhs)
    return UNKNOWN if rows is None else Shape((*rows, _columns(rhs)))


def matrix_solve_ls(op: OpView) -> Shape:
    """[..., n, k]; nothing is broadcast."""
    matrix, rhs = op.at_least("matrix", 2), op.at_least("rhs", 2)
    op.rank("l2_regularizer", 0)
    rows = _common_rows(matrix, rhs)
    return UNKNOWN if rows is None else Shape((*rows[:-1], _columns(matrix), _columns(rhs)))


def _columns(matrices: Shape) -> Dim:
    return None if matrices.dims is None else matrices.dims[-1]


def _common_rows(matrix: Shape, rhs: Shape) -> tuple[Dim, ...] | None:
    """The leading dimensions and the number of rows of both; None if unknown."""
    try:
        return reduce(merge, (UNKNOWN if x.dims is None else Shape(x.dims[:-1]) for x in (matrix, rhs))).dims
    except ShapeError:
        raise ShapeError(
            "`rhs` must have as many rows as `matrix`, and the same leading dimensions, which are not broadcast: "
            f"`matrix` has shape {matrix}, `rhs` {rhs}"
        ) from None


def determinants(op: OpView) -> Shape:
    """[...]."""
    x = square(op, "input")
    return UNKNOWN if x.dims is None else Shape(x.dims[:-2])


def log_determinants(op: OpView) -> tuple[Shape, Shape]:
    """[...], twice."""
    return determinants(op), determinants(op)
