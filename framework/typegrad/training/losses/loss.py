"""Losses as objects: a function of `typegrad.training.losses`, its options, and the reduction to one number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol, final

from attrs import asdict, field, frozen

from typegrad.base.types import TInt64
from typegrad.functions.casting import as_operand, as_type
from typegrad.graph.operand import F, Operand
from typegrad.graph.operand_like import IntegerLike, RealLike
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses import classification, regression
from typegrad.training.losses.naming import named
from typegrad.training.losses.reduction import Reduction, reduced, size
from typegrad.training.losses.shapes import ClassNumber, Label, Weight, aligned

__all__ = [
    "BinaryCrossentropy",
    "CategoricalCrossentropy",
    "CategoricalHinge",
    "CosineSimilarity",
    "Hinge",
    "Huber",
    "KLDivergence",
    "LogCosh",
    "Loss",
    "LossFunction",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Poisson",
    "SparseCategoricalCrossentropy",
    "SquaredHinge",
]


class LossFunction(Protocol):
    """A loss for each sample, with options by keyword."""

    def __call__(
        self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F], *args: Any, **options: Any
    ) -> Operand[F]:
        """The losses of the samples."""
        ...


@frozen
class Loss(ABC):
    """A loss of labels of any real type and predictions of a floating-point type.

    A loss of your own is a function that returns a scalar operand; it needs no class.
    """

    reduction: Reduction = field(default=Reduction.SUM_OVER_BATCH_SIZE, kw_only=True)

    def __call__(
        self,
        scope: Scope,
        y_true: Operand[Label] | RealLike,
        y_pred: Operand[F],
        sample_weight: Operand[Weight] | RealLike | None = None,
    ) -> Operand[F]:
        """The loss, of the type of `y_pred`: a scalar, or with `Reduction.NONE` one number for each sample.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels: an operand, or a value in its place.
            y_pred: The predictions.
            sample_weight: The factors of the losses of the samples; they broadcast to the losses.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
            DTypeError: A value does not fit the type of the predictions.
            AttributeValueError: An option has a value that is not allowed.
        """
        with named(scope, type(self).__name__) as tf:
            labels: Operand[Label] = as_operand(tf.scope, y_true, y_pred.dtype, "y_true")
            return reduced(tf, self._losses(tf.scope, labels, y_pred), sample_weight, self.reduction)

    @abstractmethod
    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        """The losses of the samples. `scope` is current: operators add their operations there."""


@frozen
class _FunctionLoss(Loss):
    """A function's losses, reduced. The fields of a subclass are the options of its function."""

    _function: ClassVar[LossFunction]

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        options = asdict(self, recurse=False, filter=lambda option, _: option.name != "reduction")
        return self._function(scope, y_true, y_pred, **options)


@final
@frozen
class MeanSquaredError(_FunctionLoss):
    """`mean((y_true - y_pred)^2)` over the last axis (`mean_squared_error`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.MeanSquaredError`.
    """

    _function = staticmethod(regression.mean_squared_error)


@final
@frozen
class MeanAbsoluteError(_FunctionLoss):
    """`mean(|y_true - y_pred|)` over the last axis (`mean_absolute_error`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.MeanAbsoluteError`.
    """

    _function = staticmethod(regression.mean_absolute_error)


@final
@frozen
class MeanAbsolutePercentageError(_FunctionLoss):
    """`100 mean(|y_true - y_pred| / |y_true|)` over the last axis (`mean_absolute_percentage_error`), reduced.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.MeanAbsolutePercentageError`.
    """

    _function = staticmethod(regression.mean_absolute_percentage_error)


@final
@frozen
class MeanSquaredLogarithmicError(_FunctionLoss):
    """The mean squared difference of `log(1 + x)` (`mean_squared_logarithmic_error`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.MeanSquaredLogarithmicError`.
    """

    _function = staticmethod(regression.mean_squared_logarithmic_error)


@final
@frozen
class Huber(_FunctionLoss):
    """Quadratic for errors up to `delta`, linear beyond (`huber`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.Huber`.
    """

    _function = staticmethod(regression.huber)
    delta: float = 1.0


@final
@frozen
class LogCosh(_FunctionLoss):
    """`mean(log(cosh(y_pred - y_true)))` over the last axis (`log_cosh`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.LogCosh`.
    """

    _function = staticmethod(regression.log_cosh)


@final
@frozen
class CosineSimilarity(_FunctionLoss):
    """Minus the cosine of the angle between vectors along `axis` (`cosine_similarity`), reduced over the samples.

    Labels and predictions have one shape; the losses have this shape without `axis`.

    Source: Keras' `keras.losses.CosineSimilarity`.
    """

    _function = staticmethod(regression.cosine_similarity)
    axis: int = -1


