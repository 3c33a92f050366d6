"""Shape and value functions of `ops/arrays.yaml`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.shapes.common import merged
from typegrad.shapes.values import (
    MAX_VALUE,
    axis_in,
    dims_of,
    flat,
    integer,
    product,
    reshape_sizes,
    restructured,
    shape_from,
    total,
    vector_length,
)
from typegrad.shapes.view import OpView, Value

# One array in another shape


def reshape(op: OpView) -> Shape:
    """The shape asked for; -1 is worked out, also where dimensions have names."""
    given, wanted = op.shape("tensor").dims, dims_of(op, "shape")
    if wanted is None:
        return UNKNOWN
    try:
        if wanted.count(-1) > 1:
            raise ShapeError("at most one size may be -1")
        if given is None:
            return Shape(tuple(_wanted_dim(dim) for dim in wanted))
        return _reshaped(given, wanted)
    except ShapeError as error:
        raise ShapeError(f"cannot reshape `tensor` of shape {Shape(given)} to {Shape(wanted)}: {error}") from None


def _reshaped(given: Sequence[Dim], wanted: Sequence[Dim]) -> Shape:
    given_ints = [dim for dim in given if isinstance(dim, int)]
    wanted_ints = [dim for dim in wanted if isinstance(dim, int)]
    if len(given_ints) == len(given) and len(wanted_ints) == len(wanted):
        return Shape(reshape_sizes(given_ints, wanted_ints))
    # Take away what both sides have: names cancel, and the rest must make up for the missing size.
    names = Counter(dim for dim in given if isinstance(dim, str))
    names.subtract(dim for dim in wanted if isinstance(dim, str))
    left = list(names.elements())
    dims = tuple(_wanted_dim(dim) for dim in wanted)
    open_at = [i for i, dim in enumerate(dims) if dim is None]
    is_vague = None in given or len(open_at) > 1 or (None in wanted and 0 in wanted)
    if is_vague or any(count < 0 for count in names.values()) or (left and not open_at):
        _check_divisible(given, wanted)
        return Shape(dims)
    if not left:
        sizes = reshape_sizes(given_ints, [dim for dim in dims if isinstance(dim, int)] + [-1] * len(open_at))
        return Shape(tuple(sizes[-1] if dim is None else dim for dim in dims))
    elements, divisor = math.prod(given_ints), math.prod(dim for dim in dims if isinstance(dim, int))
    filled = product((*left, elements // divisor)) if divisor and elements % divisor == 0 else None
    return Shape(tuple(filled if dim is None else dim for dim in dims))


def _wanted_dim(dim: Dim) -> Dim:
    if isinstance(dim, int) and dim < -1:
        raise ShapeError("a size cannot be negative")
    return None if dim == -1 else dim


def _check_divisible(given: Sequence[Dim], wanted: Sequence[Dim]) -> None:
    """With a fixed number of elements wanted, the sizes known of the input must divide it."""
    elements, known = Shape(tuple(wanted)).size, product(dim for dim in given if isinstance(dim, int))
    if elements is None or -1 in wanted or not isinstance(known, int):
        return
    if elements % known if known else elements:
        raise ShapeError(f"{elements} elements are not a multiple of {known}")


def reshape_value(op: OpView) -> Value | None:
    """The same elements, nested otherwise."""
    return restructured(op.value("tensor"), reshape(op))


def expand_dims(op: OpView) -> Shape:
    """The input's shape with a 1 inserted."""
    if op.shape("axis").size not in (None, 1):
        raise ShapeError(f"`axis` must have a single element, but has shape {op.shape('axis')}")
    dims, value = op.shape("input").dims, op.value("axis")
    if dims is None:
        return UNKNOWN
    if value is None:
        return Shape((None,) * (len(dims) + 1))
    at = axis_in(flat(value)[0], len(dims) + 1, "axis")
    return Shape((*dims[:at], 1, *dims[at:]))


def expand_dims_value(op: OpView) -> Value | None:
    """The same elements, nested otherwise."""
    return restructured(op.value("input"), expand_dims(op))


def squeeze(op: OpView) -> Shape:
    """The input's shape without 1s."""
    shape, axes = op.shape("input"), op.attr("axis")
    dims = shape.dims
    if dims is None:
        return UNKNOWN
    if not axes:
        return Shape(tuple(dim for dim in dims if dim != 1)) if shape.is_static else UNKNOWN
    dropped = {axis_in(axis, len(dims), "axis") for axis in axes}
    wrong = next((axis for axis in sorted(dropped) if isinstance(dims[axis], int) and dims[axis] != 1), None)
    if wrong is not None:
        raise ShapeError(f"dimension {wrong} of `input`, of shape {shape}, is not of size 1")
    return Shape(tuple(dim for i, dim in enumerate(dims) if i not in dropped))


