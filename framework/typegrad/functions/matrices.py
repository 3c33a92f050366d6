"""Products along any axes, traces, and pseudo-inverses of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from string import ascii_letters

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import merge_dim
from typegrad.base.types import TFloat32, TFloat64, TNumber
from typegrad.functions.checks import axes_from_start
from typegrad.graph.operand import AnyOutput, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["pinv", "tensordot", "trace"]

N = TypeVar("N", bound=TNumber)
R = TypeVar("R", bound=TFloat32 | TFloat64)


def tensordot(scope: Scope, a: Operand[N], b: Operand[N], axes: int | Sequence[int | Sequence[int]]) -> Operand[N]:
    """The sum of products along some axes of `a` and as many of `b`: of two matrices and 1 axis, their product.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "tensordot".
        a: An array of known rank.
        b: Another one.
        axes: The number of axes, the last ones of `a` and the first ones of `b`; 0 for the products of all pairs. Or an
            axis of each, or a list of axes of each: `[[1, 2], [0, 1]]`. Negative axes count from the end.

    Returns:
        The sums: their shape is the other sizes of `a`, then the other sizes of `b`.

    Raises:
        ShapeError: A rank is unknown, there is no such axis, one is named twice, or two sizes differ.
        DTypeError: The element types differ.

    Source: TensorFlow's `tf.tensordot`.
    """
    with Ops.create(scope).with_sub_scope("tensordot") as tf:
        left, right = a.output_in(tf.scope), b.output_in(tf.scope)
        of_left, of_right = _axes(left, right, axes)
        names = iter(ascii_letters)
        first = [next(names) for _ in left.shape]
        second = [
            first[of_left[of_right.index(axis)]] if axis in of_right else next(names)
            for axis in range(len(right.shape))
        ]
        rest = [name for name in (*first, *second) if (name in first) != (name in second)]
        equation = f"{''.join(first)},{''.join(second)}->{''.join(rest)}"
        return tf.linalg.einsum([left, right], equation)


def _axes(a: AnyOutput, b: AnyOutput, axes: int | Sequence[int | Sequence[int]]) -> tuple[list[int], list[int]]:
    """The axes of both, counted from the start."""
    ranks = [len(x.shape.known(f"tensordot: the rank of '{x.name}'")) for x in (a, b)]
    if isinstance(axes, Sequence):
        if len(axes) != 2:
            raise AttributeValueError(f"tensordot: axes is a number, or a pair of axes or of lists of axes, not {axes}")
        of_a, of_b = (list(each) if isinstance(each, Sequence) else [each] for each in axes)
    else:
        count = index(axes)
        if not 0 <= count <= min(ranks):
            raise ShapeError(f"tensordot: axes is {count}, but `a` has shape {a.shape}, and `b` {b.shape}")
        of_a, of_b = list(range(ranks[0] - count, ranks[0])), list(range(count))
    if len(of_a) != len(of_b):
        raise ShapeError(f"tensordot: axes has {len(of_a)} of `a`, but {len(of_b)} of `b`")
    of_a = axes_from_start("tensordot", "a", a, of_a)
    of_b = axes_from_start("tensordot", "b", b, of_b)
    for i, j in zip(of_a, of_b, strict=True):
        try:
            merge_dim(a.shape[i], b.shape[j])
        except ShapeError as error:
            places = f"axis {i} of `a`, of shape {a.shape}, and axis {j} of `b`, of shape {b.shape}"
            raise ShapeError(f"tensordot: {places}: {error}") from None
    return of_a, of_b


def trace(scope: Scope, x: Operand[N]) -> Operand[N]:
    """The sum of the main diagonal of each matrix.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "trace".
        x: Matrices, of shape [..., m, n].

    Returns:
        The sums, of shape [...].

    Raises:
        ShapeError: The rank is less than 2.

    Source: TensorFlow's `tf.linalg.trace`.
    """
    with Ops.create(scope).with_sub_scope("trace") as tf:
        return tf.sum(tf.linalg.matrix_diag_part(x, 0, 0), -1)


def pinv(scope: Scope, a: Operand[R], rcond: float | None = None) -> Operand[R]:
    """The Moore-Penrose pseudo-inverse of matrices: of an invertible one the inverse, of others the least squares one.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "pinv".
        a: Matrices of known sizes, of shape [..., m, n].
        rcond: Singular values up to this share of the largest one count as 0; `10 max(m, n) eps` if left out, with the
            precision eps of the type.

    Returns:
        The pseudo-inverses, of shape [..., n, m].

    Raises:
        ShapeError: The rank is unknown or less than 2; or `rcond` is left out, and m or n is unknown.

    Source: TensorFlow's `tf.linalg.pinv`.
    """
    with Ops.create(scope).with_sub_scope("pinv") as tf:
        x = a.output_in(tf.scope)
        if len(x.shape.known(f"pinv: the rank of '{x.name}'")) < 2:
            raise ShapeError(f"pinv: '{x.name}' of shape {x.shape} is no matrix")
        if rcond is None:
            rcond = 10.0 * max(x.shape[-2:].as_ints()) * float(np.finfo(x.dtype.numpy).eps)
        svd = tf.linalg.svd(x)
        values: Operand[R] = svd.s
        is_kept = values > rcond * tf.max(values, -1, keep_dims=True)
        inverted = 1.0 / tf.select(is_kept, values, float("inf"))
        return tf.train.batch_mat_mul(svd.v * tf.expand_dims(inverted, -2), svd.u, x.dtype, adj_y=True)
