"""Shape and value functions of `ops/joining.yaml`."""

from __future__ import annotations

from collections.abc import Sequence

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, as_shape, merge, merge_dim
from typegrad.base.size import exact_quotient, minus, plus
from typegrad.shapes.common import disagreement, merged
from typegrad.shapes.values import MAX_VALUE, axis_in, check_size, dims_of, integer, vector_length
from typegrad.shapes.view import OpView, Value


def pack(op: OpView) -> Shape:
    """The shape of all values, with their number inserted."""
    values, axis = op.shapes("values"), op.attr("axis")
    dims = merged(op, "values").dims
    if dims is None:
        return UNKNOWN
    at = axis_in(axis, len(dims) + 1)
    return Shape((*dims[:at], len(values), *dims[at:]))


def pack_value(op: OpView) -> Value | None:
    """Scalars as a vector, where some may be unknown; other values along a new first axis."""
    values, shape = op.value("values"), pack(op)
    if values is None or not any(value is not None for value in values) or not shape.dims:
        return None
    if len(shape.dims) == 1:
        return tuple(values)
    return tuple(values) if op.attr("axis") == 0 and None not in values else None


def unpack(op: OpView) -> tuple[Shape, ...]:
    """`num` times the input's shape without one dimension."""
    num: int = op.attr("num")
    shape = op.shape("value")
    if shape.dims is None:
        return (UNKNOWN,) * num
    at = axis_in(op.attr("axis"), len(shape.dims))
    try:
        merge_dim(shape.dims[at], num)
    except ShapeError:
        raise ShapeError(f"dimension {at} of `value`, of shape {shape}, is not of size `num`, {num}") from None
    return (Shape(shape.dims[:at] + shape.dims[at + 1 :]),) * num


def unpack_value(op: OpView) -> Value | None:
    """The elements of a vector, or the rows or columns of a matrix."""
    value, rank, axis = op.value("value"), op.shape("value").rank, op.attr("axis")
    if value is None or rank not in (1, 2):
        return None
    return value if axis % rank == 0 else tuple(tuple(row[i] for row in value) for i in range(op.attr("num")))


def concat_v2(op: OpView) -> Shape:
    """The inputs' shape, with the sum of their sizes along the axis."""
    shapes, axis = op.shapes("values"), integer(op, "axis")
    if len(shapes) < 2:
        raise ShapeError(f"`values` must be two operands or more, but there is {len(shapes)}")
    rank = next((len(shape.dims) for shape in shapes if shape.dims is not None), None)
    if rank == 0:
        raise ShapeError("`values` are scalars, which cannot be concatenated; core.Stack makes a vector of them")
    if any(shape.dims is not None and len(shape.dims) != rank for shape in shapes):
        raise ShapeError(f"`values` differ in rank: {_listed(shapes, None)}")
    if rank is None:
        return UNKNOWN
    if axis is None:
        return Shape((None,) * rank)
    at = axis_in(axis, rank)
    columns = list(zip(*(shape.dims if shape.dims is not None else (None,) * rank for shape in shapes), strict=True))
    try:
        rest = Shape(())
        for i, column in enumerate(columns):
            rest = Shape((*rest.known(), plus(column) if i == at else _one(column)))
    except ShapeError as error:
        raise ShapeError(f"`values` must agree in all dimensions but {at}: {_listed(shapes, at)}: {error}") from None
    return rest


def _listed(shapes: Sequence[Shape], at: int | None) -> str:
    """A few shapes, or of many two that differ, not counting the dimension `at`."""
    return disagreement("values", shapes, at) or ", ".join(map(str, shapes))


def concat_v2_value(op: OpView) -> Value | None:
    """Vectors one after the other, where the elements of some may be unknown."""
    values, shape = op.value("values"), concat_v2(op)
    if values is None or shape.rank != 1 or shape.size is None or shape.size > MAX_VALUE:
        return None
    if all(value is None for value in values):
        return None
    lengths = (each.size or 0 for each in op.shapes("values"))
    parts = ((None,) * length if value is None else value for value, length in zip(values, lengths, strict=True))
    return tuple(element for part in parts for element in part)


