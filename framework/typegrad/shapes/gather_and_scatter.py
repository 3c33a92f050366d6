"""Shape and value functions of `ops/gather_and_scatter.yaml`."""

from __future__ import annotations

from collections.abc import Sequence

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.shapes.values import axis_in, check_index, check_indices, shape_from
from typegrad.shapes.view import OpView, Value


def gathered(op: OpView) -> Shape:
    """The shape of params, with the axis replaced by the shape of the indices without the batch dimensions."""
    params, indices = op.at_least("params", 1), op.shape("indices")
    op.rank("axis", 0)
    axis, batch = op.value("axis"), _batch_dims(op.attr("batch_dims"), params, indices)
    if batch is None or indices.dims is None or params.dims is None:
        return UNKNOWN
    if not isinstance(axis, int):
        lead = _merged_batch(params, indices, batch)
        return Shape(lead + (None,) * (len(params.dims) + len(indices.dims) - 2 * batch - 1))
    axis = axis_in(axis, len(params.dims))
    if batch > axis:
        raise ShapeError(f"`batch_dims` is {batch}, but must not exceed `axis`, which is {axis}")
    lead = _merged_batch(params, indices, batch)
    result = Shape(lead + params.dims[batch:axis] + indices.dims[batch:] + params.dims[axis + 1 :])
    if all(isinstance(dim, int) and dim > 0 for dim in result.known()):  # else nothing may be looked up
        check_indices(op, "indices", params.dims[axis], f"the size of axis {axis} of `params`")
    return result


def gather_value(op: OpView) -> Value | None:
    """Elements of a vector or rows of a matrix."""
    params, indices = op.value("params"), op.value("indices")
    if not isinstance(params, tuple) or indices is None or op.value("axis") != 0 or op.attr("batch_dims") != 0:
        return None
    if isinstance(indices, tuple):
        if not all(isinstance(index, int) and 0 <= index < len(params) for index in indices):
            return None
        return tuple(params[index] for index in indices)
    return params[indices] if isinstance(indices, int) and 0 <= indices < len(params) else None


def _batch_dims(batch: int, params: Shape, indices: Shape) -> int | None:
    """The number of leading dimensions that both have, if known."""
    if indices.dims is None:
        return None
    rank = len(indices.dims)
    if not -rank <= batch <= rank:
        raise ShapeError(
            f"`batch_dims` is {batch}, but must be in [{-rank}, {rank}], because `indices` has shape {indices}"
        )
    batch = batch + rank if batch < 0 else batch
    if params.dims is not None and batch >= len(params.dims):
        raise ShapeError(
            f"`batch_dims` is {batch}, but must be less than the rank of `params`, which has shape {params}"
        )
    return batch


def _merged_batch(params: Shape, indices: Shape, batch: int) -> tuple[Dim, ...]:
    try:
        return tuple(map(merge_dim, params.known()[:batch], indices.known()[:batch]))
    except ShapeError:
        raise ShapeError(
            f"with `batch_dims` {batch}, `params` and `indices` must begin with the same sizes, but have shapes "
            f"{params} and {indices}"
        ) from None


def gather_nd(op: OpView) -> Shape:
    """The shape of the points, followed by the shape of the slice at a point."""
    return at_points(op, op.at_least("params", 1), "`params`")


def at_points(op: OpView, params: Shape, what: str) -> Shape:
    """The shape of the points, followed by the shape of the slice of an array at a point."""
    indices = op.at_least("indices", 1)
    depth = indices.dims[-1] if indices.dims is not None else None
    if params.dims is None or indices.dims is None or not isinstance(depth, int):
        return UNKNOWN
    if depth > len(params.dims):
        raise ShapeError(
            f"`indices` has {counted(depth, 'column')}, its shape is {indices}, but {what} {params} has fewer "
            "dimensions"
        )
    if op.attrs.get("bad_indices_policy") != "IGNORE":
        _check_points(OpView.value(op, "indices"), params.dims[:depth], what)
    return Shape(indices.dims[:-1] + params.dims[depth:])


def _check_points(points: Value | None, dims: Sequence[Dim], what: str, place: tuple[int, ...] = ()) -> None:
    """Refuse points that are known and outside of an array; the kernel refuses all others."""
    if isinstance(points, tuple):
        if any(isinstance(each, tuple) for each in points):
            for i, each in enumerate(points):
                _check_points(each, dims, what, (*place, i))
        else:
            for axis, (index, size) in enumerate(zip(points, dims, strict=False)):
                check_index("indices", (*place, axis), index, size, f"the size of axis {axis} of {what}")


def scatter_nd(op: OpView) -> Shape:
    """The requested shape."""
    result = shape_from(op, "shape")
    check_updates(op, result, "the result")
    return result


def scattered(op: OpView, name: str) -> Shape:
    """The shape of the array that is updated."""
    array = op.at_least(name, 1)
    check_updates(op, array, f"`{name}`")
    return array


def check_updates(op: OpView, array: Shape, what: str) -> None:
    """Refuse updates that do not fit the points in an array."""
    updates, indices, expected = op.shape("updates"), op.shape("indices"), at_points(op, array, what)
    if expected.dims is None and indices.dims is not None:
        _check_start(updates, indices)
    try:
        merge(updates, expected)
    except ShapeError:
        raise ShapeError(
            f"`updates` has shape {updates}, but with indices of shape {indices} into shape {array} it "
            f"must be {expected}"
        ) from None


def _check_start(updates: Shape, indices: Shape) -> None:
    """Refuse updates that are not one for each point, whatever the array is."""
    lead = Shape(indices.known()[:-1])
    try:
        merge(lead, updates if updates.dims is None else Shape(updates.dims[: len(lead)]))
    except ShapeError:
        raise ShapeError(
            f"`updates` has shape {updates}, but with indices of shape {indices} it must begin with {lead}"
        ) from None