def squeeze_value(op: OpView) -> Value | None:
    """The same elements, nested otherwise."""
    return restructured(op.value("input"), squeeze(op))


# Arrays from scratch


def fill(op: OpView) -> Shape:
    """The shape that `dims` spells out."""
    op.rank("value", 0)
    return shape_from(op, "dims")


def fill_value(op: OpView) -> Value | None:
    """The value, as often as needed."""
    shape, value = fill(op), op.value("value")
    if value is None or shape.size is None or shape.size > MAX_VALUE:
        return None
    return restructured((value,) * shape.size, shape)


def arange(op: OpView) -> Shape:
    """A vector; its length follows from integer inputs, and is a name for the range from 0 to that name by 1."""
    start, limit, delta = (integer(op, name) for name in ("start", "limit", "delta"))
    if delta == 0:
        raise ShapeError("`delta` must not be 0")
    if start is None or delta is None:
        return Shape((None,))
    if limit is None:
        name = op.value("limit")
        return Shape((name if (start, delta) == (0, 1) else None,))
    if (limit - start) * delta < 0:
        raise ShapeError(f"`delta` is {delta}, which does not lead from `start` {start} to `limit` {limit}")
    return Shape((len(range(start, limit, delta)),))


def arange_value(op: OpView) -> Value | None:
    """The numbers, if all inputs are known."""
    start, limit, delta = (integer(op, name) for name in ("start", "limit", "delta"))
    if start is None or limit is None or delta is None:
        return None
    numbers = range(start, limit, delta)
    return tuple(numbers) if len(numbers) <= MAX_VALUE else None


def lin_space(op: OpView) -> Shape:
    """A vector of `num`."""
    for name in ("start", "stop"):
        op.rank(name, 0)
    num = integer(op, "num")
    if num is not None and num < 1:
        raise ShapeError(f"`num` must be at least 1, but is {num}")
    return Shape((op.value("num"),))


# Several arrays to one and back


def pack(op: OpView) -> Shape:
    """The shape of all values, with their number inserted."""
    values, axis = op.shapes("values"), op.attr("axis")
    try:
        dims = merged(op, "values").dims
    except ShapeError as error:
        raise ShapeError(f"`values` must have one shape: {error}") from None
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
    """The sizes along the axis add up; all others agree."""
    shapes, axis = op.shapes("values"), integer(op, "axis")
    if len(shapes) < 2:
        raise ShapeError(f"`values` must be two operands or more, but there is {len(shapes)}")
    rank = next((len(shape.dims) for shape in shapes if shape.dims is not None), None)
    listed = ", ".join(map(str, shapes))
    if rank == 0:
        raise ShapeError("`values` are scalars, which cannot be concatenated; stack them")
    if any(shape.dims is not None and len(shape.dims) != rank for shape in shapes):
        raise ShapeError(f"`values` differ in rank: {listed}")
    if rank is None:
        return UNKNOWN
    if axis is None:
        return Shape((None,) * rank)
    at = axis_in(axis, rank)
    columns = list(zip(*(shape.dims if shape.dims is not None else (None,) * rank for shape in shapes), strict=True))
    try:
        rest = Shape(())
        for i, column in enumerate(columns):
            rest = Shape((*rest.known(), total(column) if i == at else _one(column)))
    except ShapeError as error:
        raise ShapeError(f"`values` must agree in all dimensions but {at}: {listed}: {error}") from None
    return rest


def _one(column: Sequence[Dim]) -> Dim:
    dim: Dim = None
    for each in column:
        dim = merge_dim(dim, each)
    return dim


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


def split(op: OpView) -> tuple[Shape, ...]:
    """Equal parts."""
    count: int = op.attr("num_split")
    axis, shape = integer(op, "axis"), op.shape("value")
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
    elif count > 1:
        dim = None
    return (Shape((*shape.dims[:at], dim, *shape.dims[at + 1 :])),) * count


def split_v(op: OpView) -> tuple[Shape, ...]:
    """Parts of given sizes; -1 takes what is left."""
    count: int = op.attr("num_split")
    axis, shape = integer(op, "axis"), op.shape("value")
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
        raise ShapeError("-1 may stand once, and only among several sizes")
    if any(isinstance(size, int) and size < -1 for size in sizes):
        raise ShapeError("a size cannot be negative")
    if -1 in sizes:
        rest = total(size for size in sizes if size != -1)
        left = dim if rest == 0 else dim - rest if isinstance(dim, int) and isinstance(rest, int) else None
        if isinstance(left, int) and left < 0:
            raise ShapeError("the sizes exceed it")
        return tuple(left if size == -1 else size for size in sizes)
    if None not in sizes and (together := total(sizes)) is not None:
        merge_dim(dim, together)
    return sizes


