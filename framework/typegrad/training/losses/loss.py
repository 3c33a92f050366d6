"""Losses as objects: a function of `typegrad.training.losses`, its options, and how the losses of the samples become one number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

from attrs import field, frozen
from typing_extensions import TypeVar

from typegrad.base.types import TFloating, TInt64, TIntegral
from typegrad.graph.literals import IntegerLike, RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses import crossentropy, hinges, regression
from typegrad.training.losses.reduction import Reduction, reduced, size
from typegrad.training.losses.shapes import Label, aligned, as_operand, as_type

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
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Poisson",
    "SparseCategoricalCrossentropy",
    "SquaredHinge",
]

F = TypeVar("F", bound=TFloating)
W = TypeVar("W", bound=TFloating)
I = TypeVar("I", bound=TIntegral)  # noqa: E741


@frozen
class Loss(ABC):
    """A loss of labels of any real type and predictions of a floating-point type."""

    reduction: Reduction = field(default=Reduction.SUM_OVER_BATCH_SIZE, kw_only=True)

    def __call__(
        self,
        scope: Scope,
        y_true: Operand[Label] | RealLike,
        y_pred: Operand[F],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> Operand[F]:
        """The loss, of the type of `y_pred`: a scalar, or with `Reduction.NONE` one number for each sample.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels: an operand, or a value in its place.
            y_pred: The predictions.
            sample_weight: What the losses of the samples are multiplied by; it broadcasts to them.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
            DTypeError: A value does not fit the type of the predictions, or that of numbers of classes.
            AttributeValueError: An option has a value that is not allowed.
        """
        inner = scope.with_sub_scope(type(self).__name__)
        labels: Operand[Label] = as_operand(inner, y_true, y_pred.dtype, "y_true")
        with inner:
            losses = self._losses(inner, labels, y_pred)
        return reduced(inner, losses, sample_weight, self.reduction)

    @abstractmethod
    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        """The losses of the samples. `scope` is current: operators add their operations there."""


@final
@frozen
class MeanSquaredError(Loss):
    """`mean_squared_error`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.mean_squared_error(scope, y_true, y_pred)


@final
@frozen
class MeanAbsoluteError(Loss):
    """`mean_absolute_error`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.mean_absolute_error(scope, y_true, y_pred)


@final
@frozen
class MeanAbsolutePercentageError(Loss):
    """`mean_absolute_percentage_error`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.mean_absolute_percentage_error(scope, y_true, y_pred)


@final
@frozen
class MeanSquaredLogarithmicError(Loss):
    """`mean_squared_logarithmic_error`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.mean_squared_logarithmic_error(scope, y_true, y_pred)


@final
@frozen
class Huber(Loss):
    """`huber`, reduced."""

    delta: float = 1.0

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.huber(scope, y_true, y_pred, delta=self.delta)


@final
@frozen
class LogCosh(Loss):
    """`log_cosh`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.log_cosh(scope, y_true, y_pred)


@final
@frozen
class CosineSimilarity(Loss):
    """`cosine_similarity`, reduced."""

    axis: int = -1

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.cosine_similarity(scope, y_true, y_pred, axis=self.axis)


@final
@frozen
class KLDivergence(Loss):
    """`kl_divergence`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.kl_divergence(scope, y_true, y_pred)


@final
@frozen
class Poisson(Loss):
    """`poisson`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return regression.poisson(scope, y_true, y_pred)


@final
@frozen
class Hinge(Loss):
    """`hinge`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return hinges.hinge(scope, y_true, y_pred)


@final
@frozen
class SquaredHinge(Loss):
    """`squared_hinge`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return hinges.squared_hinge(scope, y_true, y_pred)


@final
@frozen
class CategoricalHinge(Loss):
    """`categorical_hinge`, reduced."""

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return hinges.categorical_hinge(scope, y_true, y_pred)


@final
@frozen
class BinaryCrossentropy(Loss):
    """`binary_crossentropy`, reduced."""

    from_logits: bool = False
    label_smoothing: float = 0.0
    axis: int = -1

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return crossentropy.binary_crossentropy(
            scope, y_true, y_pred, from_logits=self.from_logits, label_smoothing=self.label_smoothing, axis=self.axis
        )


@final
@frozen
class CategoricalCrossentropy(Loss):
    """`categorical_crossentropy`, reduced."""

    from_logits: bool = False
    label_smoothing: float = 0.0
    axis: int = -1

    def _losses(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[F]) -> Operand[F]:
        return crossentropy.categorical_crossentropy(
            scope, y_true, y_pred, from_logits=self.from_logits, label_smoothing=self.label_smoothing, axis=self.axis
        )


@final
@frozen
class SparseCategoricalCrossentropy:
    """`sparse_categorical_crossentropy`, reduced. Unlike those of a `Loss`, its labels are integers."""

    from_logits: bool = False
    ignore_class: int | None = None
    """Samples with this label count neither in the sum nor, for `SUM_OVER_BATCH_SIZE`, in the size."""
    reduction: Reduction = field(default=Reduction.SUM_OVER_BATCH_SIZE, kw_only=True)

    def __call__(
        self,
        scope: Scope,
        y_true: Operand[I] | IntegerLike,
        y_pred: Operand[F],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> Operand[F]:
        """The loss, of the type of `y_pred`: a scalar, or with `Reduction.NONE` one number for each sample.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels, of shape [...] or [..., 1]: an operand, or a value in its place.
            y_pred: The predictions, of shape [..., classes].
            sample_weight: What the losses of the samples are multiplied by; it broadcasts to them.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
            DTypeError: A value does not fit the type of the predictions, or that of numbers of classes.
        """
        inner = scope.with_sub_scope("SparseCategoricalCrossentropy")
        labels: Operand[I] = as_operand(inner, y_true, TInt64, "y_true")
        losses = crossentropy.sparse_categorical_crossentropy(
            inner, labels, y_pred, from_logits=self.from_logits, ignore_class=self.ignore_class
        )
        if self.ignore_class is None:
            return reduced(inner, losses, sample_weight, self.reduction)
        mask = self._mask(inner, labels, y_pred, self.ignore_class)
        if sample_weight is not None:
            mask, weight = aligned(
                inner, mask, as_type(inner, sample_weight, y_pred.dtype, "sample_weight"), "y_true", "sample_weight"
            )
            mask = Ops.create(inner).math.mul(mask, weight)
        return reduced(inner, losses, mask, self.reduction)

    def _mask(
        self, scope: Scope, y_true: Operand[I] | IntegerLike, y_pred: Operand[F], ignore_class: int
    ) -> Operand[F]:
        """Weights: 0 for ignored samples; for the others 1, or what makes the weights' mean 1."""
        labels = crossentropy.sparse_labels(scope, y_true, y_pred)
        mask = as_type(scope, crossentropy.valid_labels(scope, labels, ignore_class), y_pred.dtype)
        if self.reduction is not Reduction.SUM_OVER_BATCH_SIZE:
            return mask
        tf = Ops.create(scope)
        return tf.math.mul(mask, tf.math.div_no_nan(size(scope, mask), tf.sum(mask)))
