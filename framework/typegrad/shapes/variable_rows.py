"""Shape functions of `ops/variable_rows.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge, merge_dim
from typegrad.shapes.values import check_indices
from typegrad.shapes.variable import variable_shape
from typegrad.shapes.view import OpView


def gathered(op: OpView) -> Shape:
    """The shape of the indices, followed by the shape of a row."""
    variable, indices, batch = variable_shape(op), op.shape("indices"), op.attr("batch_dims")
    if batch < 0:
        raise ShapeError(f"`batch_dims` is {batch}, but must not be negative")
    for what, shape, least in (("the variable", variable, batch + 1), ("`indices`", indices, batch)):
        if shape.dims is not None and len(shape.dims) < least:
            raise ShapeError(f"with `batch_dims` {batch}, {what} must have rank {least} or more, but has shape {shape}")
    if variable.dims is None or indices.dims is None:
        return UNKNOWN
    check_indices(op, "indices", variable.dims[batch], f"the size of axis {batch} of the variable")
    try:
        lead = tuple(map(merge_dim, variable.dims[:batch], indices.dims[:batch]))
    except ShapeError:
        raise ShapeError(
            f"with `batch_dims` {batch}, the variable and `indices` must begin with the same sizes, but have shapes "
            f"{variable} and {indices}"
        ) from None
    return Shape(lead + indices.dims[batch:] + variable.dims[batch + 1 :])


def scattered(op: OpView) -> tuple[()]:
    """No outputs; the updates must be a scalar, or a row of the variable's shape per index."""
    variable, indices, updates = variable_shape(op), op.shape("indices"), op.shape("updates")
    check_rows(variable)
    if variable.dims is None or indices.dims is None or updates.dims == ():
        return ()
    expected = Shape(indices.dims + variable.dims[1:])
    try:
        merge(updates, expected)
    except ShapeError:
        raise ShapeError(
            f"`updates` has shape {updates}, but must be a scalar or {expected}: "
            f"`indices` has shape {indices}, the variable {variable}"
        ) from None
    return ()


def check_rows(variable: Shape) -> None:
    """Refuse a variable that is a scalar."""
    if variable.dims == ():
        raise ShapeError("the variable is a scalar, which has no rows to update; it must have rank 1 or more")
