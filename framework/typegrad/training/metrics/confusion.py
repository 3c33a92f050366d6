"""Metrics of true and false positives and negatives. Names, defaults and results are Keras 3's.

Labels are true where they are not 0; predictions are positive where they are above a threshold. With one threshold the
result is a scalar, with several a vector. If the thresholds are evenly spaced from 0 to 1, predictions are
probabilities: numbers below 0 count as 0, numbers above 1 as 1.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Final, final

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TBool, TFloat16, TFloating
from typegrad.functions.casting import as_type
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, Weight, aligned, check_broadcast, rank_of
from typegrad.training.metrics.metric import F, Metric, P, broadcast_to
from typegrad.training.metrics.thresholds import Thresholds, counted

__all__ = [
    "ALL_KINDS",
    "ConfusionMetric",
    "FalseNegatives",
    "FalsePositives",
    "Precision",
    "PrecisionAtRecall",
    "Recall",
    "RecallAtPrecision",
    "SensitivityAtSpecificity",
    "SpecificityAtSensitivity",
    "TrueNegatives",
    "TruePositives",
    "share",
]


def _never(dtype: type[TFloating] | None) -> float:
    """A prediction that is never positive, and a threshold below every other one: Keras' -1e10, or the least half."""
    return -65504.0 if dtype is TFloat16 else -1e10


class ConfusionMetric(Metric[F]):
    """A metric that counts some of the four kinds at each of its thresholds."""

    def __init__(
        self,
        scope: Scope,
        dtype: type[F] | None,
        thresholds: Thresholds,
        kinds: Sequence[str],
        *,
        top_k: int | None = None,
        class_id: int | None = None,
        labels: int | None = None,
    ) -> None:
        """Made by the metrics.

        `labels`: how many labels of a sample are counted separately; None counts all together.
        """
        super().__init__(scope, dtype)
        self._thresholds = thresholds
        self._top_k = top_k
        self._class_id = class_id
        self._labels = labels
        sizes = (len(thresholds),) if labels is None else (len(thresholds), labels)
        self._kinds = {kind: self._new(kind, *sizes) for kind in kinds}

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The numbers that predictions are compared with."""
        return self._thresholds.exact

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label],
        y_pred: Operand[P],
        sample_weight: Operand[Weight] | None = None,
    ) -> core.NoOp:
        """An operation that adds a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels: 0 is false, every other number true.
            y_pred: The predictions, of the shape of the labels.
            sample_weight: The weights of the samples, of the shape of the labels or without their last dimension.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            labels = as_type(tf.scope, as_type(tf.scope, y_true, TBool), self.dtype)
            y, p = aligned(tf, labels, as_type(tf.scope, y_pred, self.dtype), "y_true", "y_pred")
            check_broadcast(y, p, "y_true", "y_pred")
            weight = self._weight(tf, y, p, sample_weight)
            if self._top_k is not None:
                p = _best(tf, p, self._top_k)
            if self._class_id is not None:
                y, p, weight = (self._class(tf, x, self._class_id) for x in (y, p, weight))
            return self._count(tf, *(self._matrix(tf, broadcast_to(tf, x, p)) for x in (y, p, weight)))

    def _weight(
        self, tf: Ops, y_true: Operand[F], y_pred: Operand[F], sample_weight: Operand[Weight] | None
    ) -> Operand[F]:
        """The weights of the predictions, in the predictions' shape."""
        weight: Operand[F] = tf.constant(1.0, self.dtype)
        if sample_weight is not None:
            weight = as_type(tf.scope, sample_weight, self.dtype)
            if weight.rank and weight.rank == rank_of(y_true, "y_true") - 1:
                weight = tf.expand_dims(weight, -1)
            check_broadcast(weight, y_pred, "sample_weight", "y_pred")
        return broadcast_to(tf, weight, y_pred)

    def _class(self, tf: Ops, x: Operand[F], class_id: int) -> Operand[F]:
        """The column of one class."""
        rank = rank_of(x, "y_pred")
        if rank < 2:
            raise ShapeError(f"class_id is for predictions of shape [samples, classes], not {x.shape}")
        return tf.gather(x, [class_id], rank - 1)

    def _matrix(self, tf: Ops, x: Operand[F]) -> Operand[F]:
        """Samples in rows, separately counted labels in columns."""
        if self._labels is None:
            return tf.reshape(x, (-1, 1))
        if x.rank != 2 or x.shape.known()[1] not in (None, self._labels):
            raise ShapeError(f"y_pred of '{self.name}' is of shape [samples, {self._labels}], not {x.shape}")
        return tf.reshape(x, (-1, self._labels))

    def _count(self, tf: Ops, y: Operand[F], p: Operand[F], weight: Operand[F]) -> core.NoOp:
        positive = y * weight
        counts = counted(tf, positive, weight - positive, p, self._thresholds, self._labels or 1)
        return self._adding(
            tf, [(state, tf.reshape(counts[kind], state.shape.as_ints())) for kind, state in self._kinds.items()]
        )

    def _read(self, tf: Ops) -> dict[str, Operand[F]]:
        """The counts of each kind."""
        return {kind: variable.read(tf.scope) for kind, variable in self._kinds.items()}

    def _plain(self, tf: Ops, x: Operand[F]) -> Operand[F]:
        """`x`, but a vector with one element as a scalar."""
        return tf.reshape(x, ()) if len(self._thresholds) == 1 else x


