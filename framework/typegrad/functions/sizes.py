"""Sizes of arrays for functions that reshape them: Python ints where they are static, operands elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError
from typegrad.base.types import TFloat32, TFloat64, conversion
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.scope import Scope
from typegrad.op.core import Pad, Reshape, Shape
from typegrad.rules.sizes import Size, vector

__all__ = ["at_least", "axes_from_start", "positive", "real_type", "resized", "sizes_of"]


def positive(function: str, name: str, value: int) -> int:
    """`value` as an integer; an `AttributeValueError` if it is less than 1."""
    number = index(value)
    if number < 1:
        raise AttributeValueError(f"{function}: {name} is {number}, but must be 1 or more")
    return number


def real_type(function: str, name: str, x: AnyOperand) -> type[Any]:
    """The element type of `x`; a `DTypeError` if there are no Fourier transforms of real numbers of this type."""
    if x.dtype not in (TFloat32, TFloat64):
        remedy = conversion("it", [TFloat32, TFloat64], [x.dtype])
        raise DTypeError(f"{function}: {name} '{x.name}' is {x.dtype.name}, but must be float32 or float64; {remedy}")
    return x.dtype


def at_least(function: str, name: str, x: AnyOutput, rank: int, shape: str) -> None:
    """A `ShapeError` for an array whose rank is unknown, or less than `rank`; `shape` is what it must be."""
    if len(x.shape.known(f"{function}: the rank of {name} '{x.name}'")) < rank:
        raise ShapeError(f"{function}: {name} '{x.name}' must have shape {shape}, but has shape {x.shape}")


def axes_from_start(function: str, name: str, x: AnyOutput, axes: Sequence[int]) -> list[int]:
    """The axes of `x`, whose rank is known, counted from the start; a `ShapeError` for one that is missing or twice."""
    rank = len(x.shape)
    for axis in axes:
        if not -rank <= axis < rank:
            raise ShapeError(f"{function}: `{name}`, of shape {x.shape}, has no axis {axis}")
    result = [axis % rank for axis in axes]
    if len(set(result)) < len(result):
        raise ShapeError(f"{function}: axes of `{name}` has an axis twice: {list(axes)}")
    return result


def sizes_of(scope: Scope, x: AnyOutput) -> list[Size]:
    """The size of each dimension of `x`, whose rank is known."""
    if x.shape.is_static:
        return list(x.shape.as_ints())
    shape = Shape.create(scope, x)
    return [dim if isinstance(dim, int) else shape[i] for i, dim in enumerate(x.shape.known())]


def resized(scope: Scope, x: AnyOutput, size: int) -> AnyOperand:
    """`x` with `size` elements in the last dimension: the first ones, or all and zeros after them."""
    *outer, last = sizes_of(scope, x)
    if last == size:
        return x
    missing = max(0, size - last) if isinstance(last, int) else size
    padded = Pad.create(scope, x, [*([0, 0] for _ in outer), [0, missing]]) if missing else x
    first = padded[..., :size]
    return first if isinstance(last, int) else Reshape.create(scope, first, vector(scope, [*outer, size]))
