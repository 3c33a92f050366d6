"""Shape and value functions of `ops/slicing.yaml`, but for strided slices."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge_dim
from typegrad.shapes.values import axis_in, dims_of
from typegrad.shapes.view import OpView, Value


def sliced(op: OpView) -> Shape:
    """The size, with what is left of a dimension where that is -1."""
    x, begin, size = op.shape("input"), dims_of(op, "begin"), dims_of(op, "size")
    lengths = {len(known) for known in (begin, size, x.dims) if known is not None}
    if len(lengths) > 1:
        raise ShapeError(
            "`begin` and `size` must have as many elements as `input` has dimensions: "
            f"`begin` has shape {op.shape('begin')}, `size` {op.shape('size')}, `input` {x}"
        )
    if not lengths:
        return UNKNOWN
    unknown = (None,) * lengths.pop()
    parts = zip(x.dims or unknown, begin or unknown, size or unknown, strict=True)
    return Shape(tuple(_sliced_dim(axis, *part) for axis, part in enumerate(parts)))


def _sliced_dim(axis: int, dim: Dim, begin: Dim, size: Dim) -> Dim:
    if isinstance(begin, int) and (begin < 0 or (isinstance(dim, int) and begin > dim)):
        raise ShapeError(f"`begin[{axis}]` is {begin}, but must be {_up_to(dim)}")
    left = dim - begin if isinstance(dim, int) and isinstance(begin, int) else dim if begin == 0 else None
    if size == -1:
        return left
    room = left if isinstance(left, int) else dim
    if isinstance(size, int) and (size < -1 or (isinstance(room, int) and size > room)):
        raise ShapeError(f"`size[{axis}]` is {size}, but must be -1 or {_up_to(room)}")
    return size


def _up_to(limit: Dim) -> str:
    return f"in [0, {limit}]" if isinstance(limit, int) else "0 or more"


def slice_value(op: OpView) -> Value | None:
    """A part of a vector."""
    x, begin, size = op.value("input"), op.value("begin"), op.value("size")
    if not isinstance(x, tuple) or begin is None or size is None or len(begin) != 1:
        return None
    (first,), (count,) = begin, size
    if not isinstance(first, int) or not isinstance(count, int):
        return None
    return x[first:] if count == -1 else x[first : first + count]


def gathered(op: OpView) -> Shape:
    """The shape of params, with that of the indices (but for the batch dimensions) in the place of the axis."""
    params, indices = op.at_least("params", 1), op.shape("indices")
    op.rank("axis", 0)
    axis, batch = op.value("axis"), op.attr("batch_dims")
    if indices.dims is None or params.dims is None:
        return UNKNOWN
    batch = _batch_dims(batch, params, indices)
    if not isinstance(axis, int):
        lead = _merged_batch(params, indices, batch)
        return Shape(lead + (None,) * (len(params.dims) + len(indices.dims) - 2 * batch - 1))
    axis = axis_in(axis, len(params.dims))
    if batch > axis:
        raise ShapeError(f"`batch_dims` is {batch}, but must not exceed `axis`, which is {axis}")
    lead = _merged_batch(params, indices, batch)
    return Shape(lead + params.dims[batch:axis] + indices.dims[batch:] + params.dims[axis + 1 :])


def _batch_dims(batch: int, params: Shape, indices: Shape) -> int:
    rank = len(indices.known())
    if not -rank <= batch <= rank:
        raise ShapeError(
            f"`batch_dims` is {batch}, but must be in [{-rank}, {rank}], because `indices` has shape {indices}"
        )
    batch = batch + rank if batch < 0 else batch
    if batch >= len(params.known()):
        raise ShapeError(
            f"`batch_dims` is {batch}, but must be less than the rank of `params`, which has shape {params}"
        )
    return batch


def _merged_batch(params: Shape, indices: Shape, batch: int) -> tuple[Dim, ...]:
    try:
        return tuple(map(merge_dim, params.known()[:batch], indices.known()[:batch]))
    except ShapeError:
        raise ShapeError(
            f"the first {batch} dimensions of `params` and `indices` differ: {params} and {indices}"
        ) from None


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


def one_hot(op: OpView) -> Shape:
    """The indices' shape with a new axis of size depth."""
    for name in ("depth", "on_value", "off_value"):
        op.rank(name, 0)
    depth, axis, indices = op.value("depth"), op.attr("axis"), op.shape("indices")
    if axis < -1:
        raise ShapeError(f"`axis` is {axis}, but must be -1 or more")
    if isinstance(depth, int) and depth < 0:
        raise ShapeError(f"`depth` is {depth}, but cannot be negative")
    if indices.dims is None:
        return UNKNOWN
    if axis > len(indices.dims):
        raise ShapeError(
            f"`axis` is {axis}, but `indices` has shape {indices}, so it can be {len(indices.dims)} at most"
        )
    position = len(indices.dims) if axis == -1 else axis
    return Shape((*indices.dims[:position], depth, *indices.dims[position:]))


def select_value(op: OpView) -> Value | None:
    """An element of `t` or `e` for each element of the condition, for vectors and scalars."""
    condition, t, e = op.value("condition"), op.value("t"), op.value("e")
    if condition is None or t is None or e is None:
        return None
    if isinstance(condition, bool):
        return (t if condition else e) if isinstance(t, tuple) == isinstance(e, tuple) else None
    if not all(isinstance(element, bool) for element in condition):
        return None
    n = len(condition)
    ts, es = (value if isinstance(value, tuple) else (value,) * n for value in (t, e))
    if not len(ts) == len(es) == n:
        return None
    return tuple(a if holds else b for holds, a, b in zip(condition, ts, es, strict=True))


def where(op: OpView) -> Shape:
    """A row per true element, a column per dimension."""
    return Shape((None, op.at_least("condition", 1).rank))
