"""`Orthogonal`: random rotations as initial weights."""

from __future__ import annotations

from math import prod
from typing import final

from attrs import field, frozen
from typing_extensions import TypeVar

from typegrad import functions
from typegrad.base.errors import ShapeError
from typegrad.base.types import TFloat32, TFloat64, TFloating
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core, dtypes
from typegrad.op._ops import Ops
from typegrad.training.initializers.random import RandomInitializer

__all__ = ["Orthogonal"]

F = TypeVar("F", bound=TFloating)
Q = TypeVar("Q", bound=TFloat32 | TFloat64)


@final
@frozen
class Orthogonal(RandomInitializer):
    """`gain` times a matrix with orthonormal columns, or rows where these are fewer (Keras: `Orthogonal`).

    All but the last dimension together count as rows. The matrix is drawn evenly among all such: it is the orthonormal factor of a
    matrix of normally distributed numbers. Source: Saxe et al., "Exact solutions to the nonlinear dynamics of learning" (2014).
    """

    gain: float = field(default=1.0)

    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal initializes matrices, or arrays of higher rank; got shape {shape!r}")
        if dtype is TFloat64:
            return dtypes.Cast.create(scope, self._made(scope, shape, TFloat64), dtype)
        return dtypes.Cast.create(scope, self._made(scope, shape, TFloat32), dtype)

    def _made(self, scope: Scope, shape: tuple[int, ...], dtype: type[Q]) -> Operand[Q]:
        """The value, computed in a type for which matrices are factored."""
        tf = Ops.create(scope)
        rows, columns = prod(shape[:-1]), shape[-1]
        tall, narrow = max(rows, columns), min(rows, columns)
        factors = tf.linalg.qr(tf.random.random_standard_normal((tall, narrow), dtype, **self._seeds))
        diagonal = tf.sum(tf.math.mul(factors.r, functions.eye(scope, narrow, dtype=dtype)), 0)
        q: Operand[Q] = tf.math.mul(factors.q, tf.math.sign(diagonal))
        if rows < columns:
            q = tf.linalg.transpose(q, (1, 0))
        return tf.math.mul(core.Constant.create(scope, self.gain, dtype), tf.reshape(q, shape))
