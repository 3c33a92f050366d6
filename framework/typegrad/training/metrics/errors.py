"""The losses as metrics, and the errors that are metrics only. Names, defaults and results are Keras'."""

from __future__ import annotations

from typing import ClassVar, final

from numpy.typing import ArrayLike

from typegrad.functions.casting import as_type
from typegrad.graph.conversion import constant
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training import losses
from typegrad.training.losses.classification import sparse_labels, valid_labels
from typegrad.training.losses.loss import LossFunction
from typegrad.training.losses.shapes import ClassNumber, Label, Weight, aligned, check_broadcast, prepared
from typegrad.training.metrics.metric import ClassMetric, F, LabelMetric, P

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


class _MeanLoss(LabelMetric[F]):
    """The mean of a loss, computed in the metric's type."""

    _function: ClassVar[LossFunction]
    _options: ClassVar[tuple[str, ...]] = ()
    """The attributes that are options of the function."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        options = {name: getattr(self, name) for name in self._options}
        return self._function(scope, y_true, as_type(scope, y_pred, self.dtype), **options)


@final
class MeanSquaredError(_MeanLoss[F]):
    """The mean of `losses.mean_squared_error`: of `(y_true - y_pred)^2`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.MeanSquaredError`.
    """

    _function = staticmethod(losses.mean_squared_error)


@final
class MeanAbsoluteError(_MeanLoss[F]):
    """The mean of `losses.mean_absolute_error`: of `|y_true - y_pred|`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.MeanAbsoluteError`.
    """

    _function = staticmethod(losses.mean_absolute_error)


@final
class MeanAbsolutePercentageError(_MeanLoss[F]):
    """The mean of `losses.mean_absolute_percentage_error`: of `100 |y_true - y_pred| / |y_true|`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.MeanAbsolutePercentageError`.
    """

    _function = staticmethod(losses.mean_absolute_percentage_error)


@final
class MeanSquaredLogarithmicError(_MeanLoss[F]):
    """The mean of `losses.mean_squared_logarithmic_error`: of `(log(1 + y_true) - log(1 + y_pred))^2`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.MeanSquaredLogarithmicError`.
    """

    _function = staticmethod(losses.mean_squared_logarithmic_error)


@final
class LogCoshError(_MeanLoss[F]):
    """The mean of `losses.log_cosh`: of `log(cosh(y_pred - y_true))`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.LogCoshError`.
    """

    _function = staticmethod(losses.log_cosh)


@final
class Poisson(_MeanLoss[F]):
    """The mean of `losses.poisson`: of `y_pred - y_true log(y_pred)`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.Poisson`.
    """

    _function = staticmethod(losses.poisson)


@final
class KLDivergence(_MeanLoss[F]):
    """The mean of `losses.kl_divergence`: of `sum(y_true log(y_true / y_pred))` over the last axis.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.KLDivergence`.
    """

    _function = staticmethod(losses.kl_divergence)


@final
class Hinge(_MeanLoss[F]):
    """The mean of `losses.hinge`: of `max(1 - y_true y_pred, 0)`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.Hinge`.
    """

    _function = staticmethod(losses.hinge)


@final
class SquaredHinge(_MeanLoss[F]):
    """The mean of `losses.squared_hinge`: of `max(1 - y_true y_pred, 0)^2`.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.SquaredHinge`.
    """

    _function = staticmethod(losses.squared_hinge)


@final
class CategoricalHinge(_MeanLoss[F]):
    """The mean of `losses.categorical_hinge`: of the margin that the true class lacks over the best other class.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.CategoricalHinge`.
    """

    _function = staticmethod(losses.categorical_hinge)


@final
class CosineSimilarity(_MeanLoss[F]):
    """The mean of the cosine of the angle between labels and predictions along `axis`: 1 for equal directions.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.CosineSimilarity`.
    """

    _function = staticmethod(losses.cosine_similarity)
    _options = ("axis",)

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, axis: int = -1) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.axis = axis

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        return -super()._values(scope, y_true, y_pred)


@final
class BinaryCrossentropy(_MeanLoss[F]):
    """The mean of `losses.binary_crossentropy`: the cross-entropy of independent events.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.BinaryCrossentropy`.
    """

    _function = staticmethod(losses.binary_crossentropy)
    _options = ("from_logits", "label_smoothing")

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


@final
class CategoricalCrossentropy(_MeanLoss[F]):
    """The mean of `losses.categorical_crossentropy`: the cross-entropy of mutually exclusive classes.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.CategoricalCrossentropy`.
    """

    _function = staticmethod(losses.categorical_crossentropy)
    _options = ("from_logits", "label_smoothing", "axis")

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


@final
class SparseCategoricalCrossentropy(ClassMetric[F]):
    """The mean of `losses.sparse_categorical_crossentropy`.

    Samples with the label `ignore_class` have loss 0. As in Keras, they are not counted in a batch with weights, and
    counted as zeros in a batch without.

    Labels have shape [...] or [..., 1], predictions [..., classes]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.SparseCategoricalCrossentropy`.
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

    def _values(self, scope: Scope, y_true: Operand[ClassNumber], y_pred: Operand[P]) -> Operand[F]:
        predictions = as_type(scope, y_pred, self.dtype)
        return losses.sparse_categorical_crossentropy(
            scope, y_true, predictions, from_logits=self.from_logits, ignore_class=self.ignore_class
        )

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[ClassNumber],
        y_pred: Operand[P],
        sample_weight: Operand[Weight] | None = None,
    ) -> core.NoOp:
        """An operation that adds a batch: see `ClassMetric.update_state`."""
        if sample_weight is None or self.ignore_class is None:
            return super().update_state(scope, y_true, y_pred, sample_weight)
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            valid = valid_labels(tf, sparse_labels(tf, y_true, y_pred), self.ignore_class)
            weight = as_type(tf.scope, sample_weight, self.dtype)
            mask, weight = aligned(tf, as_type(tf.scope, valid, self.dtype), weight, "y_true", "sample_weight")
            check_broadcast(mask, weight, "y_true", "sample_weight")
            return self._add(tf, self._values(tf.scope, y_true, y_pred), mask * weight)


