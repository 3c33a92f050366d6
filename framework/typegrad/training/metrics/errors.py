"""The losses as metrics, and the errors that are metrics only. Names, defaults and results are those of Keras."""

from __future__ import annotations

from typing import Any, final

from numpy.typing import ArrayLike

from typegrad.base.types import TInt64
from typegrad.graph.literals import IntegerLike, RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training import losses
from typegrad.training.losses.crossentropy import sparse_labels, valid_labels
from typegrad.training.losses.shapes import Label, aligned, as_operand, as_type, check_broadcast, prepared
from typegrad.training.metrics.comparisons import ClassMetric, I, LabelMetric, P, W
from typegrad.training.metrics.metric import F

__all__ = [
    "BinaryCrossentropy",
    "CategoricalCrossentropy",
    "CategoricalHinge",
    "CosineSimilarity",
    "Hinge",
    "KLDivergence",
    "LogCoshError",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanRelativeError",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Poisson",
    "RootMeanSquaredError",
    "SparseCategoricalCrossentropy",
    "SquaredHinge",
]


@final
class MeanSquaredError(LabelMetric[F]):
    """The mean of `losses.mean_squared_error`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.mean_squared_error(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class MeanAbsoluteError(LabelMetric[F]):
    """The mean of `losses.mean_absolute_error`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.mean_absolute_error(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class MeanAbsolutePercentageError(LabelMetric[F]):
    """The mean of `losses.mean_absolute_percentage_error`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.mean_absolute_percentage_error(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class MeanSquaredLogarithmicError(LabelMetric[F]):
    """The mean of `losses.mean_squared_logarithmic_error`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.mean_squared_logarithmic_error(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class LogCoshError(LabelMetric[F]):
    """The mean of `losses.log_cosh`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.log_cosh(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class Poisson(LabelMetric[F]):
    """The mean of `losses.poisson`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.poisson(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class KLDivergence(LabelMetric[F]):
    """The mean of `losses.kl_divergence`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.kl_divergence(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class Hinge(LabelMetric[F]):
    """The mean of `losses.hinge`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.hinge(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class SquaredHinge(LabelMetric[F]):
    """The mean of `losses.squared_hinge`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.squared_hinge(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class CategoricalHinge(LabelMetric[F]):
    """The mean of `losses.categorical_hinge`."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return losses.categorical_hinge(scope, y_true, as_type(scope, y_pred, self.dtype))


@final
class CosineSimilarity(LabelMetric[F]):
    """The mean of the cosine of the angle between labels and predictions along `axis`: 1 where they point the same way."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, axis: int = -1) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.axis = axis

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        loss = losses.cosine_similarity(scope, y_true, as_type(scope, y_pred, self.dtype), axis=self.axis)
        return Ops.create(scope).math.neg(loss)


@final
class BinaryCrossentropy(LabelMetric[F]):
    """The mean of `losses.binary_crossentropy`."""

    def __init__(
        self,
        scope: Scope,
        dtype: type[F] | None = None,
        *,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
    ) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.from_logits = from_logits
        self.label_smoothing = label_smoothing

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        predictions = as_type(scope, y_pred, self.dtype)
        return losses.binary_crossentropy(
            scope, y_true, predictions, from_logits=self.from_logits, label_smoothing=self.label_smoothing
        )


@final
class CategoricalCrossentropy(LabelMetric[F]):
    """The mean of `losses.categorical_crossentropy`."""

    def __init__(
        self,
        scope: Scope,
        dtype: type[F] | None = None,
        *,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
    ) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.from_logits = from_logits
        self.label_smoothing = label_smoothing
        self.axis = axis

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        predictions = as_type(scope, y_pred, self.dtype)
        return losses.categorical_crossentropy(
            scope,
            y_true,
            predictions,
            from_logits=self.from_logits,
            label_smoothing=self.label_smoothing,
            axis=self.axis,
        )


@final
class SparseCategoricalCrossentropy(ClassMetric[F]):
    """The mean of `losses.sparse_categorical_crossentropy`.

    Samples that `ignore_class` leaves out have loss 0. As in Keras, they count nothing in a batch with weights, and as zeros in one
    without.
    """

    def __init__(
        self,
        scope: Scope,
        dtype: type[F] | None = None,
        *,
        from_logits: bool = False,
        ignore_class: int | None = None,
    ) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.from_logits = from_logits
        self.ignore_class = ignore_class

    def _values(self, scope: Scope, y_true: Operand[I], y_pred: Operand[P]) -> Operand[F]:
        predictions = as_type(scope, y_pred, self.dtype)
        return losses.sparse_categorical_crossentropy(
            scope, y_true, predictions, from_logits=self.from_logits, ignore_class=self.ignore_class
        )

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[I] | IntegerLike,
        y_pred: Operand[P],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> core.NoOp:
        """An operation that takes in a batch: see `ClassMetric.update_state`."""
        if sample_weight is None or self.ignore_class is None:
            return super().update_state(scope, y_true, y_pred, sample_weight)
        inner = scope.with_sub_scope("update_state")
        labels: Operand[I] = as_operand(inner, y_true, TInt64, "y_true")
        valid = valid_labels(inner, sparse_labels(inner, labels, y_pred), self.ignore_class)
        weight = as_type(inner, sample_weight, self.dtype, "sample_weight")
        mask, weight = aligned(inner, as_type(inner, valid, self.dtype), weight, "y_true", "sample_weight")
        check_broadcast(mask, weight, "y_true", "sample_weight")
        return self._add(inner, self._values(inner, labels, y_pred), Ops.create(inner).math.mul(mask, weight))


@final
class RootMeanSquaredError(LabelMetric[F]):
    """`sqrt(mean((y_true - y_pred)^2))`, the mean being that of all batches."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        y, p = prepared(scope, y_true, as_type(scope, y_pred, self.dtype))
        return Ops.create(scope).math.squared_difference(p, y)

    def result(self, scope: Scope) -> Operand[F]:
        """The root of the mean; 0 before the first batch."""
        inner = scope.with_sub_scope("result")
        return Ops.create(inner).math.sqrt(super().result(inner))


@final
class MeanRelativeError(LabelMetric[F]):
    """The mean of `|y_true - y_pred| / normalizer`, 0 where the normalizer is 0 (Keras 2 and TensorFlow Java; Keras 3 has none)."""

    def __init__(self, scope: Scope, normalizer: ArrayLike | Operand[F], dtype: type[F] | None = None) -> None:
        """See `Metric`. `normalizer`: what errors are divided by; its shape broadcasts to that of the predictions."""
        super().__init__(scope, dtype)
        given: Any = normalizer
        if not isinstance(given, Operand):
            given = constant(self._scope.with_name("normalizer"), given, self.dtype)
        self._normalizer: Operand[F] = given

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        y, p = prepared(scope, y_true, as_type(scope, y_pred, self.dtype))
        p, normalizer = aligned(scope, p, self._normalizer, "y_pred", "the normalizer")
        check_broadcast(p, normalizer, "y_pred", "the normalizer")
        return tf.math.div_no_nan(tf.math.abs(tf.math.sub(y, p)), normalizer)
