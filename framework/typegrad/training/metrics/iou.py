"""`MeanIoU`: how well predicted regions cover the true ones."""

from __future__ import annotations

from typing import Final, final

from typing_extensions import TypeVar

from typegrad import functions
from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TBool, TInt64, TReal
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, as_operand, as_type, check_broadcast
from typegrad.training.metrics.comparisons import W
from typegrad.training.metrics.metric import F, Metric, broadcast_to, grouped

__all__ = ["MeanIoU"]

V = TypeVar("V", bound=TReal | TBool)

_EPSILON: Final = 1e-7


@final
class MeanIoU(Metric[F]):
    """The mean over the classes that occur of intersection over union: tp / (tp + fp + fn), from a confusion matrix.

    Keras' counts in integers by default and so rounds weights down; this one counts in a floating-point type, as Keras' does with
    `dtype="float32"`. Labels that are no class are left out.
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
            sparse_y_true: Whether labels are numbers of classes; else there is a number for each class along `axis`, largest wins.
            sparse_y_pred: The same of predictions.
            axis: The dimension of the classes.

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
        y_true: Operand[Label] | RealLike,
        y_pred: Operand[V],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> core.NoOp:
        """An operation that takes in a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels.
            y_pred: The predictions, as many as labels.
            sample_weight: What the samples count: as many as labels, or one for all.

        Raises:
            ShapeError: The shapes do not fit.
        """
        inner = scope.with_sub_scope("update_state")
        tf = Ops.create(inner)
        kind = TInt64 if self.sparse_y_true else self.dtype
        labels: Operand[Label] = as_operand(inner, y_true, kind, "y_true")
        true = self._classes(inner, labels, sparse=self.sparse_y_true)
        pred = self._classes(inner, y_pred, sparse=self.sparse_y_pred)
        check_broadcast(true, pred, "y_true", "y_pred")
        weight: Operand[F] = core.Constant.create(inner, 1.0, self.dtype)
        if sample_weight is not None:
            weight = as_type(inner, sample_weight, self.dtype, "sample_weight")
            weight = tf.reshape(weight, (-1,)) if weight.rank != 0 else weight
            check_broadcast(weight, true, "sample_weight", "y_true")
        cells = self._cells(inner, true, pred)
        weight = broadcast_to(inner, weight, as_type(inner, cells, self.dtype))
        count = self.num_classes * self.num_classes
        added = tf.math.unsorted_segment_sum(weight, cells, count)
        matrix = tf.reshape(added, (self.num_classes, self.num_classes))
        return grouped(inner, [self._matrix.assign_add(inner, matrix)])

    def _classes(self, scope: Scope, x: Operand[V], *, sparse: bool) -> Operand[TInt64]:
        tf = Ops.create(scope)
        return tf.reshape(as_type(scope, x, TInt64) if sparse else tf.math.arg_max(x, self.axis), (-1,))

    def _cells(self, scope: Scope, true: Operand[TInt64], pred: Operand[TInt64]) -> Operand[TInt64]:
        """The place of each sample in the matrix, row by row; -1, which is no place, for those that do not count."""
        tf = Ops.create(scope)
        size, zero, outside = (core.Constant.create(scope, n, TInt64) for n in (self.num_classes, 0, -1))
        valid: Operand[TBool] = tf.math.logical_and(tf.math.greater_equal(true, zero), tf.math.less(true, size))
        for limit in (tf.math.greater_equal(pred, zero), tf.math.less(pred, size)):
            valid = tf.math.logical_and(valid, limit)
        if self.ignore_class is not None:
            counts = tf.math.not_equal(true, core.Constant.create(scope, self.ignore_class, TInt64))
            valid = tf.math.logical_and(valid, counts)
        return tf.select(valid, tf.math.add_v2(tf.math.mul(true, size), pred), outside)

    def result(self, scope: Scope) -> Operand[F]:
        """The mean over the classes that occur among labels or predictions; 0 if there are none."""
        inner = scope.with_sub_scope("result")
        tf = Ops.create(inner)
        matrix = self._matrix.read(inner)
        zero, small = (core.Constant.create(inner, x, self.dtype) for x in (0.0, _EPSILON))
        both = tf.sum(tf.math.mul(matrix, functions.eye(inner, self.num_classes, dtype=self.dtype)), 0)
        either = tf.math.sub(tf.math.add_v2(tf.sum(matrix, 0), tf.sum(matrix, 1)), both)
        occurs = tf.math.greater(either, zero)
        shares = tf.select(occurs, tf.math.real_div(both, tf.math.add_v2(either, small)), zero)
        return tf.math.real_div(tf.sum(shares), tf.math.add_v2(tf.sum(as_type(inner, occurs, self.dtype)), small))