@final
class RootMeanSquaredError(LabelMetric[F]):
    """`sqrt(mean((y_true - y_pred)^2))`, with the mean over all batches.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.RootMeanSquaredError`.
    """

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        y, p = prepared(tf, y_true, as_type(scope, y_pred, self.dtype))
        return tf.math.squared_difference(p, y)

    def result(self, scope: Scope) -> Operand[F, tuple[()]]:
        """The root of the mean; 0 before the first batch."""
        tf = Ops.create(scope).with_sub_scope("result")
        return tf.math.sqrt(super().result(tf.scope))


@final
class MeanRelativeError(LabelMetric[F]):
    """The mean of `|y_true - y_pred| / normalizer`, 0 where the normalizer is 0 (Keras 2 and TensorFlow Java).

    Labels and predictions have shape [..., n]; the normalizer broadcasts to it. The result is a scalar of the type
    `dtype`.

    Source: Keras 2's `keras.metrics.MeanRelativeError`.
    """

    def __init__(self, scope: Scope, normalizer: ArrayLike | Operand[F], dtype: type[F] | None = None) -> None:
        """See `Metric`.

        `normalizer`: the divisor of the errors; its shape broadcasts to the shape of the predictions.
        """
        super().__init__(scope, dtype)
        if isinstance(normalizer, Operand):
            self._normalizer: Operand[F] = normalizer
        else:
            self._normalizer = constant(self._scope.with_name("normalizer"), normalizer, self.dtype)

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        y, p = prepared(tf, y_true, as_type(scope, y_pred, self.dtype))
        p, normalizer = aligned(tf, p, self._normalizer, "y_pred", "the normalizer")
        check_broadcast(p, normalizer, "y_pred", "the normalizer")
        return tf.math.div_no_nan(abs(y - p), normalizer)
