"""Shape functions of `ops/selection.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.base.types import TComplex
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView


def gather_nd(op: OpView) -> Shape:
    """The points' shape, followed by that of what a point stands for."""
    params, indices = op.at_least("params", 1), op.at_least("indices", 1)
    if params.dims is None or indices.dims is None:
        return UNKNOWN
    depth = indices.dims[-1]
    if not isinstance(depth, int):
        return UNKNOWN
    if depth > len(params.dims):
        raise ShapeError(
            f"`indices` has {depth} columns, its shape is {indices}, but `params` {params} has fewer dimensions"
        )
    return Shape(indices.dims[:-1] + params.dims[depth:])


def scatter_nd(op: OpView) -> Shape:
    """The shape that is asked for."""
    indices, updates, result = op.at_least("indices", 1), op.shape("updates"), shape_from(op, "shape")
    if result.dims is None or indices.dims is None:
        return result
    depth = indices.dims[-1]
    if not isinstance(depth, int):
        return result
    if depth > len(result.dims):
        raise ShapeError(
            f"`indices` has {depth} columns, its shape is {indices}, but the result {result} has fewer dimensions"
        )
    expected = Shape(indices.dims[:-1] + result.dims[depth:])
    try:
        merge(updates, expected)
    except ShapeError:
        raise ShapeError(
            f"`updates` has shape {updates}, but with indices of shape {indices} into shape {result} it must be {expected}"
        ) from None
    return result


def unique(op: OpView) -> tuple[Shape, Shape]:
    """x with an unknown number of slices along the axis, and a number for each slice of x."""
    x, axis, axes = op.shape("x"), op.value("axis"), op.rank("axis", 1).known()[0]
    if axis is None:
        rank = x.rank if axes != 0 else 1
        return (UNKNOWN if rank is None else Shape((None,) * rank)), Shape((None,))
    if len(axis) > 1:
        raise ShapeError(f"`axis` must be a vector of one axis or none, but is {list(axis)}")
    if not axis:
        return Shape((None,)), op.rank("x", 1)
    if x.dims is None or axis[0] is None:
        return x if x.dims is None else Shape((None,) * len(x.dims)), Shape((None,))
    if not -len(x.dims) <= axis[0] < len(x.dims):
        raise ShapeError(f"`axis` is {axis[0]}, but `x` has shape {x}")
    dim = axis[0] % len(x.dims)
    return Shape((*x.dims[:dim], None, *x.dims[dim + 1 :])), Shape((x.dims[dim],))


def clip(op: OpView) -> Shape:
    """The shape of t, which the bounds have, too, unless they are scalars."""
    if issubclass(op.attr("T"), TComplex):
        raise DTypeError(f"`t` is {op.attr('T').name}, but complex numbers have no order")
    t = op.shape("t")
    for name in ("clip_value_min", "clip_value_max"):
        bound = op.shape(name)
        if bound.dims is None or not bound.dims:
            continue
        try:
            t = merge(t, bound)
        except ShapeError:
            raise ShapeError(
                f"`{name}` must be a scalar or have the shape of `t`, {t}, but has shape {bound}"
            ) from None
    return t
