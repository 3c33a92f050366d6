"""Cross-entropies: the negative log-likelihood of labels under predicted distributions.

`from_logits` says that the predictions are unnormalized log probabilities; that way is the accurate one. Otherwise they are
probabilities, kept 1e-7 away from 0 and 1. Label smoothing s moves labels by the share s towards equal probabilities.
"""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape, merge
from typegrad.base.types import TBool, TFloating, TInt32, TInt64, TIntegral
from typegrad.graph.literals import IntegerLike, RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.arithmetic import clip_probability, number
from typegrad.training.losses.shapes import Label, as_type, check_equal, prepared, rank_of

__all__ = [
    "binary_crossentropy",
    "categorical_crossentropy",
    "sparse_categorical_crossentropy",
    "sparse_labels",
    "valid_labels",
]

F = TypeVar("F", bound=TFloating)
I = TypeVar("I", bound=TIntegral)  # noqa: E741


def binary_crossentropy(
    scope: Scope,
    y_true: Operand[Label] | RealLike,
    y_pred: Operand[F],
    *,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Operand[F]:
    """`mean(-y log(p) - (1 - y) log(1 - p))` along `axis`, for independent events with labels y and probabilities p.

    Args:
        scope: Where in the graph the operations go.
        y_true: Labels, of the shape of `y_pred`: 0 and 1, or probabilities.
        y_pred: Probabilities, or logits log(p / (1 - p)).
        from_logits: Whether `y_pred` are logits.
        label_smoothing: The share by which labels move towards 1/2.
        axis: What to average over.

    Raises:
        ShapeError: The shapes differ, or there is no such axis.
        AttributeValueError: `label_smoothing` is not between 0 and 1.
    """
    inner = scope.with_sub_scope("binary_crossentropy")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    check_equal(y, p, "y_true", "y_pred")
    y = _smoothed(inner, y, label_smoothing, number(inner, 0.5, y))
    other = tf.math.sub(number(inner, 1.0, y), y)
    if from_logits:
        costs: tuple[Operand[F], Operand[F]] = (tf.math.softplus(tf.math.neg(p)), tf.math.softplus(p))
    else:
        kept = clip_probability(inner, p)
        rest = tf.math.sub(number(inner, 1.0, y), kept)
        costs = (tf.math.neg(tf.math.log(kept)), tf.math.neg(tf.math.log(rest)))
    return tf.math.mean(tf.math.add_v2(tf.math.mul(y, costs[0]), tf.math.mul(other, costs[1])), axis)


def categorical_crossentropy(
    scope: Scope,
    y_true: Operand[Label] | RealLike,
    y_pred: Operand[F],
    *,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Operand[F]:
    """`-sum(y log(p))` along `axis`, for labels y and predicted probabilities p of the classes.

    Args:
        scope: Where in the graph the operations go.
        y_true: The probability of each class, of the shape of `y_pred`: a one and zeros, usually.
        y_pred: Predicted probabilities, which are divided by their sum first; or logits.
        from_logits: Whether `y_pred` are logits.
        label_smoothing: The share by which labels move towards equal probabilities.
        axis: The dimension of the classes.

    Raises:
        ShapeError: The shapes differ, or there is no such axis.
        AttributeValueError: `label_smoothing` is not between 0 and 1.
    """
    inner = scope.with_sub_scope("categorical_crossentropy")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    check_equal(y, p, "y_true", "y_pred")
    y, p = _classes_last(inner, y, axis), _classes_last(inner, p, axis)
    if label_smoothing:
        y = _smoothed(inner, y, label_smoothing, tf.math.reciprocal(as_type(inner, _classes(inner, y), y.dtype)))
    if from_logits:
        losses = tf.nn.softmax_cross_entropy_with_logits(_rows(inner, p), _rows(inner, y)).loss
        return losses if p.rank == 2 else tf.reshape(losses, _leading(inner, p))
    distribution = tf.math.real_div(p, tf.sum(p, -1, keep_dims=True))
    return tf.math.neg(tf.sum(tf.math.mul(y, tf.math.log(clip_probability(inner, distribution))), -1))


def sparse_categorical_crossentropy(
    scope: Scope,
    y_true: Operand[I] | IntegerLike,
    y_pred: Operand[F],
    *,
    from_logits: bool = False,
    ignore_class: int | None = None,
) -> Operand[F]:
    """`-log(p[y])` for each sample: labels are numbers of classes.

    Args:
        scope: Where in the graph the operations go.
        y_true: Labels, of shape [...] or [..., 1], from 0 up to the number of classes.
        y_pred: Predicted probabilities of the classes, of shape [..., classes], or logits.
        from_logits: Whether `y_pred` are logits. If not, they are still normalized after they were kept away from 0 and 1.
        ignore_class: Samples with this label, which need not be a class, have loss 0.

    Returns:
        The losses, of shape [...].

    Raises:
        ShapeError: The shapes do not fit.
    """
    inner = scope.with_sub_scope("sparse_categorical_crossentropy")
    tf = Ops.create(inner)
    labels = sparse_labels(inner, y_true, y_pred)
    zero = number(inner, 0.0, y_pred)
    valid = None if ignore_class is None else valid_labels(inner, labels, ignore_class)
    if valid is not None:
        labels = tf.select(valid, labels, core.Constant.create(inner, 0, TInt64))
        y_pred = tf.select(tf.expand_dims(valid, -1), y_pred, zero)
    logits = y_pred if from_logits else tf.math.log(clip_probability(inner, y_pred))
    rows = _rows(inner, logits)
    losses: Operand[F] = tf.nn.sparse_softmax_cross_entropy_with_logits(rows, tf.reshape(labels, (-1,))).loss
    if labels.rank != 1:
        losses = tf.reshape(losses, tf.shape(labels))
    return losses if valid is None else tf.select(valid, losses, zero)


def sparse_labels(scope: Scope, y_true: Operand[I] | IntegerLike, y_pred: Operand[F]) -> Operand[TInt64]:
    """The labels as int64, of the shape of `y_pred` without its last dimension; a `ShapeError` if they do not fit."""
    labels: Operand[TInt64] = as_type(scope, y_true, TInt64, "y_true")
    rank = rank_of(y_pred, "y_pred")
    if rank and rank_of(labels, "y_true") == rank and labels.shape.known()[-1] == 1:
        labels = core.Squeeze.create(scope, labels, axis=(-1,))
    if not rank or labels.rank != rank - 1:
        raise ShapeError(
            f"y_true of shape {labels.shape} has no label for each row of y_pred of shape {y_pred.shape}: "
            "y_true is of shape [...], y_pred of shape [..., classes]"
        )
    try:
        merge(labels.shape, Shape(y_pred.shape.known()[:-1]))
    except ShapeError as error:
        raise ShapeError(
            f"y_true of shape {labels.shape} does not fit y_pred of shape {y_pred.shape}: {error}"
        ) from None
    return labels


def valid_labels(scope: Scope, labels: Operand[TInt64], ignore_class: int) -> Operand[TBool]:
    """Where a label is not `ignore_class`."""
    return Ops.create(scope).math.not_equal(labels, core.Constant.create(scope, ignore_class, TInt64))


def _rows(scope: Scope, x: Operand[F]) -> Operand[F]:
    """`x` as a matrix with a row for each sample, a column for each class."""
    if x.rank == 2:
        return x
    tf = Ops.create(scope)
    return tf.reshape(x, tf.stack([tf.constant(-1), _classes(scope, x)]))


def _classes(scope: Scope, x: Operand[F]) -> Operand[TInt32]:
    """The size of the last dimension."""
    tf = Ops.create(scope)
    return tf.gather(tf.shape(x), len(x.shape.known()) - 1, 0)


def _leading(scope: Scope, x: Operand[F]) -> Operand[TInt32]:
    """The sizes of all dimensions but the last."""
    tf = Ops.create(scope)
    return tf.slice(tf.shape(x), (0,), (len(x.shape.known()) - 1,))


def _classes_last(scope: Scope, x: Operand[F], axis: int) -> Operand[F]:
    rank = rank_of(x, "y_pred")
    if not -rank <= axis < rank:
        raise ShapeError(f"axis {axis} is none of y_pred of shape {x.shape}")
    axis %= rank
    if axis == rank - 1:
        return x
    order = [i for i in range(rank) if i != axis]
    return Ops.create(scope).linalg.transpose(x, [*order, axis])


def _smoothed(scope: Scope, y: Operand[F], smoothing: float, even: Operand[F]) -> Operand[F]:
    """`y (1 - smoothing) + smoothing even`."""
    if not 0 <= smoothing <= 1:
        raise AttributeValueError(f"label_smoothing is between 0 and 1, not {smoothing!r}")
    if not smoothing:
        return y
    tf = Ops.create(scope)
    kept = tf.math.mul(y, number(scope, 1 - smoothing, y))
    return tf.math.add_v2(kept, tf.math.mul(number(scope, smoothing, y), even))
