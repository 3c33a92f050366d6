"""The means of how predictions compare with labels: bases of the accuracy family and of the losses as metrics."""

from __future__ import annotations

from abc import abstractmethod

from typing_extensions import TypeVar

from typegrad.base.types import TBool, TFloating, TInt64, TIntegral, TReal
from typegrad.graph.literals import IntegerLike, RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.training.losses.shapes import Label, as_operand
from typegrad.training.metrics.metric import Average, F

__all__ = ["ClassMetric", "I", "LabelMetric", "P", "W"]

P = TypeVar("P", bound=TFloating)
I = TypeVar("I", bound=TIntegral)  # noqa: E741
W = TypeVar("W", bound=TReal | TBool)


class LabelMetric(Average[F]):
    """The mean of a number for each sample, which compares a prediction with a label of the same shape."""

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label] | RealLike,
        y_pred: Operand[P],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> core.NoOp:
        """An operation that takes in a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels: an operand, or a value in its place.
            y_pred: The predictions.
            sample_weight: What the samples count. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
            DTypeError: A value does not fit the type of the metric, or that of numbers of classes.
        """
        inner = scope.with_sub_scope("update_state")
        labels: Operand[Label] = as_operand(inner, y_true, self.dtype, "y_true")
        return self._add(inner, self._values(inner, labels, y_pred), sample_weight)

    @abstractmethod
    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        """The numbers to average."""


class ClassMetric(Average[F]):
    """The mean of a number for each sample, which compares predictions for all classes with the number of the true class."""

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[I] | IntegerLike,
        y_pred: Operand[P],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> core.NoOp:
        """An operation that takes in a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The number of the class of each sample, of shape [...] or [..., 1]: an operand, or a value in its place.
            y_pred: A prediction for each class, of shape [..., classes].
            sample_weight: What the samples count. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
            DTypeError: A value does not fit the type of the metric, or that of numbers of classes.
        """
        inner = scope.with_sub_scope("update_state")
        labels: Operand[I] = as_operand(inner, y_true, TInt64, "y_true")
        return self._add(inner, self._values(inner, labels, y_pred), sample_weight)

    @abstractmethod
    def _values(self, scope: Scope, y_true: Operand[I], y_pred: Operand[P]) -> Operand[F]:
        """The numbers to average."""
