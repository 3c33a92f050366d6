"""Shape functions of `ops/data_format.yaml`."""

from __future__ import annotations

from typing import Final

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView

SPATIAL: Final = {4: "HW", 5: "DHW"}
"""The letters of the dimensions that windows slide over, by the number of dimensions."""


def data_format_dim_map(op: OpView) -> Shape:
    """The shape of the axes."""
    _formats(op)
    return op.like("x")


def data_format_vec_permute(op: OpView) -> Shape:
    """The shape of the vector or matrix."""
    rank, x = len(_formats(op)[0]), op.shape("x")
    if x.dims is None:
        return x
    if len(x.dims) not in (1, 2):
        raise ShapeError(f"`x` must be a vector or a matrix with 2 columns, but has shape {x}")
    count, *columns = x.dims
    if columns and isinstance(columns[0], int) and columns[0] != 2:
        raise ShapeError(f"`x` must have 2 columns, but has shape {x}")
    if isinstance(count, int) and count not in (rank, rank - 2):
        raise ShapeError(f"`x` must have {rank} or {rank - 2} {'rows' if columns else 'elements'}, but has shape {x}")
    if count == rank - 2:
        _check_spatial(op, rank)
    return x


def _formats(op: OpView) -> tuple[str, str]:
    old, new = op.attr("src_format"), op.attr("dst_format")
    for name, letters in (("src_format", old), ("dst_format", new)):
        if len(letters) not in SPATIAL:
            raise AttributeValueError(f"`{name}` must have 4 or 5 letters, but is {letters!r}")
    if len(set(old)) != len(old) or sorted(old) != sorted(new):
        raise AttributeValueError(f"`dst_format` {new!r} must have the letters of `src_format` {old!r}, each once")
    return old, new


def _check_spatial(op: OpView, rank: int) -> None:
    missing = set(SPATIAL[rank]) - set(op.attr("src_format"))
    if missing:
        raise ShapeError(
            f"`src_format` {op.attr('src_format')!r} must contain {' and '.join(SPATIAL[rank])}, "
            f"because `x` has {rank - 2} elements"
        )
