"""Metrics of true and false positives and negatives. Names, defaults and results are those of Keras 3.

Labels are true where they are not 0; predictions are positive where they are above a threshold. With one threshold the result is a
scalar, with several a vector. Where thresholds are evenly spaced from 0 to 1, predictions are probabilities: others count as 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TBool, TFloat16, TFloating
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, aligned, as_operand, as_type, check_broadcast, rank_of
from typegrad.training.metrics.comparisons import P, W
from typegrad.training.metrics.metric import F, Metric, broadcast_to, grouped
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
    """Keras' stand-in for the least number, or that of half precision: a prediction that is never positive, and the threshold for it."""
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
        """Made by the metrics. `labels`: how many labels of a sample are counted apart, None for all together."""
        super().__init__(scope, dtype)
        self._thresholds = thresholds
        self._top_k = top_k
        self._class_id = class_id
        self._labels = labels
        sizes = (len(thresholds),) if labels is None else (len(thresholds), labels)
        self._kinds = {kind: self._new(kind, *sizes) for kind in kinds}

    @property
    def thresholds(self) -> tuple[float, ...]:
        """What predictions are compared with."""
        return self._thresholds.exact

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
            y_true: The labels: 0 is false, all else true.
            y_pred: The predictions, of the shape of the labels.
            sample_weight: What the samples count, of the shape of the labels or without their last dimension.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
        """
        inner = scope.with_sub_scope("update_state")
        given: Operand[Label] = as_operand(inner, y_true, self.dtype, "y_true")
        labels = as_type(inner, as_type(inner, given, TBool), self.dtype)
        y, p = aligned(inner, labels, as_type(inner, y_pred, self.dtype), "y_true", "y_pred")
        check_broadcast(y, p, "y_true", "y_pred")
        weight = self._weight(inner, y, p, sample_weight)
        if self._top_k is not None:
            p = _best(inner, p, self._top_k)
        if self._class_id is not None:
            y, p, weight = (self._class(inner, x, self._class_id) for x in (y, p, weight))
        return self._count(inner, *(self._matrix(inner, broadcast_to(inner, x, p)) for x in (y, p, weight)))

    def _weight(
        self, scope: Scope, y_true: Operand[F], y_pred: Operand[F], sample_weight: Operand[W] | RealLike | None
    ) -> Operand[F]:
        """The weights of the predictions, of their shape."""
        weight: Operand[F] = core.Constant.create(scope, 1.0, self.dtype)
        if sample_weight is not None:
            weight = as_type(scope, sample_weight, self.dtype, "sample_weight")
            if weight.rank and weight.rank == rank_of(y_true, "y_true") - 1:
                weight = core.ExpandDims.create(scope, weight, -1)
            check_broadcast(weight, y_pred, "sample_weight", "y_pred")
        return broadcast_to(scope, weight, y_pred)

    def _class(self, scope: Scope, x: Operand[F], class_id: int) -> Operand[F]:
        """The column of one class."""
        rank = rank_of(x, "y_pred")
        if rank < 2:
            raise ShapeError(f"class_id is for predictions of shape [samples, classes], not {x.shape}")
        return core.Gather.create(scope, x, [class_id], rank - 1)

    def _matrix(self, scope: Scope, x: Operand[F]) -> Operand[F]:
        """Samples in rows; what is counted apart in columns."""
        if self._labels is None:
            return core.Reshape.create(scope, x, (-1, 1))
        if x.rank != 2 or x.shape.known()[1] not in (None, self._labels):
            raise ShapeError(f"y_pred of '{self.name}' is of shape [samples, {self._labels}], not {x.shape}")
        return core.Reshape.create(scope, x, (-1, self._labels))

    def _count(self, scope: Scope, y: Operand[F], p: Operand[F], weight: Operand[F]) -> core.NoOp:
        tf = Ops.create(scope)
        positive = tf.math.mul(y, weight)
        counts = counted(scope, positive, tf.math.sub(weight, positive), p, self._thresholds)
        return grouped(
            scope,
            [
                variable.assign_add(scope, tf.reshape(counts[kind], variable.shape.as_ints()))
                for kind, variable in self._kinds.items()
            ],
        )

    def _read(self, scope: Scope) -> dict[str, Operand[F]]:
        return {kind: variable.read(scope) for kind, variable in self._kinds.items()}

    def _plain(self, scope: Scope, x: Operand[F]) -> Operand[F]:
        """A vector with one element as a scalar."""
        return core.Reshape.create(scope, x, ()) if len(self._thresholds) == 1 else x


class _OneKind(ConfusionMetric[F]):
    _KIND: str

    def __init__(
        self, scope: Scope, dtype: type[F] | None = None, *, thresholds: float | Sequence[float] | None = None
    ) -> None:
        """See `Metric`. `thresholds`: one or several numbers between 0 and 1, by default 0.5."""
        super().__init__(scope, dtype, Thresholds.given(thresholds), [self._KIND])

    def result(self, scope: Scope) -> Operand[F]:
        """The sum of their weights."""
        inner = scope.with_sub_scope("result")
        return self._plain(inner, self._read(inner)[self._KIND])


@final
class TruePositives(_OneKind[F]):
    """True labels with positive predictions."""

    _KIND = "true_positives"


@final
class FalsePositives(_OneKind[F]):
    """False labels with positive predictions."""

    _KIND = "false_positives"


@final
class TrueNegatives(_OneKind[F]):
    """False labels with negative predictions."""

    _KIND = "true_negatives"


@final
class FalseNegatives(_OneKind[F]):
    """True labels with negative predictions."""

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
            top_k: How many of the predictions for a sample can be positive, the largest; None for all.
            class_id: The only column of labels and predictions that counts, None for all.

        Raises:
            AttributeValueError: `thresholds` or `top_k` is out of range.
        """
        if top_k is not None and top_k < 1:
            raise AttributeValueError(f"top_k is 1 or more, or None for all predictions; got {top_k!r}")
        limits = Thresholds.given(thresholds, 0.5 if top_k is None else _never(dtype))
        kinds = ["true_positives", self._OTHERS]
        super().__init__(scope, dtype, limits, kinds, top_k=top_k, class_id=class_id)

    def result(self, scope: Scope) -> Operand[F]:
        """The share; 0 if there is nothing to have a share of."""
        inner = scope.with_sub_scope("result")
        counts = self._read(inner)
        return self._plain(inner, share(inner, counts["true_positives"], counts[self._OTHERS]))


