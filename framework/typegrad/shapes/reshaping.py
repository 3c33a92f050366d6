"""Shape and value functions of `ops/reshaping.yaml`."""

from __future__ import annotations

from collections.abc import Sequence

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.base.size import exact_quotient, times
from typegrad.shapes.values import axis_in, check_size, dims_of, flat, reshape_sizes, restructured
from typegrad.shapes.view import OpView, Value


def reshape(op: OpView) -> Shape:
    """The requested shape; -1 is computed, also where dimensions have names."""
    source, target = op.shape("tensor").dims, dims_of(op, "shape")
    if target is None:
        return UNKNOWN
    try:
        if target.count(-1) > 1:
            raise ShapeError("at most one size may be -1")
        if source is None:
            return Shape(tuple(_target_dim(dim) for dim in target))
        return _reshaped(source, target)
    except ShapeError as error:
        raise ShapeError(f"cannot reshape `tensor` of shape {Shape(source)} to {Shape(target)}: {error}") from None


def reshape_value(op: OpView) -> Value | None:
    """The same elements in another nesting."""
    return restructured(op.value("tensor"), reshape(op))


def _reshaped(source: Sequence[Dim], target: Sequence[Dim]) -> Shape:
    dims = tuple(_target_dim(dim) for dim in target)
    source_ints = [dim for dim in source if isinstance(dim, int)]
    target_ints = [dim for dim in target if isinstance(dim, int)]
    if len(source_ints) == len(source) and len(target_ints) == len(target):
        return Shape(reshape_sizes(source_ints, target_ints))
    _check_divisible(source, target)
    elements, known = 0 if 0 in source else times(source), times(dim for dim in dims if dim is not None)
    if elements is None or dims.count(None) > 1 or 0 in target:
        return Shape(dims)
    try:
        missing = exact_quotient(elements, known)
    except ShapeError:
        missing = -1
    # Without a missing size the quotient is 1, but may depend on names: [Batch, 8] may become [Time, 8].
    if missing == -1 or (None not in dims and isinstance(missing, int) and elements != 0 and missing != 1):
        raise ShapeError(f"{elements} elements cannot become {known}{' times a size' if None in dims else ''}")
    return Shape(tuple(missing if dim is None else dim for dim in dims))


def _target_dim(dim: Dim) -> Dim:
    if dim == -1:
        return None
    check_size(dim)
    return dim


def _check_divisible(source: Sequence[Dim], target: Sequence[Dim]) -> None:
    """If the number of elements is fixed, the known sizes of the input must divide it."""
    elements, known = Shape(tuple(target)).size, times(dim for dim in source if isinstance(dim, int))
    if elements is None or -1 in target or not isinstance(known, int):
        return
    if elements % known if known else elements:
        raise ShapeError(f"{counted(elements, 'element')} {'is' if elements == 1 else 'are'} not a multiple of {known}")


def expand_dims(op: OpView) -> Shape:
    """The input's shape with a 1 inserted."""
    if op.shape("axis").size not in (None, 1):
        raise ShapeError(f"`axis` must have a single element, but has shape {op.shape('axis')}")
    dims, (axis, *_) = op.shape("input").dims, flat(op.value("axis"))
    if dims is None:
        return UNKNOWN
    if not isinstance(axis, int):
        return Shape((None,) * (len(dims) + 1))
    at = axis_in(axis, len(dims) + 1, "axis")
    return Shape((*dims[:at], 1, *dims[at:]))


def expand_dims_value(op: OpView) -> Value | None:
    """The same elements in another nesting."""
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
    """The same elements in another nesting."""
    return restructured(op.value("input"), squeeze(op))


def transpose(op: OpView) -> Shape:
    """Dimension `perm[i]` of the input becomes dimension i."""
    x, perm = op.shape("x"), dims_of(op, "perm")
    if perm is None:
        return UNKNOWN if x.dims is None else Shape((None,) * len(x.dims))
    if x.dims is not None and len(perm) != len(x.dims):
        raise ShapeError(
            f"`perm` must name each of the {len(x.dims)} dimensions of `x` {x} once, but has {len(perm)} elements"
        )
    axes = [axis_in(axis, len(perm), "perm") if isinstance(axis, int) else None for axis in perm]
    known = [axis for axis in axes if axis is not None]
    if len(set(known)) != len(known):
        raise ShapeError(f"`perm` is {list(perm)}, but must name each dimension once")
    return Shape(tuple(None if axis is None or x.dims is None else x.dims[axis] for axis in axes))


def inverted(op: OpView) -> Shape:
    """A vector, as long as the input."""
    return op.rank("x", 1)


def inverted_value(op: OpView) -> Value | None:
    """The position of each of 0 .. n-1."""
    x = op.value("x")
    if x is None or set(x) != set(range(len(x))):
        return None
    return tuple(x.index(i) for i in range(len(x)))


def reverse_v2(op: OpView) -> Shape:
    """The input's shape."""
    shape, axes = op.shape("tensor"), dims_of(op, "axis")
    if shape.dims is None or axes is None:
        return shape
    known = [axis_in(axis, len(shape.dims)) for axis in axes if isinstance(axis, int)]
    if len(set(known)) != len(known):
        raise ShapeError(f"`axis` names a dimension twice: {list(axes)}")
    return shape


def reverse_sequence(op: OpView) -> Shape:
    """The input's shape; there is a length for each sequence."""
    shape, lengths = op.shape("input"), op.rank("seq_lengths", 1)
    dims = {name: op.attr(name) for name in ("seq_dim", "batch_dim")}
    if dims["seq_dim"] == dims["batch_dim"]:
        raise AttributeValueError(f"`seq_dim` and `batch_dim` are both {dims['seq_dim']}, but must differ")
    for name, dim in dims.items():
        if dim < 0 or (shape.dims is not None and dim >= len(shape.dims)):
            raise ShapeError(
                f"`{name}` is {dim}, but must be a dimension of `input` from 0 up, which has shape {shape}"
            )
    if shape.dims is None:
        return UNKNOWN
    at = dims["batch_dim"]
    try:
        count = merge_dim(shape.dims[at], lengths[0])
    except ShapeError:
        raise ShapeError(
            f"`seq_lengths` must have an element for each of the {shape.dims[at]} sequences along dimension {at} of "
            f"`input`, but has shape {lengths}"
        ) from None
    return Shape((*shape.dims[:at], count, *shape.dims[at + 1 :]))


def roll(op: OpView) -> Shape:
    """The shape of the input, which has the axes."""
    shape, shift, axes = op.at_least("input", 1), op.shape("shift"), op.value("axis")
    try:
        merge(shift, op.shape("axis"))
    except ShapeError:
        raise ShapeError(
            f"`shift` has shape {shift} and `axis` {op.shape('axis')}, but there must be a shift for each axis"
        ) from None
    if len(shift.dims or ()) > 1:
        raise ShapeError(f"`shift` must be a scalar or a vector, but has shape {shift}")
    for axis in axes if isinstance(axes, tuple) else (axes,):
        if shape.dims is not None and isinstance(axis, int):
            axis_in(axis, len(shape.dims))
    return shape