class _OneKind(ConfusionMetric[F]):
    _KIND: str

    def __init__(
        self, scope: Scope, dtype: type[F] | None = None, *, thresholds: float | Sequence[float] | None = None
    ) -> None:
        """See `Metric`. `thresholds`: one or several numbers between 0 and 1, by default 0.5."""
        super().__init__(scope, dtype, Thresholds.requested(thresholds), [self._KIND])

    def result(self, scope: Scope) -> Operand[F]:
        """The sum of the weights of such predictions."""
        tf = Ops.create(scope).with_sub_scope("result")
        return self._plain(tf, self._read(tf)[self._KIND])


@final
class TruePositives(_OneKind[F]):
    """True labels with positive predictions.

    Labels and predictions have one shape [..., n]. The result has the type `dtype`: a scalar for one threshold, else of
    shape [thresholds].

    Source: Keras' `keras.metrics.TruePositives`.
    """

    _KIND = "true_positives"


@final
class FalsePositives(_OneKind[F]):
    """False labels with positive predictions.

    Labels and predictions have one shape [..., n]. The result has the type `dtype`: a scalar for one threshold, else of
    shape [thresholds].

    Source: Keras' `keras.metrics.FalsePositives`.
    """

    _KIND = "false_positives"


@final
class TrueNegatives(_OneKind[F]):
    """False labels with negative predictions.

    Labels and predictions have one shape [..., n]. The result has the type `dtype`: a scalar for one threshold, else of
    shape [thresholds].

    Source: Keras' `keras.metrics.TrueNegatives`.
    """

    _KIND = "true_negatives"


@final
class FalseNegatives(_OneKind[F]):
    """True labels with negative predictions.

    Labels and predictions have one shape [..., n]. The result has the type `dtype`: a scalar for one threshold, else of
    shape [thresholds].

    Source: Keras' `keras.metrics.FalseNegatives`.
    """

    _KIND = "false_negatives"


class _Share(ConfusionMetric[F]):
    _OTHERS: str

    def __init__(
        self,
        scope: Scope,
        dtype: type[F] | None = None,
        *,
        thresholds: float | Sequence[float] | None = None,
        top_k: int | None = None,
        class_id: int | None = None,
    ) -> None:
        """See `Metric`.

        Args:
            scope: Where the state goes.
            dtype: The element type of state and result.
            thresholds: One or several numbers between 0 and 1, by default 0.5; with `top_k` by default none.
            top_k: Only this many predictions for a sample, the largest, can be positive; None for all.
            class_id: The only column of labels and predictions that counts; None for all.

        Raises:
            AttributeValueError: `thresholds` or `top_k` is out of range.
        """
        if top_k is not None and operator.index(top_k) < 1:
            raise AttributeValueError(f"top_k is 1 or more, or None for all predictions; got {top_k!r}")
        limits = Thresholds.requested(thresholds, 0.5 if top_k is None else _never(dtype))
        kinds = ["true_positives", self._OTHERS]
        super().__init__(scope, dtype, limits, kinds, top_k=top_k, class_id=class_id)

    def result(self, scope: Scope) -> Operand[F]:
        """The share; 0 if the counts are zero."""
        with Ops.create(scope).with_sub_scope("result") as tf:
            counts = self._read(tf)
            return self._plain(tf, share(tf, counts["true_positives"], counts[self._OTHERS]))


