"""The share of predictions that are right. Names, defaults and results are those of Keras 3."""

from __future__ import annotations

from typing import final

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TBool, TFloat32, TInt64, TReal
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.crossentropy import sparse_labels
from typegrad.training.losses.shapes import Label, aligned, as_type, check_broadcast, check_equal, rank_of
from typegrad.training.metrics.comparisons import ClassMetric, I, LabelMetric, P, W
from typegrad.training.metrics.metric import Average, F

__all__ = [
    "Accuracy",
    "BinaryAccuracy",
    "CategoricalAccuracy",
    "SparseCategoricalAccuracy",
    "SparseTopKCategoricalAccuracy",
    "TopKCategoricalAccuracy",
]

V = TypeVar("V", bound=TReal | TBool)


@final
class Accuracy(Average[F]):
    """How often predictions equal labels."""

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label] | RealLike,
        y_pred: Operand[V],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> core.NoOp:
        """An operation that takes in a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels, which are converted to the type of the predictions.
            y_pred: The predictions, of any real type.
            sample_weight: What the samples count. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
        """
        inner = scope.with_sub_scope("update_state")
        labels, predictions = aligned(inner, as_type(inner, y_true, y_pred.dtype, "y_true"), y_pred, "y_true", "y_pred")
        check_broadcast(labels, predictions, "y_true", "y_pred")
        equal = Ops.create(inner).math.equal(labels, predictions)
        return self._add(inner, as_type(inner, equal, self.dtype), sample_weight)


@final
class BinaryAccuracy(LabelMetric[F]):
    """How often labels, 0 or 1, say whether the prediction is above `threshold`."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, threshold: float = 0.5) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.threshold = threshold

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        labels, predictions = aligned(scope, as_type(scope, y_true, self.dtype), y_pred, "y_true", "y_pred")
        check_broadcast(labels, predictions, "y_true", "y_pred")
        above = tf.math.greater(predictions, core.Constant.create(scope, self.threshold, y_pred.dtype))
        return as_type(scope, tf.math.equal(labels, as_type(scope, above, self.dtype)), self.dtype)


@final
class CategoricalAccuracy(LabelMetric[F]):
    """How often the largest prediction is where the largest label is, along the last dimension."""

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        check_equal(y_true, y_pred, "y_true", "y_pred")
        tf = Ops.create(scope)
        equal = tf.math.equal(_argmax(scope, y_true), _argmax(scope, y_pred))
        return as_type(scope, equal, self.dtype)


@final
class SparseCategoricalAccuracy(ClassMetric[F]):
    """How often the prediction for the true class is the largest."""

    def _values(self, scope: Scope, y_true: Operand[I], y_pred: Operand[P]) -> Operand[F]:
        labels = sparse_labels(scope, y_true, y_pred)
        equal = Ops.create(scope).math.equal(labels, _argmax(scope, y_pred))
        return as_type(scope, equal, self.dtype)


@final
class TopKCategoricalAccuracy(LabelMetric[F]):
    """How often the prediction where the largest label is is among the `k` largest."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, k: int = 5) -> None:
        """See `Metric`. Raises `AttributeValueError` for a k below 1."""
        super().__init__(scope, dtype)
        self.k = _checked(k)

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        check_equal(y_true, y_pred, "y_true", "y_pred")
        return as_type(scope, _in_top(scope, _argmax(scope, y_true), y_pred, self.k), self.dtype)


@final
class SparseTopKCategoricalAccuracy(ClassMetric[F]):
    """How often the prediction for the true class is among the `k` largest."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, k: int = 5) -> None:
        """See `Metric`. Raises `AttributeValueError` for a k below 1."""
        super().__init__(scope, dtype)
        self.k = _checked(k)

    def _values(self, scope: Scope, y_true: Operand[I], y_pred: Operand[P]) -> Operand[F]:
        labels = sparse_labels(scope, y_true, y_pred)
        return as_type(scope, _in_top(scope, labels, y_pred, self.k), self.dtype)


def _checked(k: int) -> int:
    if k < 1:
        raise AttributeValueError(f"k is 1 or more, not {k!r}")
    return k


def _argmax(scope: Scope, x: Operand[V]) -> Operand[TInt64]:
    return Ops.create(scope).math.arg_max(x, -1)


def _in_top(scope: Scope, labels: Operand[TInt64], y_pred: Operand[P], k: int) -> Operand[TBool]:
    """Whether the prediction for each label is among the `k` largest, in float32 as in Keras; of the shape of the labels."""
    tf = Ops.create(scope)
    predictions = as_type(scope, y_pred, TFloat32)
    if rank_of(predictions, "y_pred") == 2:
        return tf.nn.in_top_k(predictions, labels, k)
    classes = tf.gather(tf.shape(predictions), rank_of(predictions, "y_pred") - 1, 0)
    rows = tf.reshape(predictions, tf.stack([tf.constant(-1), classes]))
    return tf.reshape(tf.nn.in_top_k(rows, tf.reshape(labels, (-1,)), k), tf.shape(labels))
