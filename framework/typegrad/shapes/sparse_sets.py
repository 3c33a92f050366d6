"""Shape functions of `ops/sparse_sets.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge_dim
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView


def set_size(op: OpView) -> Shape:
    """The shape of the sparse array without its last size."""
    shape = _sparse(op, "set", "a set")
    return shape if shape.dims is None else Shape(shape.dims[:-1])


def edit_distance(op: OpView) -> Shape:
    """The larger sizes of both shapes, without the last ones."""
    one, other = (_sparse(op, name, "a sequence") for name in ("hypothesis", "truth"))
    if one.dims is None or other.dims is None:
        known = one.dims or other.dims
        return UNKNOWN if known is None else Shape((None,) * (len(known) - 1))
    if len(one.dims) != len(other.dims):
        raise ShapeError(f"`hypothesis_shape` {one} and `truth_shape` {other} must be of the same length")
    return Shape(tuple(map(_larger, one.dims[:-1], other.dims[:-1])))


def _larger(a: Dim, b: Dim) -> Dim:
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    return a if a == b else None


def _sparse(op: OpView, name: str, row: str) -> Shape:
    """The shape of a sparse array; its indices, values and shape must fit each other."""
    indices, values = op.rank(f"{name}_indices", 2).known(), op.rank(f"{name}_values", 1).known()
    shape = shape_from(op, f"{name}_shape")
    try:
        merge_dim(indices[0], values[0])
    except ShapeError:
        raise ShapeError(
            f"`{name}_indices` has {counted(indices[0], 'row')}, but `{name}_values` {counted(values[0], 'element')}"
        ) from None
    if shape.dims is None:
        return UNKNOWN
    if len(shape.dims) < 2:
        raise ShapeError(f"`{name}_shape` is {shape}, but must have two sizes or more: the last one is along {row}")
    if isinstance(indices[1], int) and indices[1] != len(shape.dims):
        raise ShapeError(f"`{name}_indices` has {counted(indices[1], 'column')}, but `{name}_shape` is {shape}")
    return shape
