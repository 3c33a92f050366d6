"""`AUC`: the area under a curve that predictions trace as the threshold moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, final

import numpy as np

from typegrad.base.errors import AttributeValueError
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core, math
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label
from typegrad.training.metrics.comparisons import P, W
from typegrad.training.metrics.confusion import ALL_KINDS, ConfusionMetric, share
from typegrad.training.metrics.metric import F
from typegrad.training.metrics.thresholds import Thresholds

__all__ = ["AUC"]

Curve: TypeAlias = Literal["ROC", "PR"]
Summation: TypeAlias = Literal["interpolation", "minoring", "majoring"]


@final
class AUC(ConfusionMetric[F]):
    """The area under the ROC or the precision-recall curve, by a sum over thresholds (Keras: `AUC`).

    The precision-recall curve is interpolated between thresholds as by Davis and Goadrich (2006), the ROC curve by straight lines.
    """

    def __init__(
        self,
        scope: Scope,
        dtype: type[F] | None = None,
        *,
        num_thresholds: int = 200,
        curve: Curve = "ROC",
        summation_method: Summation = "interpolation",
        thresholds: Sequence[float] | None = None,
        num_labels: int | None = None,
        label_weights: Sequence[float] | None = None,
        from_logits: bool = False,
    ) -> None:
        """See `Metric`.

        Args:
            scope: Where the state goes.
            dtype: The element type of state and result.
            num_thresholds: How many thresholds, evenly from 0 to 1.
            curve: "ROC": recall over the share of positive predictions among false labels. "PR": precision over recall.
            summation_method: Whether the height between two thresholds is interpolated, or the smaller or larger one.
            thresholds: Thresholds between 0 and 1 in place of even ones; 0 and 1 are added.
            num_labels: How many labels each sample has, if the area is computed for each of them and then averaged. (Keras needs
                `multi_label=True` for that as well.)
            label_weights: What each label counts: in that average, or without `num_labels` for each prediction.
            from_logits: Whether predictions are logits, to which the sigmoid is applied.

        Raises:
            AttributeValueError: An option has a value that is not allowed.
        """
        if num_thresholds < 2:
            raise AttributeValueError(f"num_thresholds is 2 or more, not {num_thresholds!r}")
        even = Thresholds.even(num_thresholds).values
        inside = even[1:-1] if thresholds is None else sorted(Thresholds.given(thresholds).values)
        limits = Thresholds((0.0, *inside, 1.0), margin=True)
        super().__init__(scope, dtype, limits, ALL_KINDS, labels=num_labels)
        self._curve = curve
        self._summation = summation_method
        self._from_logits = from_logits
        self._label_weights = None if label_weights is None else np.array(label_weights, self.dtype.numpy)

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label] | RealLike,
        y_pred: Operand[P],
        sample_weight: Operand[W] | RealLike | None = None,
    ) -> core.NoOp:
        """An operation that takes in a batch: see `ConfusionMetric.update_state`."""
        predictions = math.Sigmoid.create(scope, y_pred) if self._from_logits else y_pred
        return super().update_state(scope, y_true, predictions, sample_weight)

    def _weight(
        self, scope: Scope, y_true: Operand[F], y_pred: Operand[F], sample_weight: Operand[W] | RealLike | None
    ) -> Operand[F]:
        weight = super()._weight(scope, y_true, y_pred, sample_weight)
        if self._label_weights is None or self._labels is not None:
            return weight
        return math.Mul.create(scope, weight, core.Constant.create(scope, self._label_weights, self.dtype))

    def result(self, scope: Scope) -> Operand[F]:
        """The area, between 0 and 1."""
        inner = scope.with_sub_scope("result")
        tf = Ops.create(inner)
        counts = self._read(inner)
        if self._curve == "PR" and self._summation == "interpolation":
            return self._averaged(inner, _interpolated(inner, counts))
        recall = share(inner, counts["true_positives"], counts["false_negatives"])
        if self._curve == "ROC":
            x, y = share(inner, counts["false_positives"], counts["true_negatives"]), recall
        else:
            x, y = recall, share(inner, counts["true_positives"], counts["false_positives"])
        left, right = _steps(inner, y)
        height: Operand[F]
        if self._summation == "interpolation":
            height = tf.math.mul(tf.math.add_v2(left, right), core.Constant.create(inner, 0.5, self.dtype))
        else:
            height = (tf.math.minimum if self._summation == "minoring" else tf.math.maximum)(left, right)
        return self._averaged(inner, tf.math.mul(tf.math.sub(*_steps(inner, x)), height))

    def _averaged(self, scope: Scope, areas: Operand[F]) -> Operand[F]:
        """The sum over the thresholds, and the mean over the labels."""
        tf = Ops.create(scope)
        area = tf.sum(areas, 0)
        if self._labels is None:
            return area
        if self._label_weights is None:
            return tf.math.mean(area)
        weights = core.Constant.create(scope, self._label_weights, self.dtype)
        return tf.math.div_no_nan(tf.sum(tf.math.mul(area, weights)), tf.sum(weights))


def _steps(scope: Scope, x: Operand[F]) -> tuple[Operand[F], Operand[F]]:
    """The values at the lower and the upper end of each interval between thresholds."""
    tf = Ops.create(scope)
    count, *rest = x.shape.as_ints()
    sizes = [count - 1, *rest]
    begin = [0] * len(rest)
    return tf.slice(x, [0, *begin], sizes), tf.slice(x, [1, *begin], sizes)


def _interpolated(scope: Scope, counts: dict[str, Operand[F]]) -> Operand[F]:
    """The areas between thresholds under the precision-recall curve: between them, precision is linear in the number of positives.

    With slope s = d(tp) / d(p) and intercept i = tp - s p, the area is s (d(tp) + i log(p_left / p_right)) / labels, where tp counts
    the true positives, p all positives.
    """
    tf = Ops.create(scope)
    true, positives = counts["true_positives"], tf.math.add_v2(counts["true_positives"], counts["false_positives"])
    true_left, true_right = _steps(scope, true)
    left, right = _steps(scope, positives)
    zero = core.Constant.create(scope, 0.0, true.dtype)
    gained = tf.math.sub(true_left, true_right)
    slope = tf.math.div_no_nan(gained, tf.math.maximum(tf.math.sub(left, right), zero))
    intercept = tf.math.sub(true_right, tf.math.mul(slope, right))
    both = tf.math.logical_and(tf.math.greater(left, zero), tf.math.greater(right, zero))
    ratio = tf.select(both, tf.math.div_no_nan(left, tf.math.maximum(right, zero)), tf.ones_like(right))
    area = tf.math.mul(slope, tf.math.add_v2(gained, tf.math.mul(intercept, tf.math.log(ratio))))
    labels = tf.math.add_v2(true_right, _steps(scope, counts["false_negatives"])[1])
    return tf.math.div_no_nan(area, tf.math.maximum(labels, zero))
