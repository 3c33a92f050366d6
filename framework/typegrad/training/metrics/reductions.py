"""Metrics of plain values: sum and means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, as_shape, merge
from typegrad.base.types import TBool, TReal
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, as_type, check_broadcast
from typegrad.training.metrics.metric import Average, F, Metric, broadcast_to, grouped, samplewise

__all__ = ["Mean", "MeanTensor", "Sum"]

V = TypeVar("V", bound=TReal | TBool)


@final
class Sum(Metric[F]):
    """The weighted sum of all values (Keras: `Sum`)."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self._total = self._new("total")

    def update_state(
        self, scope: Scope, values: Operand[V], sample_weight: Operand[Label] | RealLike | None = None
    ) -> core.NoOp:
        """An operation that adds values of any shape.

        Args:
            scope: Where in the graph the operations go.
            values: The values.
            sample_weight: What they are multiplied by. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The weights do not fit, or a rank is unknown.
        """
        inner = scope.with_sub_scope("update_state")
        total, _ = samplewise(inner, as_type(inner, values, self.dtype), sample_weight, mean=False)
        return grouped(inner, [self._total.assign_add(inner, total)])

    def result(self, scope: Scope) -> Operand[F]:
        """The sum."""
        return self._total.read(scope)


@final
class Mean(Average[F]):
    """The weighted mean of all values (Keras: `Mean`)."""

    def update_state(
        self, scope: Scope, values: Operand[V], sample_weight: Operand[Label] | RealLike | None = None
    ) -> core.NoOp:
        """An operation that takes in values, of which the first dimension is that of the samples.

        Args:
            scope: Where in the graph the operations go.
            values: The values. Those of one sample are averaged before they are weighted.
            sample_weight: What they count. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The weights do not fit, or a rank is unknown.
        """
        inner = scope.with_sub_scope("update_state")
        return self._add(inner, as_type(inner, values, self.dtype), sample_weight)


@final
class MeanTensor(Metric[F]):
    """The weighted mean of arrays, element by element (Keras 2 and TensorFlow Java: `MeanTensor`; Keras 3 has none)."""

    def __init__(self, scope: Scope, shape: Sequence[int], dtype: type[F] | None = None) -> None:
        """See `Metric`. `shape`: the sizes of the arrays."""
        super().__init__(scope, dtype)
        sizes = as_shape(shape).as_ints()
        self._shape = Shape(sizes)
        self._total = self._new("total", *sizes)
        self._count = self._new("count", *sizes)

    def update_state(
        self, scope: Scope, values: Operand[V], sample_weight: Operand[Label] | RealLike | None = None
    ) -> core.NoOp:
        """An operation that takes in an array.

        Args:
            scope: Where in the graph the operations go.
            values: The array.
            sample_weight: What it counts; its shape broadcasts to that of the array, or does with a dimension of size 1 at its end.

        Raises:
            ShapeError: The array is not of the metric's shape, or the weights do not fit.
        """
        inner = scope.with_sub_scope("update_state")
        tf = Ops.create(inner)
        array = as_type(inner, values, self.dtype)
        try:
            merge(array.shape, self._shape)
        except ShapeError as error:
            raise ShapeError(
                f"the values of shape {array.shape} are not of the shape of '{self.name}', {self._shape}: {error}"
            ) from None
        weight: Operand[F] = tf.ones_like(array)
        if sample_weight is not None:
            given = as_type(inner, sample_weight, self.dtype, "sample_weight")
            if given.rank and given.rank == len(self._shape.known()) - 1:
                given = tf.expand_dims(given, -1)
            check_broadcast(array, given, "the values", "sample_weight")
            weight = broadcast_to(inner, given, array)
        added = [self._total.assign_add(inner, tf.math.mul(array, weight)), self._count.assign_add(inner, weight)]
        return grouped(inner, added)

    def result(self, scope: Scope) -> Operand[F]:
        """The mean, of the shape of the arrays; 0 where nothing was counted."""
        return Ops.create(scope).math.div_no_nan(self._total.read(scope), self._count.read(scope))