@final
@frozen
class KLDivergence(_FunctionLoss):
    """`sum(y_true log(y_true / y_pred))` over the last axis (`kl_divergence`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.KLDivergence`.
    """

    _function = staticmethod(regression.kl_divergence)


@final
@frozen
class Poisson(_FunctionLoss):
    """`mean(y_pred - y_true log(y_pred))` over the last axis (`poisson`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.Poisson`.
    """

    _function = staticmethod(regression.poisson)


@final
@frozen
class Hinge(_FunctionLoss):
    """`mean(max(1 - y_true y_pred, 0))` over the last axis (`hinge`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.Hinge`.
    """

    _function = staticmethod(classification.hinge)


@final
@frozen
class SquaredHinge(_FunctionLoss):
    """`mean(max(1 - y_true y_pred, 0)^2)` over the last axis (`squared_hinge`), reduced over the samples.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.SquaredHinge`.
    """

    _function = staticmethod(classification.squared_hinge)


@final
@frozen
class CategoricalHinge(_FunctionLoss):
    """The margin that the true class lacks over the best other class (`categorical_hinge`), reduced.

    Labels and predictions have shape [..., n]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.CategoricalHinge`.
    """

    _function = staticmethod(classification.categorical_hinge)


@final
@frozen
class BinaryCrossentropy(_FunctionLoss):
    """The cross-entropy of independent events (`binary_crossentropy`), reduced over the samples.

    Labels and predictions have one shape; the losses have this shape without `axis`.

    Source: Keras' `keras.losses.BinaryCrossentropy`.
    """

    _function = staticmethod(classification.binary_crossentropy)
    from_logits: bool = False
    label_smoothing: float = 0.0
    axis: int = -1


@final
@frozen
class CategoricalCrossentropy(_FunctionLoss):
    """The cross-entropy of mutually exclusive classes (`categorical_crossentropy`), reduced over the samples.

    Labels and predictions have one shape; the losses have this shape without `axis`.

    Source: Keras' `keras.losses.CategoricalCrossentropy`.
    """

    _function = staticmethod(classification.categorical_crossentropy)
    from_logits: bool = False
    label_smoothing: float = 0.0
    axis: int = -1


@final
@frozen
class SparseCategoricalCrossentropy:
    """`sparse_categorical_crossentropy`, reduced over the samples. Its labels are integers, unlike a `Loss`'s.

    Labels have shape [...] or [..., 1], predictions [..., classes]; there is one loss for each sample, of shape [...].

    Source: Keras' `keras.losses.SparseCategoricalCrossentropy`.
    """

    from_logits: bool = False
    ignore_class: int | None = None
    """Samples with this label count neither in the sum nor, for `SUM_OVER_BATCH_SIZE`, in the size."""
    reduction: Reduction = field(default=Reduction.SUM_OVER_BATCH_SIZE, kw_only=True)

    def __call__(
        self,
        scope: Scope,
        y_true: Operand[ClassNumber] | IntegerLike,
        y_pred: Operand[F],
        sample_weight: Operand[Weight] | RealLike | None = None,
    ) -> Operand[F]:
        """The loss, of the type of `y_pred`: a scalar, or with `Reduction.NONE` one number for each sample.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels, of shape [...] or [..., 1]: an operand, or a value in its place.
            y_pred: The predictions, of shape [..., classes].
            sample_weight: The factors of the losses of the samples; they broadcast to the losses.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
            DTypeError: A value does not fit the type of numbers of classes.
        """
        with named(scope, "SparseCategoricalCrossentropy") as tf:
            labels: Operand[ClassNumber] = as_operand(tf.scope, y_true, TInt64, "y_true")
            losses = classification.sparse_categorical_crossentropy(
                tf.scope, labels, y_pred, from_logits=self.from_logits, ignore_class=self.ignore_class
            )
            if self.ignore_class is None:
                return reduced(tf, losses, sample_weight, self.reduction)
            mask = self._mask(tf, labels, y_pred, self.ignore_class)
            if sample_weight is not None:
                weight = as_type(tf.scope, sample_weight, y_pred.dtype, "sample_weight")
                mask, weight = aligned(tf, mask, weight, "y_true", "sample_weight")
                mask = mask * weight
            return reduced(tf, losses, mask, self.reduction)

    def _mask(self, tf: Ops, y_true: Operand[ClassNumber], y_pred: Operand[F], ignore_class: int) -> Operand[F]:
        """Weights: 0 for ignored samples; for the others 1, or the number that makes the mean of the weights 1."""
        labels = classification.sparse_labels(tf, y_true, y_pred)
        mask = as_type(tf.scope, classification.valid_labels(tf, labels, ignore_class), y_pred.dtype)
        if self.reduction is not Reduction.SUM_OVER_BATCH_SIZE:
            return mask
        return mask * tf.math.div_no_nan(size(tf, mask), tf.sum(mask))