@final
class Precision(_Share[F]):
    """The share of true labels among positive predictions."""

    _OTHERS = "false_positives"


@final
class Recall(_Share[F]):
    """The share of positive predictions among true labels."""

    _OTHERS = "false_negatives"


ALL_KINDS: Final = ("true_positives", "false_positives", "true_negatives", "false_negatives")

_RECALL: Final = ("true_positives", "false_negatives")
_PRECISION: Final = ("true_positives", "false_positives")
_SPECIFICITY: Final = ("true_negatives", "false_positives")


class _BestAt(ConfusionMetric[F]):
    """The largest of one share at those thresholds where another share is large enough."""

    _WANTED: tuple[str, str]
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
            least: What the other share must reach, between 0 and 1.
            dtype: The element type of state and result.
            num_thresholds: How many thresholds from 0 to 1 are tried.
            class_id: The only column of labels and predictions that counts, None for all.

        Raises:
            AttributeValueError: `least` or `num_thresholds` is out of range.
        """
        if not 0 <= least <= 1:
            raise AttributeValueError(f"{type(self).__name__} takes a share between 0 and 1, not {least!r}")
        if num_thresholds < 1:
            raise AttributeValueError(f"num_thresholds is 1 or more, not {num_thresholds!r}")
        self.least = least
        super().__init__(scope, dtype, Thresholds.even(num_thresholds), ALL_KINDS, class_id=class_id)

    def result(self, scope: Scope) -> Operand[F]:
        """The largest share; 0 if the other is nowhere large enough."""
        inner = scope.with_sub_scope("result")
        tf = Ops.create(inner)
        counts = self._read(inner)
        wanted, bounded = (share(inner, counts[part], counts[rest]) for part, rest in (self._WANTED, self._BOUNDED))
        enough = tf.math.greater_equal(bounded, core.Constant.create(inner, self.least, self.dtype))
        return tf.max(tf.select(enough, wanted, tf.zeros_like(wanted)))


@final
class SensitivityAtSpecificity(_BestAt[F]):
    """The largest sensitivity (recall) where the specificity is at least `least`."""

    _WANTED, _BOUNDED = _RECALL, _SPECIFICITY


@final
class SpecificityAtSensitivity(_BestAt[F]):
    """The largest specificity where the sensitivity (recall) is at least `least`."""

    _WANTED, _BOUNDED = _SPECIFICITY, _RECALL


@final
class PrecisionAtRecall(_BestAt[F]):
    """The largest precision where the recall is at least `least`."""

    _WANTED, _BOUNDED = _PRECISION, _RECALL


@final
class RecallAtPrecision(_BestAt[F]):
    """The largest recall where the precision is at least `least`."""

    _WANTED, _BOUNDED = _RECALL, _PRECISION


def _best(scope: Scope, y_pred: Operand[F], count: int) -> Operand[F]:
    """The predictions, but for each sample only the `count` largest; the others become such as are never positive."""
    tf = Ops.create(scope)
    classes = tf.gather(tf.shape(y_pred), rank_of(y_pred, "y_pred") - 1, 0)
    chosen = tf.one_hot(tf.nn.top_k(y_pred, count).indices, classes, tf.constant(True), tf.constant(False))
    return tf.select(tf.any(chosen, -2), y_pred, core.Constant.create(scope, _never(y_pred.dtype), y_pred.dtype))


def share(scope: Scope, part: Operand[F], rest: Operand[F]) -> Operand[F]:
    """`part / (part + rest)`, 0 where there is neither."""
    tf = Ops.create(scope)
    return tf.math.div_no_nan(part, tf.math.add_v2(part, rest))
