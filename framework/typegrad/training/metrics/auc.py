"""`AUC`: the area under a curve that predictions trace as the threshold moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, final

import numpy as np

from typegrad.base.errors import AttributeValueError
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, Weight
from typegrad.training.metrics.confusion import ALL_KINDS, ConfusionMetric, share
from typegrad.training.metrics.metric import F, P
from typegrad.training.metrics.thresholds import Thresholds

__all__ = ["AUC"]

Curve: TypeAlias = Literal["ROC", "PR"]
Summation: TypeAlias = Literal["interpolation", "minoring", "majoring"]


@final
class AUC(ConfusionMetric[F]):
    """The area under the ROC or the precision-recall curve, as a sum over thresholds (Keras: `AUC`).

    Between thresholds, the precision-recall curve is interpolated as in Davis and Goadrich (2006), the ROC curve
    linearly.

    Labels and predictions have one shape [..., n]; with `num_labels`, [samples, num_labels]. The result is a scalar of
    the type `dtype`.

    Source: Keras' `keras.metrics.AUC`.
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
            summation_method: The height between two thresholds: interpolated, the smaller one ("minoring") or the
                larger one.
            thresholds: Thresholds between 0 and 1 in place of even ones; 0 and 1 are added.
            num_labels: The number of labels of a sample, to compute the area for each label and average. (Keras needs
                `multi_label=True` as well.)
            label_weights: The weight of each label in that average; without `num_labels`, of each prediction.
            from_logits: Whether predictions are logits, to which the sigmoid is applied.

        Raises:
            AttributeValueError: An option has a value that is not allowed.
        """
        if num_thresholds < 2:
            raise AttributeValueError(f"num_thresholds is 2 or more, not {num_thresholds!r}")
        even = Thresholds.even(num_thresholds).values
        inside = even[1:-1] if thresholds is None else sorted(Thresholds.requested(thresholds).values)
        limits = Thresholds((0.0, *inside, 1.0), margin=True)
        super().__init__(scope, dtype, limits, ALL_KINDS, labels=num_labels)
        self._curve = curve
        self._summation = summation_method
        self._from_logits = from_logits
        self._label_weights = None if label_weights is None else np.array(label_weights, self.dtype.numpy)

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label],
        y_pred: Operand[P],
        sample_weight: Operand[Weight] | None = None,
    ) -> core.NoOp:
        """An operation that adds a batch: see `ConfusionMetric.update_state`."""
        predictions = Ops.create(scope).math.sigmoid(y_pred) if self._from_logits else y_pred
        return super().update_state(scope, y_true, predictions, sample_weight)

    def _weight(
        self, tf: Ops, y_true: Operand[F], y_pred: Operand[F], sample_weight: Operand[Weight] | None
    ) -> Operand[F]:
        weight = super()._weight(tf, y_true, y_pred, sample_weight)
        return weight if self._label_weights is None or self._labels is not None else weight * self._label_weights

    def result(self, scope: Scope) -> Operand[F, tuple[()]]:
        """The area, between 0 and 1."""
        with Ops.create(scope).with_sub_scope("result") as tf:
            counts = self._read(tf)
            if self._curve == "PR" and self._summation == "interpolation":
                return self._averaged(tf, _interpolated(tf, counts))
            recall = share(tf, counts["true_positives"], counts["false_negatives"])
            if self._curve == "ROC":
                x, y = share(tf, counts["false_positives"], counts["true_negatives"]), recall
            else:
                x, y = recall, share(tf, counts["true_positives"], counts["false_positives"])
            (x_left, x_right), (left, right) = _ends(x), _ends(y)
            height: Operand[F]
            if self._summation == "interpolation":
                height = (left + right) * 0.5
            else:
                height = (tf.math.minimum if self._summation == "minoring" else tf.math.maximum)(left, right)
            return self._averaged(tf, (x_left - x_right) * height)

    def _averaged(self, tf: Ops, areas: Operand[F]) -> Operand[F]:
        """The sum over the thresholds, and the mean over the labels."""
        area = tf.sum(areas, 0)
        if self._labels is None:
            return area
        if self._label_weights is None:
            return tf.math.mean(area)
        weights = tf.constant(self._label_weights, self.dtype)
        return tf.math.div_no_nan(tf.sum(area * weights), tf.sum(weights))


def _ends(x: Operand[F]) -> tuple[Operand[F], Operand[F]]:
    """The values at the lower and the upper end of each interval between thresholds."""
    return x[:-1], x[1:]


def _interpolated(tf: Ops, counts: dict[str, Operand[F]]) -> Operand[F]:
    """The areas under the precision-recall curve; between thresholds, precision is linear in the positives.

    With slope s = d(tp) / d(p) and intercept i = tp - s p, the area is s (d(tp) + i log(p_left / p_right)) / labels,
    where tp counts the true positives and p all positives.
    """
    true, false, missed = (counts[kind] for kind in ("true_positives", "false_positives", "false_negatives"))
    (true_left, true_right), (left, right) = _ends(true), _ends(true + false)
    gained = true_left - true_right
    slope = tf.math.div_no_nan(gained, tf.math.maximum(left - right, 0.0))
    intercept = true_right - slope * right
    both = (left > 0.0) & (right > 0.0)
    ratio = tf.select(both, tf.math.div_no_nan(left, tf.math.maximum(right, 0.0)), 1.0)
    area = slope * (gained + intercept * tf.math.log(ratio))
    labels = true_right + missed[1:]
    return tf.math.div_no_nan(area, tf.math.maximum(labels, 0.0))
