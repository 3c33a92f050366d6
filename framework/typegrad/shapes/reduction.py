"""Shape and value functions of `ops/reduction.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.base.size import plus, times
from typegrad.shapes.values import axis_in
from typegrad.shapes.view import OpView, Value

INT32_LIMIT: Final = 2**31
"""Sums and products from here on might wrap in a kernel, so their values are left to it."""


def reduced_axes(op: OpView, rank: int) -> tuple[int, ...] | None:
    """The axes from 0 up, if `axis` is known."""
    value = op.value("axis")
    if value is None:
        return None
    listed = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(axis, int) for axis in listed):
        return None
    axes = tuple(axis_in(axis, rank, "axis") for axis in listed)
    if len(set(axes)) < len(axes):
        raise ShapeError(f"`axis` is {list(listed)}, which names an axis of the rank-{rank} `input` twice")
    return axes


def _folded(op: OpView, fold: Callable[[tuple[Dim, ...]], Dim]) -> Value | None:
    """The value of a vector of sizes reduced to one number."""
    x = op.value("input")
    if not isinstance(x, tuple) or op.attr("T").name not in ("int32", "int64") or op.shape("input").rank != 1:
        return None
    if reduced_axes(op, 1) != (0,):
        return None
    result = fold(x)
    if result is None or (isinstance(result, int) and abs(result) >= INT32_LIMIT):
        return None
    return (result,) if op.attr("keep_dims") else result


def reduced(op: OpView) -> Shape:
    """The input's shape without the reduced axes, or with size 1 in their places."""
    x, indices, keep = op.shape("input"), op.shape("axis"), op.attr("keep_dims")
    if indices.rank is not None and indices.rank > 1:
        raise ShapeError(f"`axis` must be a scalar or a vector, but has shape {indices}")
    if x.dims is None:
        return UNKNOWN
    axes = reduced_axes(op, len(x.dims))
    if axes is None:
        return _without_axes(x.dims, indices, keep)
    if keep:
        return Shape(tuple(1 if axis in axes else dim for axis, dim in enumerate(x.dims)))
    return Shape(tuple(dim for axis, dim in enumerate(x.dims) if axis not in axes))


def sum_value(op: OpView) -> Value | None:
    """The sum of a vector."""
    return _folded(op, plus)


def _without_axes(dims: tuple[Dim, ...], indices: Shape, keep: bool) -> Shape:
    """What is left to know when the axes are not: no axis is named twice, so their number gives the rank."""
    if keep:
        return Shape(tuple(1 if dim == 1 else None for dim in dims))
    count = 1 if indices.dims == () else indices.dims[0] if indices.dims else None
    if not isinstance(count, int):
        return UNKNOWN
    if count > len(dims):
        raise ShapeError(
            f"`axis` has {counted(count, 'element')}, but `input` has only {counted(len(dims), 'dimension')}"
        )
    return Shape((None,) * (len(dims) - count))


def _of_ints(function: Callable[[Iterable[int]], int], elements: tuple[Dim, ...]) -> Dim:
    known = [element for element in elements if isinstance(element, int)]
    return function(known) if len(known) == len(elements) else None


def prod_value(op: OpView) -> Value | None:
    """The product of a vector, such as the size of a shape."""
    return _folded(op, times)


def max_value(op: OpView) -> Value | None:
    """The largest element of a vector."""
    return _folded(op, lambda elements: _of_ints(max, elements) if elements else None)


def min_value(op: OpView) -> Value | None:
    """The smallest element of a vector."""
    return _folded(op, lambda elements: _of_ints(min, elements) if elements else None)


def scalar_axis(op: OpView, name: str, rank: int | None) -> int | None:
    """A scalar input as an axis from 0 up, if it and the rank are known."""
    op.rank(name, 0)
    axis = op.value(name)
    return axis_in(axis, rank, name) if isinstance(axis, int) and rank is not None else None


def arg_reduced(op: OpView) -> Shape:
    """The input's shape without one axis."""
    x = op.at_least("input", 1)
    axis = scalar_axis(op, "dimension", x.rank)
    if x.dims is None:
        return UNKNOWN
    if axis is None:
        return Shape((None,) * (len(x.dims) - 1))
    if x.dims[axis] == 0:
        raise ShapeError(f"`input` has shape {x}: axis {axis} is empty, so there is no position to return")
    return Shape(x.dims[:axis] + x.dims[axis + 1 :])
