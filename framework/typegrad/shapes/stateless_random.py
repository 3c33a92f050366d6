"""Shape functions of `ops/stateless_random.yaml`."""

from __future__ import annotations

from functools import reduce

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import UNKNOWN, Shape, merge
from typegrad.shapes.values import shape_from, vector_length
from typegrad.shapes.view import OpView

COUNTER_SIZE = 2
LEAST_ROUNDS = 4
SEEDS = 3
"""How many numbers are the seed of an order."""


def check_seed(op: OpView) -> None:
    """Refuse a seed that is not two numbers."""
    if op.shape("seed").rank == 0:
        raise ShapeError("`seed` must have 2 elements, but is one number; write (0, 1)")
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


def stateless_shuffle(op: OpView) -> Shape:
    """The shape of the array."""
    check_source(op)
    return op.like("value")


def random_index_shuffle(op: OpView) -> Shape:
    """A scalar for one index, one seed and one limit, otherwise a vector."""
    rounds = op.attr("rounds")
    if rounds < LEAST_ROUNDS or rounds % 2:
        raise AttributeValueError(f"`rounds` is {rounds}, but must be even, and {LEAST_ROUNDS} or more")
    seed = op.at_least("seed", 1)
    shapes = {"index": op.shape("index"), "max_index": op.shape("max_index")}
    if seed.dims is not None:
        last = seed.dims[-1]
        if len(seed.dims) > 2 or (isinstance(last, int) and last != SEEDS):
            raise ShapeError(f"`seed` must have shape [{SEEDS}] or [n, {SEEDS}], but has shape {seed}")
    shapes["seed"] = UNKNOWN if seed.dims is None else Shape(seed.dims[:-1])
    for name, shape in shapes.items():
        if shape.rank is not None and shape.rank > 1:
            raise ShapeError(f"`{name}` must be a scalar or a vector, but has shape {shape}")
    try:
        result = reduce(merge, (shape for shape in shapes.values() if shape.dims), Shape((None,)))
    except ShapeError:
        told = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ShapeError(
            f"there must be one of each, or as many as there are others, but the shapes are {told}"
        ) from None
    if result.dims == (0,):
        raise ShapeError("there is no index")
    if any(shape.dims for shape in shapes.values()):
        return result
    return UNKNOWN if UNKNOWN in shapes.values() else Shape(())