@final
class Precision(_Share[F]):
    """The share of true labels among positive predictions.

    Labels and predictions have one shape [..., n]. The result has the type `dtype`: a scalar for one threshold, else of
    shape [thresholds].

    Source: Keras' `keras.metrics.Precision`.
    """

    _OTHERS = "false_positives"


@final
class Recall(_Share[F]):
    """The share of positive predictions among true labels.

    Labels and predictions have one shape [..., n]. The result has the type `dtype`: a scalar for one threshold, else of
    shape [thresholds].

    Source: Keras' `keras.metrics.Recall`.
    """

    _OTHERS = "false_negatives"


ALL_KINDS: Final = ("true_positives", "false_positives", "true_negatives", "false_negatives")

_RECALL: Final = ("true_positives", "false_negatives")
_PRECISION: Final = ("true_positives", "false_positives")
_SPECIFICITY: Final = ("true_negatives", "false_positives")


class _BestAt(ConfusionMetric[F]):
    """The largest value of one share, over the thresholds at which another share is large enough."""

    _MAXIMIZED: tuple[str, str]
    _BOUNDED: tuple[str, str]

    def __init__(
        self,
        scope: Scope,
        least: float,
        dtype: type[F] | None = None,
        *,
        num_thresholds: int = 200,
        class_id: int | None = None,
    ) -> None:
        """See `Metric`.

        Args:
            scope: Where the state goes.
            least: The least value of the other share, between 0 and 1.
            dtype: The element type of state and result.
            num_thresholds: How many thresholds from 0 to 1 are tried.
            class_id: The only column of labels and predictions that counts; None for all.

        Raises:
            AttributeValueError: `least` or `num_thresholds` is out of range.
        """
        if not 0 <= least <= 1:
            raise AttributeValueError(f"{type(self).__name__} takes a share between 0 and 1, not {least!r}")
        if num_thresholds < 1:
            raise AttributeValueError(f"num_thresholds is 1 or more, not {num_thresholds!r}")
        self.least = least
        super().__init__(scope, dtype, Thresholds.even(num_thresholds), ALL_KINDS, class_id=class_id)

    def result(self, scope: Scope) -> Operand[F, tuple[()]]:
        """The largest share; 0 if the other share is large enough at no threshold."""
        with Ops.create(scope).with_sub_scope("result") as tf:
            counts = self._read(tf)
            pairs = self._MAXIMIZED, self._BOUNDED
            maximized, bounded = (share(tf, counts[part], counts[rest]) for part, rest in pairs)
            return tf.max(tf.select(bounded >= self.least, maximized, 0.0))


@final
class SensitivityAtSpecificity(_BestAt[F]):
    """The largest sensitivity (recall) where the specificity is at least `least`.

    Labels and predictions have one shape [..., n]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.SensitivityAtSpecificity`.
    """

    _MAXIMIZED, _BOUNDED = _RECALL, _SPECIFICITY


@final
class SpecificityAtSensitivity(_BestAt[F]):
    """The largest specificity where the sensitivity (recall) is at least `least`.

    Labels and predictions have one shape [..., n]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.SpecificityAtSensitivity`.
    """

    _MAXIMIZED, _BOUNDED = _SPECIFICITY, _RECALL


@final
class PrecisionAtRecall(_BestAt[F]):
    """The largest precision where the recall is at least `least`.

    Labels and predictions have one shape [..., n]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.PrecisionAtRecall`.
    """

    _MAXIMIZED, _BOUNDED = _PRECISION, _RECALL


@final
class RecallAtPrecision(_BestAt[F]):
    """The largest recall where the precision is at least `least`.

    Labels and predictions have one shape [..., n]. The result is a scalar of the type `dtype`.

    Source: Keras' `keras.metrics.RecallAtPrecision`.
    """

    _MAXIMIZED, _BOUNDED = _RECALL, _PRECISION


def _best(tf: Ops, y_pred: Operand[F], count: int) -> Operand[F]:
    """The `count` largest predictions of each sample; a number that is never positive in place of the others."""
    classes = tf.shape(y_pred)[-1]
    chosen = tf.one_hot(tf.nn.top_k(y_pred, count).indices, classes, tf.constant(True), tf.constant(False))
    return tf.select(tf.any(chosen, -2), y_pred, _never(y_pred.dtype))


def share(tf: Ops, part: Operand[F], rest: Operand[F]) -> Operand[F]:
    """`part / (part + rest)`, 0 where both are 0."""
    return tf.math.div_no_nan(part, part + rest)
