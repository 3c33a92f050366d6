"""Shape functions of `ops/sorting.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape, merge_dim
from typegrad.shapes.values import axis_in
from typegrad.shapes.view import OpView


def top_k(op: OpView) -> tuple[Shape, Shape]:
    """The input's shape with rows of length k."""
    x, k = op.at_least("input", 1), op.value("k")
    op.rank("k", 0)
    if isinstance(k, int) and k < 0:
        raise ShapeError(f"`k` is {k}, but cannot be negative")
    if x.dims is None:
        return x, x
    length = x.dims[-1]
    if isinstance(k, int) and isinstance(length, int) and k > length:
        raise ShapeError(f"`k` is {k}, but `input` has shape {x}: its rows are not that long")
    shape = Shape((*x.dims[:-1], k))
    return shape, shape


def in_top_kv2(op: OpView) -> Shape:
    """An answer for each row."""
    predictions, targets = op.rank("predictions", 2), op.rank("targets", 1)
    op.rank("k", 0)
    rows, count = predictions.known()[0], targets.known()[0]
    try:
        return Shape((merge_dim(rows, count),))
    except ShapeError:
        raise ShapeError(
            f"`predictions` {predictions} has {counted(rows, 'row')}, but `targets` {targets} has "
            f"{counted(count, 'element')}"
        ) from None


def approx_top_k(op: OpView) -> tuple[Shape, Shape]:
    """The input's shape with k elements along the dimension."""
    x, k, recall = op.at_least("input", 1), op.attr("k"), op.attr("recall_target")
    if not 0 < recall <= 1:
        raise AttributeValueError(f"`recall_target` is {recall}, but must be above 0 and at most 1")
    if x.dims is None:
        return x, x
    axis = axis_in(op.attr("reduction_dimension"), len(x.dims), "reduction_dimension")
    size = x.dims[axis]
    if isinstance(size, int) and k > size:
        raise ShapeError(f"`k` is {k}, but `input` has shape {x}: dimension {axis} is not that long")
    shape = Shape((*x.dims[:axis], k, *x.dims[axis + 1 :]))
    return shape, shape


def nth_element(op: OpView) -> Shape:
    """The input's shape without its last dimension."""
    x, n = op.at_least("input", 1), op.value("n")
    op.rank("n", 0)
    if isinstance(n, int) and n < 0:
        raise ShapeError(f"`n` is {n}, but cannot be negative")
    if x.dims is None:
        return x
    length = x.dims[-1]
    if isinstance(n, int) and isinstance(length, int) and n >= length:
        raise ShapeError(f"`n` is {n}, but must be less than {length}, the length of the rows of `input` {x}")
    return Shape(x.dims[:-1])
