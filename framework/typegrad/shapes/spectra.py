"""Shape functions of `ops/spectra.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.shapes.common import square
from typegrad.shapes.decomposition import smaller
from typegrad.shapes.view import OpView

_NONE = Shape((0,))
"""The shape of vectors that were not asked for."""


def self_adjoint_eig(op: OpView) -> tuple[Shape, Shape]:
    """[..., m] and [..., m, m]."""
    x = square(op, "input")
    values = UNKNOWN if x.dims is None else Shape(x.dims[:-1])
    return values, x if op.attr("compute_v") else _NONE


def eig(op: OpView) -> tuple[Shape, Shape]:
    """[..., m] and [..., m, m]; `tout` must be the complex type of the input's precision."""
    expected = "complex64" if op.attr("T").name in ("float32", "complex64") else "complex128"
    if op.attr("tout").name != expected:
        raise DTypeError(
            f"input `input` is {op.attr('T').name}, so `tout` must be {expected}, but is {op.attr('tout').name}"
        )
    return self_adjoint_eig(op)


def svd(op: OpView) -> tuple[Shape, Shape, Shape]:
    """[..., p], [..., m, p] and [..., n, p], where p is the smaller of m and n; for full matrices, m and n."""
    x, has_vectors = op.at_least("input", 2), op.attr("compute_uv")
    if x.dims is None:
        return (UNKNOWN, UNKNOWN, UNKNOWN) if has_vectors else (UNKNOWN, _NONE, _NONE)
    *stack, m, n = x.dims
    p = smaller(m, n)

    def vectors(rows: Dim) -> Shape:
        return Shape((*stack, rows, rows if op.attr("full_matrices") else p)) if has_vectors else _NONE

    return Shape((*stack, p)), vectors(m), vectors(n)
