"""Arrays in which elements occur several times: grids of all combinations, and each element several times in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from typing_extensions import TypeVar

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Shape, merge
from typegrad.base.types import TBool, TInt32, TInt64, TNumber, TString
from typegrad.graph.operand import AnyOperand, Integer, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["meshgrid", "repeat"]

_MOST: Final = 2**63 - 1
_LARGE: Final = 2**48
"""More repeats than any memory holds. The sum of several numbers beyond it would not be exact."""

N = TypeVar("N", bound=TNumber | TBool)
T = TypeVar("T", bound=TNumber | TBool | TString)


def meshgrid(scope: Scope, *vectors: Operand[N], indexing: Literal["xy", "ij"] = "xy") -> list[Operand[N]]:
    """The coordinates of the points of a grid: an array of them for each vector.

    `xs, ys = tf.meshgrid(x, y)` makes two matrices with `len(y)` rows and `len(x)` columns: each row of `xs` is `x`,
    and each column of `ys` is `y`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "meshgrid".
        *vectors: Any number of operands of one element type. A scalar counts as a vector of size 1, and of an operand
            of a higher rank, all elements count.
        indexing: "ij" if the axes of the results are in the order of the vectors, "xy" if the first two axes are
            swapped.

    Returns:
        An operand for each vector, all of one shape, with an axis for each vector.

    Raises:
        DTypeError: The element types differ.

    Source: TensorFlow's `tf.meshgrid`.
    """
    with Ops.create(scope).with_sub_scope("meshgrid") as tf:
        for position, x in enumerate(vectors):
            if x.dtype is not vectors[0].dtype:
                types = f"vectors[0] is {vectors[0].dtype.name}, but vectors[{position}] is {x.dtype.name}"
                raise DTypeError(f"meshgrid: {types}; cast one with dtypes.Cast")
        lines: list[Operand[N]] = [tf.reshape(x.output_in(tf.scope), [-1]) for x in vectors]
        if len(lines) < 2:
            return lines
        axes = list(range(len(lines)))
        if indexing == "xy":
            axes[:2] = [1, 0]
        whole = tf.concat([tf.shape(lines[axis]) for axis in axes], 0)
        places = [[-1 if axis == own else 1 for axis in range(len(lines))] for own in axes]
        return [tf.broadcast_to(tf.reshape(x, place), whole) for x, place in zip(lines, places, strict=True)]


def repeat(
    scope: Scope,
    x: Operand[T],
    repeats: int | Sequence[Integer] | Operand[TInt32] | Operand[TInt64],
    axis: int | None = None,
) -> Operand[T]:
    """Each element several times in a row: `[1, 2]` twice is `[1, 1, 2, 2]`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "repeat".
        x: The elements, or rows.
        repeats: How often; one number for all, or a vector with a number for each.
        axis: The axis of the rows to repeat, counted from the end if negative. Without it, the elements of `x` are
            repeated, as a vector.

    Returns:
        An operand of the shape of `x`, but for the size of the axis.

    Raises:
        ShapeError: There is no such axis, there is another number of `repeats` than of rows, or their sum is
            beyond int64.

    Source: TensorFlow's `tf.repeat`.
    """
    with Ops.create(scope).with_sub_scope("repeat") as tf:
        x = x.output_in(tf.scope)
        if axis is None or x.shape.rank == 0:
            x, axis = tf.reshape(x, [-1]), 0 if axis is None else axis
        if x.shape.rank is not None and not -x.shape.rank <= axis < x.shape.rank:
            raise ShapeError(f"repeat: '{x.name}' of shape {x.shape} has no axis {axis}")
        rows = tf.shape(x, TInt64)[axis : axis + 1 or None]  # of int32, products and sums may be too large
        if isinstance(repeats, int):
            numbered = tf.broadcast_to(tf.range(0, rows[0], 1)[:, None], tf.concat([rows, [repeats]], 0))
            return tf.gather(x, tf.reshape(numbered, [-1]), axis)
        numbers = _as_operand(tf, repeats)
        _check_number(numbers, x, axis)
        counts = tf.clip_by_value(tf.broadcast_to(numbers, rows), 0, _LARGE)
        places, ends = tf.range(0, tf.sum(counts), 1), tf.math.cumsum(counts, 0)
        return tf.gather(x, tf.upper_bound(ends[None], places[None])[0], axis)


def _as_operand(tf: Ops, repeats: Sequence[Any] | AnyOperand) -> Operand[TInt64]:
    if not isinstance(repeats, Sequence):
        return tf.dtypes.cast(repeats, TInt64)
    if any(isinstance(each, Operand) for each in repeats):
        return tf.stack([tf.dtypes.cast(each, TInt64) for each in repeats])
    total = sum(max(each, 0) for each in repeats if isinstance(each, int))
    if total > _MOST:
        raise ShapeError(f"repeat: the sum of `repeats` is {total}, beyond int64")
    return tf.constant(repeats, TInt64)


def _check_number(repeats: AnyOperand, x: AnyOperand, axis: int) -> None:
    """Refuse another number of `repeats` than of rows."""
    shape = repeats.shape
    if shape.dims is None or x.shape.dims is None or shape.dims in ((), (1,)):
        return
    try:
        merge(shape, Shape((x.shape.dims[axis],)))
    except ShapeError:
        raise ShapeError(
            f"repeat: `repeats` has shape {shape}, but axis {axis} of '{x.name}' of shape {x.shape} has size "
            f"{x.shape.dims[axis]}; give a number for each row, or one for all"
        ) from None
