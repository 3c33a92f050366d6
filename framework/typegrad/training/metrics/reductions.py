"""Metrics of plain values: sums and means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, as_shape, merge
from typegrad.functions.casting import as_type
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, Weight, check_broadcast
from typegrad.training.metrics.metric import Average, F, Metric, broadcast_to, samplewise

__all__ = ["Mean", "MeanTensor", "Sum"]


@final
class Sum(Metric[F]):
    """The weighted sum of all values (Keras: `Sum`).

    Values have any shape. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.Sum`.
    """

    def __init__(self, scope: Scope, dtype: type[F] | None = None) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self._total = self._new("total")

    def update_state(
        self, scope: Scope, values: Operand[Label], sample_weight: Operand[Weight] | None = None
    ) -> core.NoOp:
        """An operation that adds values of any shape.

        Args:
            scope: Where in the graph the operations go.
            values: The values.
            sample_weight: The factors of the values. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The weights do not fit, or a rank is unknown.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            total, _ = samplewise(tf, as_type(tf.scope, values, self.dtype), sample_weight, mean=False)
            return self._adding(tf, [(self._total, total)])

    def result(self, scope: Scope) -> Operand[F, tuple[()]]:
        """The sum."""
        return self._total.read(scope)


@final
class Mean(Average[F]):
    """The weighted mean of all values (Keras: `Mean`).

    Values have shape [samples, ...], or are a scalar. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.Mean`.
    """

    def update_state(
        self, scope: Scope, values: Operand[Label], sample_weight: Operand[Weight] | None = None
    ) -> core.NoOp:
        """An operation that adds values, whose first dimension is the samples'.

        Args:
            scope: Where in the graph the operations go.
            values: The values. The values of one sample are averaged before they are weighted.
            sample_weight: The weights of the samples. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The weights do not fit, or a rank is unknown.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            return self._add(tf, as_type(tf.scope, values, self.dtype), sample_weight)


@final
class MeanTensor(Metric[F]):
    """The weighted mean of arrays, element by element (Keras 2 and TensorFlow Java: `MeanTensor`; Keras 3 has none).

    Values and the result have the shape given to the constructor; the result has the type `dtype`.

    Source: Keras 2's `keras.metrics.MeanTensor`.
    """

    def __init__(self, scope: Scope, shape: Sequence[int], dtype: type[F] | None = None) -> None:
        """See `Metric`. `shape`: the sizes of the arrays."""
        super().__init__(scope, dtype)
        sizes = as_shape(shape).as_ints()
        self._shape = Shape(sizes)
        self._total = self._new("total", *sizes)
        self._count = self._new("count", *sizes)

    def update_state(
        self, scope: Scope, values: Operand[Label], sample_weight: Operand[Weight] | None = None
    ) -> core.NoOp:
        """An operation that adds an array.

        Args:
            scope: Where in the graph the operations go.
            values: The array.
            sample_weight: The weights. Their shape broadcasts to the shape of the array, perhaps after a dimension of
                size 1 is appended.

        Raises:
            ShapeError: The array is not of the metric's shape, or the weights do not fit.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            array = as_type(tf.scope, values, self.dtype)
            try:
                merge(array.shape, self._shape)
            except ShapeError as error:
                raise ShapeError(
                    f"the values of shape {array.shape} are not of the shape of '{self.name}', {self._shape}: {error}"
                ) from None
            weight: Operand[F] = tf.ones_like(array)
            if sample_weight is not None:
                weight = as_type(tf.scope, sample_weight, self.dtype)
                if weight.rank and weight.rank == len(self._shape.known()) - 1:
                    weight = tf.expand_dims(weight, -1)
                check_broadcast(array, weight, "the values", "sample_weight")
                weight = broadcast_to(tf, weight, array)
            return self._adding(tf, [(self._total, array * weight), (self._count, weight)])

    def result(self, scope: Scope) -> Operand[F]:
        """The mean, of the shape of the arrays; 0 where nothing was counted."""
        return Ops.create(scope).math.div_no_nan(self._total.read(scope), self._count.read(scope))
