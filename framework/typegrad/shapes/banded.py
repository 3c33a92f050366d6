"""Shape functions of `ops/banded.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import UNKNOWN, Shape, broadcast, merge, merge_dim
from typegrad.shapes.view import OpView


def banded_triangular_solve(op: OpView) -> Shape:
    """[..., m, k], the leading dimensions broadcast."""
    matrix, rhs = op.at_least("matrix", 2), op.at_least("rhs", 2)
    for name, shape in (("matrix", matrix), ("rhs", rhs)):
        if shape.dims is not None and 0 in shape.dims:
            raise ShapeError(f"`{name}` must not be empty, but has shape {shape}")
    bands, size = (None, None) if matrix.dims is None else matrix.dims[-2:]
    if isinstance(bands, int) and isinstance(size, int) and bands > size:
        raise ShapeError(
            f"`matrix` has {counted(bands, 'band')} of {counted(size, 'element')} each; expected at most {size}, the "
            "number of rows"
        )
    if matrix.dims is None or rhs.dims is None:
        return UNKNOWN
    try:
        m = merge_dim(matrix.dims[-1], rhs.dims[-2])
        batch = broadcast(Shape(matrix.dims[:-2]), Shape(rhs.dims[:-2]))
    except ShapeError:
        raise ShapeError(
            "`rhs` must have as many rows as the diagonals in `matrix` have elements, and leading dimensions that "
            f"broadcast: `matrix` has shape {matrix}, `rhs` {rhs}"
        ) from None
    return Shape((*batch.known(), m, rhs.dims[-1]))


def tridiagonal_solve(op: OpView) -> Shape:
    """[..., m, k]; nothing is broadcast."""
    if op.attr("perturb_singular") and not op.attr("partial_pivoting"):
        raise AttributeValueError("`perturb_singular` needs partial_pivoting=True")
    return _beside(op, op.at_least("rhs", 2), {"diagonals": 3})


def tridiagonal_mat_mul(op: OpView) -> Shape:
    """[..., m, k]; nothing is broadcast."""
    return _beside(op, op.at_least("rhs", 2), dict.fromkeys(("superdiag", "maindiag", "subdiag"), 1))


def _beside(op: OpView, rhs: Shape, rows: dict[str, int]) -> Shape:
    """The shape of `rhs`, beside diagonals of shapes [..., rows, m]."""
    for name, count in rows.items():
        x = op.at_least(name, 2)
        if x.dims is None:
            continue
        try:
            merge_dim(x.dims[-2], count)
            own = rhs if rhs.dims is None else Shape(rhs.dims[:-1])
            stack = merge(own, Shape((*x.dims[:-2], x.dims[-1])))
        except ShapeError:
            raise ShapeError(
                f"`{name}` must have shape [..., {count}, m] where `rhs` has [..., m, k], but `{name}` has shape "
                f"{x}, `rhs` {rhs}"
            ) from None
        rhs = rhs if rhs.dims is None else Shape((*stack.known(), rhs.dims[-1]))
    return rhs
