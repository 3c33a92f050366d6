"""Labels, predictions and weights side by side: their ranks are made equal as Keras does it, and their shapes compared."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError, TypegradError
from typegrad.base.shape import broadcast, merge
from typegrad.base.types import ALL_TYPES, TBool, TFloating, TNumber, TReal, TType
from typegrad.graph.literals import AnyLike, RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import common_type, constant, convert
from typegrad.op import core, dtypes

__all__ = ["Label", "aligned", "as_operand", "as_type", "check_broadcast", "check_equal", "prepared", "rank_of"]

N = TypeVar("N", bound=TNumber | TBool)
A = TypeVar("A", bound=TNumber | TBool)
B = TypeVar("B", bound=TNumber | TBool)
F = TypeVar("F", bound=TFloating)
Label = TypeVar("Label", bound=TReal | TBool)
"""The element type of labels and weights: any real numbers, or truth values."""


def prepared(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> tuple[Operand[F], Operand[F]]:
    """Labels and predictions, both of the predictions' type, with equal ranks and shapes that broadcast.

    Raises:
        ShapeError: A rank is unknown or zero, or the shapes do not broadcast.
    """
    labels, predictions = aligned(scope, as_type(scope, y_true, y_pred.dtype, "y_true"), y_pred, "y_true", "y_pred")
    check_broadcast(labels, predictions, "y_true", "y_pred")
    if not rank_of(predictions, "y_pred"):
        raise ShapeError(
            "y_true and y_pred are scalars; a loss needs at least one dimension, the last, to average over"
        )
    return labels, predictions


def as_operand(scope: Scope, x: Operand[Any] | AnyLike, dtype: type[TType], name: str) -> Operand[Any]:
    """`x` itself; of a value a constant called `name`.

    An array keeps its type, and so do truth values, to be converted as operands are. Other numbers become `dtype` if nothing is lost.
    """
    if isinstance(x, Operand):
        return x
    own = common_type([x], ALL_TYPES)
    if own is TBool or isinstance(x, (np.ndarray, np.generic)):
        return constant(scope.with_name(name), x, own)
    try:
        tensor = convert(x, dtype, exact=True)
    except TypegradError as error:
        raise type(error)(f"{name}: {error}") from None
    return constant(scope.with_name(name), tensor, dtype)


def as_type(scope: Scope, x: Operand[A] | AnyLike, dtype: type[B], name: str = "Const") -> Operand[B]:
    """`x`, converted to `dtype` where it is of another type; a value becomes a constant called `name`."""
    operand = as_operand(scope, x, dtype, name)
    return cast("Operand[B]", operand) if operand.dtype is dtype else dtypes.Cast.create(scope, operand, dtype)


def rank_of(x: Operand[Any], name: str) -> int:
    """The rank; a `ShapeError` if it is unknown."""
    rank = x.rank
    if rank is None:
        raise ShapeError(
            f"the rank of {name} ('{x.name}') must be known: give its placeholder a shape, such as (None, 10)"
        )
    return rank


def aligned(
    scope: Scope, x: Operand[A], y: Operand[B], x_name: str, y_name: str, *, expand: bool = True
) -> tuple[Operand[A], Operand[B]]:
    """`x` and `y` with equal ranks, where they differ by a last dimension of size 1.

    A vector beside [n, 1] gets that dimension, if `expand`; otherwise the dimension is removed. All else, scalars included, stays
    as it is.

    Raises:
        ShapeError: A rank is unknown, or the last dimension that the ranks differ by.
    """
    ranks = rank_of(x, x_name), rank_of(y, y_name)
    if ranks[0] == ranks[1] + 1 and ranks[1]:
        y, x = _equal_ranks(scope, y, x, x_name, expand=expand)
    elif ranks[1] == ranks[0] + 1 and ranks[0]:
        x, y = _equal_ranks(scope, x, y, y_name, expand=expand)
    return x, y


def _equal_ranks(
    scope: Scope, low: Operand[A], high: Operand[B], name: str, *, expand: bool
) -> tuple[Operand[A], Operand[B]]:
    last = high.shape.known()[-1]
    if not isinstance(last, int):
        raise ShapeError(
            f"{name} ('{high.name}') of shape {high.shape} has one dimension more than '{low.name}' of shape {low.shape}, "
            "so whether its last dimension is 1 must be known: give its placeholder that size"
        )
    if last != 1:
        return low, high
    if low.rank == 1 and expand:
        return core.ExpandDims.create(scope, low, -1), high
    return low, core.Squeeze.create(scope, high, axis=(-1,))


def check_broadcast(x: Operand[A], y: Operand[B], x_name: str, y_name: str) -> None:
    """A `ShapeError` if the shapes can never broadcast."""
    try:
        broadcast(x.shape, y.shape)
    except ShapeError as error:
        raise _mismatch(x, y, x_name, y_name, "do not broadcast", error) from None


def check_equal(x: Operand[A], y: Operand[B], x_name: str, y_name: str) -> None:
    """A `ShapeError` if the shapes can never be equal."""
    try:
        merge(x.shape, y.shape)
    except ShapeError as error:
        raise _mismatch(x, y, x_name, y_name, "must have equal shapes", error) from None


def _mismatch(x: Operand[A], y: Operand[B], x_name: str, y_name: str, problem: str, cause: ShapeError) -> ShapeError:
    places = "".join(f"\n  '{z.name}' was created at {z.as_output().op.created_at}" for z in (x, y))
    return ShapeError(f"{x_name} of shape {x.shape} and {y_name} of shape {y.shape} {problem}: {cause}{places}")
