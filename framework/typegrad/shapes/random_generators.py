"""Shape functions of `ops/random_generators.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.handle import Handle
from typegrad.base.shape import Shape
from typegrad.base.types import TInt64
from typegrad.shapes.random_distributions import ending
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView

STATE_SIZE = 3


def _check(op: OpView, algorithm: str = "algorithm") -> None:
    """Refuse a variable that cannot hold a state, and an algorithm that is no scalar."""
    op.rank("resource", 0)
    op.rank(algorithm, 0)
    handle: Handle | None = op.value("resource")
    if handle is None:
        return
    if handle.dtype is not TInt64:
        raise DTypeError(f"the variable is {handle.dtype.name}, but a generator's state is int64")
    dims = handle.current.dims
    if dims is not None and (len(dims) != 1 or (isinstance(dims[0], int) and dims[0] < STATE_SIZE)):
        raise ShapeError(
            f"the variable has shape {handle.current}, but a generator's state has shape [{STATE_SIZE}] or is longer"
        )


def rng_skip(op: OpView) -> tuple[()]:
    """No outputs."""
    _check(op)
    op.rank("delta", 0)
    return ()


def rng_read_and_skip(op: OpView) -> Shape:
    """A state."""
    _check(op, "alg")
    op.rank("delta", 0)
    return Shape((STATE_SIZE,))


def stateful(op: OpView) -> Shape:
    """The requested shape."""
    _check(op)
    return shape_from(op, "shape")


def stateful_int(op: OpView) -> Shape:
    """The requested shape; the bounds are scalars."""
    op.rank("minval", 0)
    op.rank("maxval", 0)
    return stateful(op)


def stateful_ending(op: OpView, *parameters: str) -> Shape:
    """The requested shape, which ends with the shape of the parameters together."""
    _check(op)
    return ending(op, *parameters)
