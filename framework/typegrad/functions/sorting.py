"""Sorting along an axis."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError
from typegrad.base.types import TFloating, TInt32, TReal, TUnsigned
from typegrad.graph.operand import AnyOperand, Operand, S
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["argsort", "sort"]

R = TypeVar("R", bound=TReal)


def sort(
    scope: Scope, values: Operand[R, S], axis: int = -1, direction: Literal["ASCENDING", "DESCENDING"] = "ASCENDING"
) -> Operand[R, S]:
    """The elements in ascending or descending order along an axis.

    nan is first in either order; in TensorFlow, its place depends on where it is in `values`. The gradient goes to
    where the elements come from.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "sort".
        values: The numbers, of rank 1 or more.
        axis: The axis, counted from the end if negative.
        direction: The order.

    Returns:
        An operand of the type and shape of `values`.

    Raises:
        AttributeValueError: `direction` is neither "ASCENDING" nor "DESCENDING".
        ShapeError: There is no such axis; or the rank is unknown and `axis` is not -1.

    Source: TensorFlow's `tf.sort`.
    """
    with Ops.create(scope).with_sub_scope("sort") as tf:
        ordered, _ = _sorted(tf, "sort", values.output_in(tf.scope), axis, direction)
        return cast("Operand[R, S]", ordered)


def argsort(
    scope: Scope,
    values: Operand[R, S],
    axis: int = -1,
    direction: Literal["ASCENDING", "DESCENDING"] = "ASCENDING",
) -> Operand[TInt32, S]:
    """The positions of the elements in ascending or descending order along an axis; equal ones stay in their order.

    nan is first in either order; in TensorFlow, its place depends on where it is in `values`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "argsort".
        values: The numbers, of rank 1 or more.
        axis: The axis, counted from the end if negative.
        direction: The order.

    Returns:
        The positions along the axis, of the shape of `values`: `np.take_along_axis` of them sorts.

    Raises:
        AttributeValueError: `direction` is neither "ASCENDING" nor "DESCENDING".
        ShapeError: There is no such axis; or the rank is unknown and `axis` is not -1.

    Source: TensorFlow's `tf.argsort`.
    """
    with Ops.create(scope).with_sub_scope("argsort") as tf:
        _, places = _sorted(tf, "argsort", values.output_in(tf.scope), axis, direction)
        return cast("Operand[TInt32, S]", places)


def _reversed(x: AnyOperand, direction: str) -> AnyOperand:
    """The numbers whose descending order is the requested order of `x`; `x` again, of these numbers."""
    if direction == "DESCENDING":
        return x
    if issubclass(x.dtype, TFloating):
        return -x
    if issubclass(x.dtype, TUnsigned):
        return int(np.iinfo(x.dtype.numpy).max) - x
    return -x - 1  # the negative of the least integer does not exist


def _sorted(tf: Ops, name: str, values: AnyOperand, axis: int, direction: str) -> tuple[AnyOperand, AnyOperand]:
    """The elements in an order along an axis, and their positions."""
    rank = values.rank
    if (axis != -1 and rank is None) or (rank is not None and not -rank <= axis < rank):
        what = f"'{values.name}' of shape {values.shape}"
        raise ShapeError(
            f"{name}: the axes of {what} are unknown" if rank is None else f"{name}: {what} has no axis {axis}"
        )
    x = _reversed(values, direction)
    if rank is None or axis % rank == rank - 1:
        ordered, places = _descending(tf, x)
        return _reversed(ordered, direction), places
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    ordered, places = _descending(tf, tf.linalg.transpose(x, order))
    return _reversed(tf.linalg.transpose(ordered, order), direction), tf.linalg.transpose(places, order)


def _descending(tf: Ops, x: AnyOperand) -> tuple[AnyOperand, AnyOperand]:
    """The elements in descending order along the last axis, and their positions."""
    length = x.shape.dims[-1] if x.shape.dims else None
    top = tf.nn.top_k(x, length if isinstance(length, int) else tf.shape(x)[-1])
    return top.values, top.indices
