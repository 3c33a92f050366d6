# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# An empty list is a list of operands of every type, so the overloads of `clip_by_global_norm` overlap; the first that
# fits wins.
"""Norms of vectors and matrices, and arrays scaled down to a norm."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Literal, cast, overload

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TComplex, TComplex64, TComplex128, TFloat32, TFloat64
from typegrad.functions.casting import as_type, real_parts
from typegrad.functions.checks import axes_from_start
from typegrad.functions.reduction import global_norm
from typegrad.functions.rows import with_values
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, F, Operand, Output, S
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["clip_by_global_norm", "clip_by_norm", "norm"]

C = TypeVar("C", bound=TComplex)


@overload
def norm(
    scope: Scope,
    x: Operand[F],
    ord: Literal["euclidean", "fro"] | float = "euclidean",  # TensorFlow's name
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
) -> Operand[F]: ...
@overload
def norm(
    scope: Scope,
    x: Operand[C],
    ord: Literal["euclidean", "fro"] = "euclidean",
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
) -> Operand[C]: ...
@overload
def norm(
    scope: Scope,
    x: Operand[TComplex64],
    ord: Literal[1],
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
) -> Operand[TFloat32]: ...
@overload
def norm(
    scope: Scope,
    x: Operand[TComplex128],
    ord: Literal[1],
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
) -> Operand[TFloat64]: ...
@overload
def norm(
    scope: Scope,
    x: Operand[C],
    ord: float,
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
) -> Operand[Any]: ...
def norm(
    scope: Scope,
    x: Operand[Any],
    ord: Literal["euclidean", "fro"] | float = "euclidean",
    axis: int | Sequence[int] | None = None,
    *,
    keepdims: bool = False,
) -> Operand[Any]:
    """The norm of vectors, or of matrices: by default the root of the sum of the squares.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "norm".
        x: The numbers, real or complex.
        ord: Which norm. "euclidean": the root of the sum of squares, which "fro" (Frobenius) also is, for matrices. Of
            vectors, a positive number p: the p-th root of the sum of the p-th powers of the absolute values, of which
            infinity is the largest. Of matrices, 1: the largest sum of a column; infinity: of a row; 2: the largest
            singular value.
        axis: The axis along which the vectors lie; the rows and the columns of the matrices, a pair; or None for the
            norm of all elements as one vector.
        keepdims: Whether the axes stay, with size 1.

    Returns:
        The norms, of the shape of `x` without the axes. As in TensorFlow, the root of the sum of squares of complex
        numbers is complex, with an imaginary part of 0; other norms of theirs are real.

    Raises:
        AttributeValueError: `ord` is no norm of vectors, or of matrices, or `axis` is no axis or pair of axes.
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.norm`.
    """
    axes = None if axis is None else [axis] if isinstance(axis, int) else list(axis)
    is_matrix = axes is not None and not isinstance(axis, int)
    _check(ord, axes, is_matrix=is_matrix)
    with Ops.create(scope).with_sub_scope("norm") as tf:
        x = x.output_in(tf.scope)
        if is_matrix and ord == 2:
            return _spectral(tf, x, axes or [], keepdims=keepdims)
        if ord in ("euclidean", "fro", 2):
            squared = x * tf.math.conj(x) if issubclass(x.dtype, TComplex) else tf.math.square(x)
            return tf.math.sqrt(tf.sum(squared, axes, keep_dims=keepdims))
        sizes = abs(x)
        if is_matrix and axes is not None:
            added = axes[0 if ord == 1 else 1]
            return tf.max(tf.sum(sizes, added, keep_dims=True), axes, keep_dims=keepdims)
        if ord == inf:
            return tf.max(sizes, axes, keep_dims=keepdims)
        if ord == 1:
            return tf.sum(sizes, axes, keep_dims=keepdims)
        power = float(ord)
        return tf.math.pow(tf.sum(tf.math.pow(sizes, power), axes, keep_dims=keepdims), 1.0 / power)


def _check(ord: str | float, axes: Sequence[int] | None, *, is_matrix: bool) -> None:
    """Refuse what is no norm."""
    if is_matrix and len(axes or ()) != 2:
        raise AttributeValueError(f"norm: axis is an axis, a pair of axes or None, not {axes}")
    if is_matrix and ord not in ("euclidean", "fro", 1, 2, inf):
        raise AttributeValueError(f"norm: ord is {ord!r}, but of matrices it is 'euclidean', 'fro', 1, 2 or infinity")
    if not is_matrix and ord != "euclidean" and (isinstance(ord, str) or not ord > 0):
        raise AttributeValueError(f"norm: ord is {ord!r}, but of vectors it is 'euclidean' or a positive number")


def _spectral(tf: Ops, x: Output[Any], axes: Sequence[int], *, keepdims: bool) -> Operand[Any]:
    """The largest singular value of the matrices."""
    rank = len(x.shape.known(f"norm: the rank of '{x.name}'"))
    last = axes_from_start("norm", "x", x, axes)
    outer = [axis for axis in range(rank) if axis not in last]
    matrices: AnyOperand = tf.linalg.transpose(x, [*outer, *last])
    largest: AnyOperand = tf.max(real_parts(tf, tf.linalg.svd(matrices, compute_uv=False).s), -1)
    for axis in sorted(last) if keepdims else ():
        largest = tf.expand_dims(largest, axis)
    return largest


def clip_by_norm(
    scope: Scope, t: Operand[F, S], clip_norm: float | Operand[F], axes: int | Sequence[int] | None = None
) -> Operand[F, S]:
    """Scale an array down to the Euclidean norm `clip_norm`, if its norm is greater.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "clip_by_norm".
        t: The array.
        clip_norm: The greatest norm, positive: a number or a scalar.
        axes: The axes along which the vectors lie, each of which is scaled; all, if left out.

    Returns:
        An operand of the type and shape of `t`.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.clip_by_norm`.
    """
    with Ops.create(scope).with_sub_scope("clip_by_norm") as tf:
        t = t.output_in(tf.scope)
        squares: Operand[F] = tf.sum(tf.math.square(t), axes, keep_dims=True)
        is_positive = squares > 0.0  # the gradient of a root at 0 is infinite
        length = tf.select(is_positive, tf.math.sqrt(tf.select(is_positive, squares, 1.0)), squares)
        return cast("Operand[F, S]", t * clip_norm / tf.math.maximum(length, clip_norm))


@overload
def clip_by_global_norm(
    scope: Scope, t_list: Sequence[Operand[F]], clip_norm: float | Operand[F], use_norm: Operand[F] | None = None
) -> tuple[list[Operand[F]], Operand[F, tuple[()]]]: ...
@overload
def clip_by_global_norm(
    scope: Scope,
    t_list: Sequence[Operand[F] | None],
    clip_norm: float | Operand[F],
    use_norm: Operand[F] | None = None,
) -> tuple[list[Operand[F] | None], Operand[F, tuple[()]]]: ...
def clip_by_global_norm(
    scope: Scope,
    t_list: Sequence[Operand[F] | None],
    clip_norm: float | Operand[F],
    use_norm: Operand[F] | None = None,
) -> tuple[Any, Operand[F, tuple[()]]]:
    """Scale several arrays by one factor, so that the norm of all their elements is at most `clip_norm`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "clip_by_global_norm".
        t_list: The arrays, such as the gradients of one step. None, as `tg.gradients` returns where nothing is
            connected, stays None; an `IndexedSlices` stays one.
        clip_norm: The greatest norm, positive: a number or a scalar.
        use_norm: The norm of all, if it is known already; otherwise `global_norm`.

    Returns:
        The arrays, and their norm before. If it is infinite or nan, all elements are nan.

    Raises:
        GradientError: There is no operand.

    Source: TensorFlow's `tf.clip_by_global_norm`.
    """
    with Ops.create(scope).with_sub_scope("clip_by_global_norm") as tf:
        total = cast("Operand[F, tuple[()]]", global_norm(tf.scope, t_list) if use_norm is None else use_norm)
        limit = clip_norm if isinstance(clip_norm, Operand) else tf.constant(clip_norm, total.dtype)
        factor = limit * tf.math.minimum(1.0 / total, 1.0 / limit) + (total - total)
        return [None if each is None else _scaled(tf, each, factor) for each in t_list], total


def _scaled(tf: Ops, x: Operand[F], factor: Operand[F]) -> Operand[F]:
    """`x` times a factor; of rows of a table, their values."""
    own = as_type(tf.scope, factor, x.dtype)
    return with_values(tf.scope, x, x.values * own) if isinstance(x, IndexedSlices) else x * own
