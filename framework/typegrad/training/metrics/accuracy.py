"""The share of predictions that are right. Names, defaults and results are Keras 3's."""

from __future__ import annotations

from typing import final

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TBool, TFloat32, TInt64
from typegrad.functions.casting import as_type
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.classification import sparse_labels
from typegrad.training.losses.shapes import (
    ClassNumber,
    Label,
    Value,
    Weight,
    aligned,
    check_broadcast,
    check_equal,
    rank_of,
)
from typegrad.training.metrics.metric import Average, ClassMetric, F, LabelMetric, P

__all__ = [
    "Accuracy",
    "BinaryAccuracy",
    "CategoricalAccuracy",
    "SparseCategoricalAccuracy",
    "SparseTopKCategoricalAccuracy",
    "TopKCategoricalAccuracy",
]


@final
class Accuracy(Average[F]):
    """How often predictions equal labels.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.Accuracy`.
    """

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label],
        y_pred: Operand[Value],
        sample_weight: Operand[Weight] | None = None,
    ) -> core.NoOp:
        """An operation that adds a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels, which are converted to the type of the predictions.
            y_pred: The predictions, of any real type.
            sample_weight: The weights of the samples. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            labels, predictions = aligned(tf, as_type(tf.scope, y_true, y_pred.dtype), y_pred, "y_true", "y_pred")
            check_broadcast(labels, predictions, "y_true", "y_pred")
            equal = tf.math.equal(labels, predictions)
            return self._add(tf, as_type(tf.scope, equal, self.dtype), sample_weight)


@final
class BinaryAccuracy(LabelMetric[F]):
    """How often the label is 1 for a prediction above `threshold`, and 0 for another.

    Labels and predictions have shape [..., n], equal or broadcast. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.BinaryAccuracy`.
    """

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, threshold: float = 0.5) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self.threshold = threshold

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        labels, predictions = aligned(tf, as_type(scope, y_true, self.dtype), y_pred, "y_true", "y_pred")
        check_broadcast(labels, predictions, "y_true", "y_pred")
        above = as_type(scope, predictions > self.threshold, self.dtype)
        return as_type(scope, tf.math.equal(labels, above), self.dtype)


@final
class CategoricalAccuracy(LabelMetric[F]):
    """How often the largest prediction and the largest label have the same index along the last dimension.

    Labels and predictions have shape [..., classes]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.CategoricalAccuracy`.
    """

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        check_equal(y_true, y_pred)
        tf = Ops.create(scope)
        equal = tf.math.equal(tf.math.arg_max(y_true, -1), tf.math.arg_max(y_pred, -1))
        return as_type(scope, equal, self.dtype)


@final
class SparseCategoricalAccuracy(ClassMetric[F]):
    """How often the prediction for the true class is the largest.

    Labels have shape [...] or [..., 1], predictions [..., classes]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.SparseCategoricalAccuracy`.
    """

    def _values(self, scope: Scope, y_true: Operand[ClassNumber], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        equal = tf.math.equal(sparse_labels(tf, y_true, y_pred), tf.math.arg_max(y_pred, -1))
        return as_type(scope, equal, self.dtype)


@final
class TopKCategoricalAccuracy(LabelMetric[F]):
    """How often the prediction for the class with the largest label is among the `k` largest.

    Labels and predictions have shape [..., classes]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.TopKCategoricalAccuracy`.
    """

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, k: int = 5) -> None:
        """See `Metric`. Raises `AttributeValueError` for a k below 1."""
        super().__init__(scope, dtype)
        self.k = _checked(k)

    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        check_equal(y_true, y_pred)
        tf = Ops.create(scope)
        return as_type(scope, _in_top(tf, tf.math.arg_max(y_true, -1), y_pred, self.k), self.dtype)


@final
class SparseTopKCategoricalAccuracy(ClassMetric[F]):
    """How often the prediction for the true class is among the `k` largest.

    Labels have shape [...] or [..., 1], predictions [..., classes]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.SparseTopKCategoricalAccuracy`.
    """

    def __init__(self, scope: Scope, dtype: type[F] | None = None, *, k: int = 5) -> None:
        """See `Metric`. Raises `AttributeValueError` for a k below 1."""
        super().__init__(scope, dtype)
        self.k = _checked(k)

    def _values(self, scope: Scope, y_true: Operand[ClassNumber], y_pred: Operand[P]) -> Operand[F]:
        tf = Ops.create(scope)
        return as_type(scope, _in_top(tf, sparse_labels(tf, y_true, y_pred), y_pred, self.k), self.dtype)


def _checked(k: int) -> int:
    if k < 1:
        raise AttributeValueError(f"k is 1 or more, not {k!r}")
    return k


def _in_top(tf: Ops, labels: Operand[TInt64], y_pred: Operand[P], k: int) -> Operand[TBool]:
    """Whether each label's prediction is among the `k` largest, in float32 as in Keras; of the labels' shape."""
    predictions = as_type(tf.scope, y_pred, TFloat32)
    if rank_of(predictions, "y_pred") == 2:
        return tf.nn.in_top_k(predictions, labels, k)
    rows = tf.reshape(predictions, tf.stack([-1, tf.shape(predictions)[-1]]))
    return tf.reshape(tf.nn.in_top_k(rows, tf.reshape(labels, (-1,)), k), tf.shape(labels))
