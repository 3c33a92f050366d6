"""Labels, predictions and weights: conversion to one type, equal ranks as in Keras, and checks of their shapes."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError
from typegrad.base.shape import broadcast, merge
from typegrad.base.types import TBool, TIntegral, TNumber, TReal
from typegrad.functions.casting import as_type
from typegrad.graph.explain import input_lines
from typegrad.graph.operand import AnyOperand, F, Operand
from typegrad.graph.operand_like import RealLike
from typegrad.op._ops import Ops

__all__ = [
    "ClassNumber",
    "Label",
    "Value",
    "Weight",
    "aligned",
    "check_broadcast",
    "check_equal",
    "prepared",
    "rank_of",
]

A = TypeVar("A", bound=TNumber | TBool)
B = TypeVar("B", bound=TNumber | TBool)
Label = TypeVar("Label", bound=TReal | TBool)
"""The element type of labels: real numbers or truth values."""
Weight = TypeVar("Weight", bound=TReal | TBool)
"""The element type of the weights of samples: real numbers or truth values."""
Value = TypeVar("Value", bound=TReal | TBool)
"""The element type of predictions that need not be floating point: real numbers or truth values."""
ClassNumber = TypeVar("ClassNumber", bound=TIntegral)
"""The element type of labels that are numbers of classes."""


def prepared(tf: Ops, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> tuple[Operand[F], Operand[F]]:
    """Labels and predictions of the predictions' type, with equal ranks and shapes that broadcast.

    Raises:
        ShapeError: A rank is unknown or zero, or the shapes do not broadcast.
    """
    labels, predictions = aligned(tf, as_type(tf.scope, y_true, y_pred.dtype, "y_true"), y_pred, "y_true", "y_pred")
    check_broadcast(labels, predictions, "y_true", "y_pred")
    if not rank_of(predictions, "y_pred"):
        raise ShapeError(
            "y_true and y_pred are scalars; a loss needs at least one dimension, the last, to average over"
        )
    return labels, predictions


def rank_of(x: AnyOperand, name: str) -> int:
    """The rank; a `ShapeError` if it is unknown."""
    rank = x.rank
    if rank is None:
        raise ShapeError(
            f"the rank of {name} ('{x.name}') must be known: give its placeholder a shape, such as (None, 10)"
        )
    return rank


def aligned(tf: Ops, x: Operand[A], y: Operand[B], x_name: str, y_name: str) -> tuple[Operand[A], Operand[B]]:
    """`x` and `y` with equal ranks, if their ranks differ by a last dimension of size 1.

    A vector beside [n, 1] gets that dimension. Otherwise the dimension is removed. All other shapes, scalars included,
    stay as they are.

    Raises:
        ShapeError: A rank is unknown, or the last dimension that the ranks differ by.
    """
    ranks = rank_of(x, x_name), rank_of(y, y_name)
    if ranks[0] == ranks[1] + 1 and ranks[1]:
        y, x = _equal_ranks(tf, y, x, x_name)
    elif ranks[1] == ranks[0] + 1 and ranks[0]:
        x, y = _equal_ranks(tf, x, y, y_name)
    return x, y


def _equal_ranks(tf: Ops, low: Operand[A], high: Operand[B], name: str) -> tuple[Operand[A], Operand[B]]:
    last = high.shape.known()[-1]
    if not isinstance(last, int):
        raise ShapeError(
            f"{name} ('{high.name}') of shape {high.shape} has one dimension more than '{low.name}' of shape "
            f"{low.shape}, so whether its last dimension is 1 must be known: give its placeholder that size"
        )
    if last != 1:
        return low, high
    if low.rank == 1:
        return tf.expand_dims(low, -1), high
    return low, tf.squeeze(high, axis=(-1,))


def check_broadcast(x: AnyOperand, y: AnyOperand, x_name: str, y_name: str) -> None:
    """A `ShapeError` if the shapes can never broadcast."""
    try:
        broadcast(x.shape, y.shape)
    except ShapeError as error:
        raise _mismatch(x, y, x_name, y_name, "do not broadcast", error) from None


def check_equal(y_true: AnyOperand, y_pred: AnyOperand) -> None:
    """A `ShapeError` if the shapes can never be equal."""
    try:
        merge(y_true.shape, y_pred.shape)
    except ShapeError as error:
        raise _mismatch(y_true, y_pred, "y_true", "y_pred", "must have equal shapes", error) from None


def _mismatch(x: AnyOperand, y: AnyOperand, x_name: str, y_name: str, problem: str, cause: ShapeError) -> ShapeError:
    lines = input_lines([(x_name, x, None), (y_name, y, None)])
    _, colon, reason = str(cause).partition(": ")  # before it are the shapes once more
    return ShapeError(f"{x_name} of shape {x.shape} and {y_name} of shape {y.shape} {problem}{colon}{reason}{lines}")
