"""Shape functions of `ops/inplace.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, merge
from typegrad.shapes.view import OpView


def replaced(op: OpView) -> Shape:
    """The shape of `x`; there is a row of `v` for each index."""
    x, count, v = op.at_least("x", 1), op.rank("i", 1), op.shape("v")
    if x.dims is None:
        return x
    expected = Shape((*count.known(), *x.dims[1:]))
    try:
        merge(v, expected)
    except ShapeError:
        raise ShapeError(
            f"`v` has shape {v}, but must be {expected}: a row of `x` {x} for each element of `i` {count}"
        ) from None
    if x.dims[0] == 0 and count.known()[0] not in (0, None):
        raise ShapeError(f"`x` has shape {x}, without rows, but `i` has {counted(count.known()[0], 'element')}")
    return x
