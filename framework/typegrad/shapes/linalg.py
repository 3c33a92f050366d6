"""Shape functions of `ops/linalg.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge_dim
from typegrad.shapes.equation import parse
from typegrad.shapes.values import axis_in, dims_of
from typegrad.shapes.view import OpView


def mat_mul(op: OpView) -> Shape:
    """[m, k] times [k, n], after transposition."""
    a, b = op.rank("a", 2), op.rank("b", 2)
    m, inner_a = reversed(a.known()) if op.attr("transpose_a") else a.known()
    inner_b, n = reversed(b.known()) if op.attr("transpose_b") else b.known()
    try:
        merge_dim(inner_a, inner_b)
    except ShapeError:
        flags = [f"transpose_{name}=True" for name in "ab" if op.attr(f"transpose_{name}")]
        after = f" with {' and '.join(flags)}" if flags else ""
        raise ShapeError(f"inner dimensions differ: a is {a}, b is {b}{after}") from None
    return Shape((m, n))


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


def einsum(op: OpView) -> Shape:
    """What the equation says."""
    return parse(op.attr("equation")).infer(op.shapes("inputs"))
