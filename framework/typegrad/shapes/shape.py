"""Shape and value functions of `ops/shape.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, as_shape, broadcast, merge, merge_dim
from typegrad.base.size import Size, names_of, plus, times
from typegrad.shapes.values import axis_in, dims_of, integer, shape_from, vector_length
from typegrad.shapes.view import OpView, Value


def shape(op: OpView) -> Shape:
    """A vector, as long as the rank of the input."""
    return Shape((op.shape("input").rank,))


def shape_value(op: OpView) -> Value | None:
    """The input's dimensions."""
    return op.shape("input").dims


def shape_n(op: OpView) -> tuple[Shape, ...]:
    """A vector per input, as long as its rank."""
    return tuple(Shape((each.rank,)) for each in op.shapes("input"))


def shape_n_value(op: OpView) -> Value | None:
    """The dimensions of each input."""
    return tuple(each.dims for each in op.shapes("input"))


def size_value(op: OpView) -> Value | None:
    """The product of the input's dimensions."""
    dims = op.shape("input").dims
    return None if dims is None else times(dims)


def rank_value(op: OpView) -> Value | None:
    """The number of the input's dimensions."""
    return op.shape("input").rank


def ensure_shape(op: OpView) -> Shape:
    """All that is known from the input and from the stated shape."""
    return ensured(op.shape("input"), as_shape(op.attr("shape")))


def ensured(actual: Shape, stated: Shape) -> Shape:
    """The shape of an array of shape `actual` that must have shape `stated`; a `ShapeError` if it cannot."""
    if actual.dims is None:
        return stated
    if stated.dims is None:
        return actual
    if len(actual.dims) != len(stated.dims):
        raise ShapeError(
            f"`input` has shape {actual}, which is not of rank {len(stated.dims)}, as `shape` {stated} says"
        )
    try:
        return Shape(tuple(_ensured_dim(a, b) for a, b in zip(actual.dims, stated.dims, strict=True)))
    except ShapeError as error:
        raise ShapeError(f"`input` has shape {actual}, which is not the `shape` {stated}: {error}") from None


def _ensured_dim(actual: Dim, stated: Dim) -> Dim:
    # The one place where a named dimension meets a size: that is what the operation is for. The size says more.
    if actual is None or stated is None or actual == stated:
        return stated if actual is None else actual
    if isinstance(actual, int) != isinstance(stated, int):
        return actual if isinstance(actual, int) else stated
    # Arithmetic with names may be given another name.
    is_arithmetic = isinstance(actual, Size) or isinstance(stated, Size)
    return stated if is_arithmetic and names_of(actual).isdisjoint(names_of(stated)) else merge_dim(actual, stated)


def broadcast_gradient_args(op: OpView) -> tuple[Shape, Shape]:
    """Two vectors."""
    for name in ("s0", "s1"):
        vector_length(op, name)
    axes = broadcast_gradient_args_value(op)
    if axes is None:
        return Shape((None,)), Shape((None,))
    return Shape((len(axes[0]),)), Shape((len(axes[1]),))


def broadcast_gradient_args_value(op: OpView) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The axes, if every size is known. Names are not enough: a dimension of size 1 would be among the axes."""
    a, b = dims_of(op, "s0"), dims_of(op, "s1")
    if a is None or b is None or None in a or None in b:
        return None
    if a == b:
        return (), ()
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True))
    if any(not isinstance(dim, int) for pair in pairs for dim in pair):
        return None
    if any(x != y and 1 not in (x, y) for x, y in pairs):
        raise ShapeError(f"shapes {Shape(a)} and {Shape(b)} do not broadcast")
    return tuple(i for i, (x, _) in enumerate(pairs) if x == 1), tuple(i for i, (_, y) in enumerate(pairs) if y == 1)


def broadcast_args(op: OpView) -> Shape:
    """A vector, as long as the longer shape."""
    a, b = dims_of(op, "s0"), dims_of(op, "s1")
    if a is None or b is None:
        return Shape((None,))
    broadcast(Shape(a), Shape(b))
    return Shape((max(len(a), len(b)),))


def broadcast_args_value(op: OpView) -> Value | None:
    """The sizes that two shapes broadcast to."""
    a, b = dims_of(op, "s0"), dims_of(op, "s1")
    return None if a is None or b is None else broadcast(Shape(a), Shape(b)).dims


def concat_offset(op: OpView) -> tuple[Shape, ...]:
    """Vectors as long as the shapes."""
    shapes = op.shapes("shape")
    if len(shapes) < 2:
        raise ShapeError(f"`shape` must be two vectors or more, but there is {len(shapes)}")
    length: Dim = None
    for each in shapes:
        if each.rank not in (None, 1):
            raise ShapeError(f"`shape` must be vectors, but one has shape {each}")
        length = merge_dim(length, None if each.dims is None else each.dims[0])
    concat_offset_value(op)
    return (Shape((length,)),) * len(shapes)


def concat_offset_value(op: OpView) -> Value | None:
    """The offsets, if the shapes and the dimension are known; a `ShapeError` if the shapes cannot be concatenated."""
    at, shapes = integer(op, "concat_dim"), op.value("shape")
    if at is None or shapes is None or None in shapes:
        return None
    axis, first = axis_in(at, len(shapes[0]), "concat_dim"), shapes[0]
    for each in shapes[1:]:
        try:
            merge(Shape((*first[:axis], *first[axis + 1 :])), Shape((*each[:axis], *each[axis + 1 :])))
        except ShapeError:
            raise ShapeError(
                f"shapes {Shape(first)} and {Shape(each)} differ in other dimensions than {axis}"
            ) from None
    starts = [plus(each[axis] for each in shapes[:count]) for count in range(len(shapes))]
    return tuple(tuple(start if i == axis else 0 for i in range(len(first))) for start in starts)


def unravel_index(op: OpView) -> Shape:
    """A row of coordinates for each dimension."""
    indices, dims = op.shape("indices"), shape_from(op, "dims")
    if dims.dims is not None and 0 in dims.dims:
        raise ShapeError(f"`dims` is {dims}, but an array without elements has no indices")
    dtype = op.attr("Tidx")
    if dims.size is not None and dims.size >= 2 ** (8 * dtype.numpy.itemsize - 1):
        raise ShapeError(f"`dims` is {dims}, but an array of {dims.size} elements has indices beyond {dtype.name}")
    if indices.dims is None:
        return UNKNOWN
    if len(indices.dims) > 1:
        raise ShapeError(f"`indices` must be a scalar or a vector, but has shape {indices}")
    return Shape((dims.rank, *indices.dims))