def _one(column: Sequence[Dim]) -> Dim:
    dim: Dim = None
    for each in column:
        dim = merge_dim(dim, each)
    return dim


def split(op: OpView) -> tuple[Shape, ...]:
    """Equal parts."""
    count: int = op.attr("num_split")
    shape = op.shape("value")
    axis = _split_axis(op)
    if shape.dims is None:
        return (UNKNOWN,) * count
    if axis is None:
        return (Shape((None,) * len(shape.dims)),) * count
    at = axis_in(axis, len(shape.dims), "axis")
    dim = shape.dims[at]
    if isinstance(dim, int):
        if dim % count:
            raise ShapeError(f"dimension {at} of `value`, of shape {shape}, cannot be split into {count} equal parts")
        dim //= count
    else:
        try:
            dim = exact_quotient(dim, count)
        except ShapeError as error:
            raise ShapeError(
                f"dimension {at} of `value`, of shape {shape}, cannot be split into {count} equal parts: {error}"
            ) from None
    return (Shape((*shape.dims[:at], dim, *shape.dims[at + 1 :])),) * count


def _split_axis(op: OpView) -> int | None:
    """The axis, if it is known; a vector has only one."""
    axis = integer(op, "axis")
    if axis is not None:
        return axis
    return 0 if op.at_least("value", 1).rank == 1 else None


def split_v(op: OpView) -> tuple[Shape, ...]:
    """Parts of the listed sizes; -1 takes the rest."""
    count: int = op.attr("num_split")
    shape = op.shape("value")
    axis = _split_axis(op)
    if vector_length(op, "size_splits") not in (None, count):
        raise ShapeError(
            f"`size_splits` must have an element for each of {count} outputs, but has shape {op.shape('size_splits')}"
        )
    if shape.dims is None:
        return (UNKNOWN,) * count
    if axis is None:
        return (Shape((None,) * len(shape.dims)),) * count
    at = axis_in(axis, len(shape.dims), "axis")
    sizes = dims_of(op, "size_splits") or (None,) * count
    try:
        parts = _parts(shape.dims[at], sizes)
    except ShapeError as error:
        raise ShapeError(
            f"dimension {at} of `value`, of shape {shape}, cannot be split into {Shape(sizes)}: {error}"
        ) from None
    return tuple(Shape((*shape.dims[:at], part, *shape.dims[at + 1 :])) for part in parts)


def _parts(dim: Dim, sizes: tuple[Dim, ...]) -> tuple[Dim, ...]:
    if sizes.count(-1) > (len(sizes) > 1):
        raise ShapeError("-1 may occur once, and only among several sizes")
    for size in sizes:
        check_size(0 if size == -1 else size)
    if -1 in sizes:
        stated = plus(size for size in sizes if size != -1)
        left = minus(dim, stated)
        if isinstance(left, int) and left < 0:
            raise ShapeError(f"the sizes beside -1 sum to {stated}")
        return tuple(left if size == -1 else size for size in sizes)
    merge_dim(dim, plus(sizes))
    return sizes


def parallel_concat(op: OpView) -> Shape:
    """The stated shape, which has a row for each value."""
    values, shape = op.shapes("values"), as_shape(op.attr("shape"))
    if not shape.is_static:
        raise AttributeValueError(f"`shape` is {shape}, but must state all sizes")
    expected = Shape((1, *shape.as_ints()[1:]))
    for value in values:
        try:
            merge(value, expected)
        except ShapeError:
            raise ShapeError(
                f"`values` must have shape {expected}, as `shape` is {shape}, but one has {value}"
            ) from None
    if shape.as_ints()[:1] != (len(values),):
        raise ShapeError(f"`shape` is {shape}, but `values` has {counted(len(values), 'operand')} of one row each")
    return shape