# Repetition and order


def tile(op: OpView) -> Shape:
    """Each size times its multiple."""
    shape, multiples = op.shape("input"), shape_from(op, "multiples")
    if shape.dims is None and multiples.dims is None:
        return UNKNOWN
    rank = len(shape.dims if shape.dims is not None else multiples.known())
    dims = shape.dims if shape.dims is not None else (None,) * rank
    factors = multiples.dims if multiples.dims is not None else (None,) * rank
    if len(dims) != len(factors):
        raise ShapeError(f"`multiples` has {len(factors)} elements, but `input` has shape {shape}")
    return Shape(tuple(product(pair) for pair in zip(dims, factors, strict=True)))


def broadcast_to(op: OpView) -> Shape:
    """The shape asked for, if the input can be broadcast to it."""
    shape, target = op.shape("input"), shape_from(op, "shape")
    if shape.dims is None or target.dims is None:
        return target
    lead = len(target.dims) - len(shape.dims)
    if lead < 0:
        raise ShapeError(f"`input` has shape {shape}, of higher rank than `shape` {target}")
    try:
        tail = [
            each if dim == 1 else merge_dim(each, dim) for dim, each in zip(shape.dims, target.dims[lead:], strict=True)
        ]
    except ShapeError as error:
        raise ShapeError(f"`input` of shape {shape} cannot be broadcast to {target}: {error}") from None
    # Where only the input's size is known, it is the result's, unless it is a name, which may turn out to be 1.
    known = (
        None if each is None and isinstance(dim, str) else dim
        for dim, each in zip(tail, target.dims[lead:], strict=True)
    )
    return Shape((*target.dims[:lead], *known))


def reverse_v2(op: OpView) -> Shape:
    """The input's shape."""
    shape, axes = op.shape("tensor"), dims_of(op, "axis")
    if shape.dims is None or axes is None:
        return shape
    known = [axis_in(axis, len(shape.dims)) for axis in axes if isinstance(axis, int)]
    if len(set(known)) != len(known):
        raise ShapeError(f"`axis` names a dimension twice: {list(axes)}")
    return shape


def pad_v2(op: OpView) -> Shape:
    """Each size and the widths of its two borders."""
    op.rank("constant_values", 0)
    rows, columns = op.rank("paddings", 2).known()
    if columns not in (None, 2):
        raise ShapeError(f"`paddings` must be of shape [n, 2], but is {op.shape('paddings')}")
    counted = rows if isinstance(rows, int) else None
    shape = op.shape("input")
    if counted is not None:
        shape = merge(shape, Shape((None,) * counted)) if shape.rank in (None, counted) else shape
    if shape.dims is None:
        return UNKNOWN
    if counted not in (None, len(shape.dims)):
        raise ShapeError(f"`paddings` has {counted} rows, but `input` has shape {shape}")
    widths = op.value("paddings") or ((None, None),) * len(shape.dims)
    if any(isinstance(width, int) and width < 0 for pair in widths for width in pair):
        raise ShapeError(f"`paddings` must not be negative, but is {[list(pair) for pair in widths]}")
    return Shape(tuple(total((dim, *pair)) for dim, pair in zip(shape.dims, widths, strict=True)))


def broadcast_gradient_args(op: OpView) -> tuple[Shape, Shape]:
    """Two vectors."""
    for name in ("s0", "s1"):
        vector_length(op, name)
    axes = broadcast_gradient_args_value(op)
    if axes is None:
        return Shape((None,)), Shape((None,))
    return Shape((len(axes[0]),)), Shape((len(axes[1]),))


def broadcast_gradient_args_value(op: OpView) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The axes, if every size is known. A name does not do: of size 1, it would be among them."""
    a, b = dims_of(op, "s0"), dims_of(op, "s1")
    if a is None or b is None or None in a or None in b:
        return None
    if a == b:
        return (), ()
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True))
    if any(isinstance(dim, str) for pair in pairs for dim in pair):
        return None
    if any(x != y and 1 not in (x, y) for x, y in pairs):
        raise ShapeError(f"shapes {Shape(a)} and {Shape(b)} do not broadcast")
    return tuple(i for i, (x, _) in enumerate(pairs) if x == 1), tuple(i for i, (_, y) in enumerate(pairs) if y == 1)
