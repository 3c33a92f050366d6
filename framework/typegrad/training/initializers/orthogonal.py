"""`Orthogonal`: random matrices with orthonormal rows or columns as initial weights."""

from __future__ import annotations

from math import prod
from typing import final

from attrs import field, frozen
from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError
from typegrad.base.types import TFloat32, TFloat64
from typegrad.graph.operand import F, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.initializers.random import RandomInitializer

__all__ = ["Orthogonal"]

Q = TypeVar("Q", bound=TFloat32 | TFloat64)


@final
@frozen
class Orthogonal(RandomInitializer):
    """`gain` times a matrix with orthonormal columns, or rows if there are fewer of them (Keras: `Orthogonal`).

    All but the last dimension together count as rows. The matrix has the uniform distribution: it is the orthonormal
    factor of a matrix of normally distributed numbers. Source: Saxe et al., "Exact solutions to the nonlinear dynamics
    of learning" (2014).
    """

    gain: float = field(default=1.0)

    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal initializes matrices, or arrays of higher rank; got shape {shape!r}")
        tf = Ops.create(scope)
        if dtype is TFloat64:
            return tf.dtypes.cast(self._matrix(tf, shape, TFloat64), dtype)
        return tf.dtypes.cast(self._matrix(tf, shape, TFloat32), dtype)

    def _matrix(self, tf: Ops, shape: tuple[int, ...], dtype: type[Q]) -> Operand[Q]:
        """The value, in a type that QR decomposition supports."""
        rows, columns = prod(shape[:-1]), shape[-1]
        tall, narrow = max(rows, columns), min(rows, columns)
        with tf:
            factors = tf.linalg.qr(tf.random.random_standard_normal((tall, narrow), dtype, **self._seeds))
            diagonal = tf.sum(factors.r * tf.eye(narrow, dtype=dtype), 0)
            q: Operand[Q] = factors.q * tf.math.sign(diagonal)
            if rows < columns:
                q = tf.linalg.transpose(q, (1, 0))
            return self.gain * tf.reshape(q, shape)
