"""Shape functions of `ops/quasi_random.yaml`."""

from __future__ import annotations

from typing import Final

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.values import integer, size_of
from typegrad.shapes.view import OpView

MAX_DIM: Final = 21201
"""The number of dimensions that there are direction numbers for."""


def sobol_sample(op: OpView) -> Shape:
    """A row for each point."""
    for name, least in (("dim", 1), ("num_results", 1), ("skip", 0)):
        value = integer(op, name)
        if value is not None and value < least:
            raise ShapeError(f"`{name}` is {value}, but must be at least {least}")
    dim, count, skip = (integer(op, name) for name in ("dim", "num_results", "skip"))
    if dim is not None and dim > MAX_DIM:
        raise ShapeError(f"`dim` is {dim}, but must be at most {MAX_DIM}")
    if count is not None and skip is not None and count + skip >= 2**31 - 1:
        raise ShapeError(f"`num_results` {count} and `skip` {skip} must be less than {2**31 - 1} together")
    return Shape((size_of(op, "num_results"), size_of(op, "dim")))
