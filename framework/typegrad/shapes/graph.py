"""Shape and value functions of `ops/graph.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, as_shape, merge_dim
from typegrad.shapes.values import MAX_VALUE, product
from typegrad.shapes.view import OpView, Value


def const(op: OpView) -> Shape:
    """The shape of the array itself."""
    return Shape(tuple(int(size) for size in op.attr("value").shape))


def const_value(op: OpView) -> Value | None:
    """The array as nested tuples, if it is small and of integers or bools."""
    array = op.attr("value")
    if array.dtype.kind not in "biu" or array.size > MAX_VALUE:
        return None
    return _as_tuples(array.tolist())


def _as_tuples(value: Value) -> Value:
    return tuple(_as_tuples(element) for element in value) if isinstance(value, list) else value


def placeholder_with_default(op: OpView) -> Shape:
    """The stated shape: it may say less than the default's shape, because something else may be fed."""
    stated = as_shape(op.attr("shape"))
    ensured(op.shape("input"), stated)
    return stated


def ensure_shape(op: OpView) -> Shape:
    """All that is known from the input and from the stated shape."""
    return ensured(op.shape("input"), as_shape(op.attr("shape")))


def ensured(given: Shape, stated: Shape) -> Shape:
    """The shape of `given` once it has been found to be `stated`; a `ShapeError` if it can never be."""
    if given.dims is None:
        return stated
    if stated.dims is None:
        return given
    if len(given.dims) != len(stated.dims):
        raise ShapeError(
            f"`input` has shape {given}, which is not of rank {len(stated.dims)}, as `shape` {stated} says"
        )
    try:
        return Shape(tuple(_ensured_dim(a, b) for a, b in zip(given.dims, stated.dims, strict=True)))
    except ShapeError as error:
        raise ShapeError(f"`input` has shape {given}, which is not the `shape` {stated}: {error}") from None


def _ensured_dim(given: Dim, stated: Dim) -> Dim:
    # The one place where a named dimension meets a size: that is what the operation is for. The size says more.
    if isinstance(given, int) and isinstance(stated, str):
        return given
    if isinstance(given, str) and isinstance(stated, int):
        return stated
    return merge_dim(given, stated)


def identity_n(op: OpView) -> tuple[Shape, ...]:
    """Every input's own shape."""
    shapes = op.shapes("input")
    if not shapes:
        raise ShapeError("`input` must have one operand or more")
    return shapes


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
    return None if dims is None else product(dims)


def rank_value(op: OpView) -> Value | None:
    """The number of the input's dimensions."""
    return op.shape("input").rank


def identity_value(op: OpView) -> Value | None:
    """The input's value."""
    return op.value("input")
