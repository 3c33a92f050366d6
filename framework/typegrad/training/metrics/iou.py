"""`MeanIoU`: how well predicted regions cover the true ones."""

from __future__ import annotations

from typing import final

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TInt64
from typegrad.functions.casting import as_type
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.numerics import EPSILON
from typegrad.training.losses.shapes import Label, Value, Weight, check_broadcast
from typegrad.training.metrics.metric import F, Metric, broadcast_to

__all__ = ["MeanIoU"]


@final
class MeanIoU(Metric[F]):
    """The mean of intersection over union, tp / (tp + fp + fn), over the classes that occur; from a confusion matrix.

    Keras' `MeanIoU` counts in integers by default and so rounds weights down. This class counts in a floating-point
    type, as Keras does with `dtype="float32"`. Labels that are not the number of a class are left out.

    Labels and predictions have any shape with equal sizes, which is flattened; without `sparse_y_true` or
    `sparse_y_pred`, there is one more axis of size `num_classes`. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.MeanIoU`.
    """

    def __init__(
        self,
        scope: Scope,
        num_classes: int,
        dtype: type[F] | None = None,
        *,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        """See `Metric`.

        Args:
            scope: Where the state goes.
            num_classes: The number of classes.
            dtype: The element type of state and result.
            ignore_class: Samples with this label do not count.
            sparse_y_true: Whether labels are numbers of classes. Otherwise there is a number for each class along
                `axis`, and the class with the largest is meant.
            sparse_y_pred: The same for predictions.
            axis: The axis of the classes.

        Raises:
            AttributeValueError: There is no class.
        """
        if num_classes < 1:
            raise AttributeValueError(f"num_classes is 1 or more, not {num_classes!r}")
        super().__init__(scope, dtype)
        self.num_classes = num_classes
        self.ignore_class = ignore_class
        self.sparse_y_true = sparse_y_true
        self.sparse_y_pred = sparse_y_pred
        self.axis = axis
        self._matrix = self._new("confusion_matrix", num_classes, num_classes)

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
            y_true: The labels.
            y_pred: The predictions, as many as labels.
            sample_weight: The weights of the samples: as many as labels, or one for all.

        Raises:
            ShapeError: The shapes do not fit.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            true = self._classes(tf, y_true, sparse=self.sparse_y_true)
            pred = self._classes(tf, y_pred, sparse=self.sparse_y_pred)
            check_broadcast(true, pred, "y_true", "y_pred")
            weight: Operand[F] = tf.constant(1.0, self.dtype)
            if sample_weight is not None:
                weight = as_type(tf.scope, sample_weight, self.dtype)
                weight = tf.reshape(weight, (-1,)) if weight.rank != 0 else weight
                check_broadcast(weight, true, "sample_weight", "y_true")
            cells = self._cells(tf, true, pred)
            weight = broadcast_to(tf, weight, as_type(tf.scope, cells, self.dtype))
            counts = tf.math.unsorted_segment_sum(weight, cells, self.num_classes * self.num_classes)
            return self._adding(tf, [(self._matrix, tf.reshape(counts, (self.num_classes, self.num_classes)))])

    def _classes(self, tf: Ops, x: Operand[Value], *, sparse: bool) -> Operand[TInt64]:
        """The number of the class of each sample, as a vector."""
        return tf.reshape(as_type(tf.scope, x, TInt64) if sparse else tf.math.arg_max(x, self.axis), (-1,))

    def _cells(self, tf: Ops, true: Operand[TInt64], pred: Operand[TInt64]) -> Operand[TInt64]:
        """The index of each sample's cell in the flat matrix; -1, no cell, for samples that do not count."""
        size = self.num_classes
        valid = (true >= 0) & (true < size) & (pred >= 0) & (pred < size)
        if self.ignore_class is not None:
            valid = valid & tf.math.not_equal(true, self.ignore_class)
        return tf.select(valid, true * size + pred, -1)

    def result(self, scope: Scope) -> Operand[F, tuple[()]]:
        """The mean over the classes that occur among labels or predictions; 0 if there are none."""
        with Ops.create(scope).with_sub_scope("result") as tf:
            matrix = self._matrix.read(tf.scope)
            both = tf.sum(matrix * tf.eye(self.num_classes, dtype=self.dtype), 0)
            either = tf.sum(matrix, 0) + tf.sum(matrix, 1) - both
            occurs = either > 0.0
            shares = tf.select(occurs, both / (either + EPSILON), 0.0)
            return tf.sum(shares) / (tf.sum(as_type(tf.scope, occurs, self.dtype)) + EPSILON)
