"""Shape functions of `ops/stateless_random.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.values import shape_from, vector_length
from typegrad.shapes.view import OpView

COUNTER_SIZE = 2


def check_seed(op: OpView) -> None:
    """Refuse a seed that is not two numbers."""
    length = vector_length(op, "seed")
    if length not in (2, None):
        raise ShapeError(f"`seed` must have 2 elements, but has {length}")


def key_counter(op: OpView) -> tuple[Shape, Shape]:
    """A key and a counter."""
    check_seed(op)
    return Shape((1,)), Shape((COUNTER_SIZE,))


def key_counter_alg(op: OpView) -> tuple[Shape, ...]:
    """A key, a counter and a scalar."""
    return *key_counter(op), Shape(())


def check_source(op: OpView) -> None:
    """Refuse what is no key, counter or algorithm."""
    if vector_length(op, "key") not in (1, None):
        raise ShapeError(f"`key` must have shape [1], but has shape {op.shape('key')}")
    length = vector_length(op, "counter")
    if length is not None and length < COUNTER_SIZE:
        raise ShapeError(f"`counter` must have {COUNTER_SIZE} elements, but has {length}")
    op.rank("alg", 0)


def stateless(op: OpView) -> Shape:
    """The requested shape."""
    check_source(op)
    return shape_from(op, "shape")


def stateless_int(op: OpView) -> Shape:
    """The requested shape; the bounds are scalars."""
    op.rank("minval", 0)
    op.rank("maxval", 0)
    return stateless(op)
