"""Shape functions of `ops/decomposition.yaml`."""

from __future__ import annotations

from typegrad.base.shape import UNKNOWN, Dim, Shape, merge
from typegrad.shapes.common import square
from typegrad.shapes.view import OpView


def squares(op: OpView) -> Shape:
    """One shape of square matrices."""
    return merge(square(op, "l"), square(op, "grad"))


def lu(op: OpView) -> tuple[Shape, Shape]:
    """[..., m, m] and [..., m]."""
    x = square(op, "input")
    return x, UNKNOWN if x.dims is None else Shape(x.dims[:-1])


def qr(op: OpView) -> tuple[Shape, Shape]:
    """[..., m, p] and [..., p, n], where p is the smaller of m and n, or m for full matrices."""
    x = op.at_least("input", 2)
    if x.dims is None:
        return UNKNOWN, UNKNOWN
    *stack, m, n = x.dims
    p = m if op.attr("full_matrices") else smaller(m, n)
    return Shape((*stack, m, p)), Shape((*stack, p, n))


def smaller(m: Dim, n: Dim) -> Dim:
    """The smaller one, if it is known."""
    if m == n:
        return m
    if 0 in (m, n):
        return 0
    return min(m, n) if isinstance(m, int) and isinstance(n, int) else None
