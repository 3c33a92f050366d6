"""Checks of the arguments of functions. The name of the function, which errors begin with, comes first."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError
from typegrad.base.types import TFloat32, TFloat64, conversion
from typegrad.graph.operand import AnyOperand, AnyOutput

__all__ = ["at_least", "axes_from_start", "positive", "real_type"]


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
