"""Losses of classifiers: cross-entropies and hinge losses. Formulas and constants are Keras'.

A cross-entropy is the negative log-likelihood of labels under a predicted distribution. With `from_logits`, predictions
are unnormalized log probabilities, which is more accurate. Otherwise they are probabilities, clipped to stay 1e-7 away
from 0 and 1. Label smoothing s replaces a label y by `(1 - s) y + s / classes`.

A hinge loss asks for a margin between the predictions of the true class and the others. Its inputs have equal shape
[..., n], or shapes that broadcast; the result has shape [...], one loss for each sample.
"""

from __future__ import annotations

from typing import Final

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape, merge
from typegrad.base.types import TBool, TInt32, TInt64, TIntegral
from typegrad.functions.casting import as_type
from typegrad.graph.explain import input_lines
from typegrad.graph.operand import AnyOperand, F, Operand
from typegrad.graph.operand_like import IntegerLike, RealLike, is_operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses.logits import check_logits
from typegrad.training.losses.naming import named
from typegrad.training.losses.numerics import clip_probability
from typegrad.training.losses.shapes import ClassNumber, Label, check_equal, prepared, rank_of

__all__ = [
    "binary_crossentropy",
    "categorical_crossentropy",
    "categorical_hinge",
    "hinge",
    "sparse_categorical_crossentropy",
    "sparse_labels",
    "squared_hinge",
    "valid_labels",
]

_OF_NUMBERS: Final = "SparseCategoricalCrossentropy takes class numbers"


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
        label_smoothing: The weight of 1/2 in the smoothed labels.
        axis: The axis to average over.

    Returns:
        The losses, of the type of `y_pred` and of its shape without `axis`.

    Raises:
        ShapeError: The shapes differ, or there is no such axis.
        AttributeValueError: `label_smoothing` is not between 0 and 1.

    Source: Keras' `keras.losses.binary_crossentropy`.
    """
    with named(scope, "binary_crossentropy") as tf:
        check_logits(y_pred, from_logits=from_logits)
        y, p = prepared(tf, y_true, y_pred)
        check_equal(y, p)
        y = _smoothed(y, label_smoothing, 0.5)
        if from_logits:
            return tf.math.mean(y * tf.math.softplus(-p) + (1.0 - y) * tf.math.softplus(p), axis)
        p = clip_probability(tf, p)
        return tf.math.mean(y * -tf.math.log(p) + (1.0 - y) * -tf.math.log(1.0 - p), axis)


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
        y_true: The probability of each class, of the shape of `y_pred`; usually one-hot.
        y_pred: Predicted probabilities, which are first divided by their sum; or logits.
        from_logits: Whether `y_pred` are logits.
        label_smoothing: The weight of equal probabilities in the smoothed labels.
        axis: The axis of the classes.

    Returns:
        The losses, of the type of `y_pred` and of its shape without `axis`.

    Raises:
        ShapeError: The shapes differ, or there is no such axis.
        AttributeValueError: `label_smoothing` is not between 0 and 1.

    Source: Keras' `keras.losses.categorical_crossentropy`.
    """
    with named(scope, "categorical_crossentropy") as tf:
        check_logits(y_pred, from_logits=from_logits)
        try:
            y, p = prepared(tf, y_true, y_pred)
            check_equal(y, p)
        except ShapeError as error:
            if not _are_class_numbers(y_true, y_pred):
                raise
            told, _, lines = str(error).partition("\n")
            raise ShapeError(f"{told.partition('; ')[0]}; {_OF_NUMBERS}\n{lines}") from None
        y, p = _classes_last(tf, y, axis), _classes_last(tf, p, axis)
        if label_smoothing:
            y = _smoothed(y, label_smoothing, tf.math.reciprocal(as_type(tf.scope, _classes(tf, y), y.dtype)))
        if from_logits:
            losses = tf.nn.softmax_cross_entropy_with_logits(_rows(tf, p), _rows(tf, y)).loss
            return losses if p.rank == 2 else tf.reshape(losses, tf.shape(p)[:-1])
        distribution = p / tf.sum(p, -1, keep_dims=True)
        return -tf.sum(y * tf.math.log(clip_probability(tf, distribution)), -1)


def sparse_categorical_crossentropy(
    scope: Scope,
    y_true: Operand[ClassNumber] | IntegerLike,
    y_pred: Operand[F],
    *,
    from_logits: bool = False,
    ignore_class: int | None = None,
) -> Operand[F]:
    """`-log(p[y])` for each sample, with the number y of the true class and predicted probabilities p.

    Args:
        scope: Where in the graph the operations go.
        y_true: The numbers of the classes, from 0, of shape [...] or [..., 1].
        y_pred: Predicted probabilities of the classes, of shape [..., classes], or logits.
        from_logits: Whether `y_pred` are logits. If not, they are clipped, then normalized.
        ignore_class: Samples with this label, which need not be a class, have loss 0.

    Returns:
        The losses, of shape [...].

    Raises:
        ShapeError: The shapes do not fit.

    Source: Keras' `keras.losses.sparse_categorical_crossentropy`.
    """
    with named(scope, "sparse_categorical_crossentropy") as tf:
        check_logits(y_pred, from_logits=from_logits)
        labels = sparse_labels(tf, y_true, y_pred)
        valid = None if ignore_class is None else valid_labels(tf, labels, ignore_class)
        if valid is not None:
            labels = tf.select(valid, labels, 0)
            y_pred = tf.select(tf.expand_dims(valid, -1), y_pred, 0.0)
        logits = y_pred if from_logits else tf.math.log(clip_probability(tf, y_pred))
        flat = tf.reshape(labels, (-1,))
        losses: Operand[F] = tf.nn.sparse_softmax_cross_entropy_with_logits(_rows(tf, logits), flat).loss
        if labels.rank != 1:
            losses = tf.reshape(losses, tf.shape(labels))
        return losses if valid is None else tf.select(valid, losses, 0.0)


def hinge(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(max(1 - y_true y_pred, 0))`, with labels -1 and 1. If all labels are 0 or 1, 0 counts as -1.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit.

    Source: Keras' `keras.losses.hinge`.
    """
    with named(scope, "hinge") as tf:
        return tf.math.mean(_shortfall(tf, y_true, y_pred), -1)


def squared_hinge(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(max(1 - y_true y_pred, 0)^2)`, with labels as for `hinge`.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit.

    Source: Keras' `keras.losses.squared_hinge`.
    """
    with named(scope, "squared_hinge") as tf:
        return tf.math.mean(tf.math.square(_shortfall(tf, y_true, y_pred)), -1)


def categorical_hinge(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`max(neg - pos + 1, 0)`, with pos = sum(y_true y_pred) and neg = max((1 - y_true) y_pred).

    With one-hot labels, pos is the prediction for the true class and neg the largest other one, at least 0.

    Returns:
        The losses, of shape [...] and of the type of `y_pred`, for shapes [..., n] that are equal or broadcast.

    Raises:
        ShapeError: The shapes do not fit.

    Source: Keras' `keras.losses.categorical_hinge`.
    """
    with named(scope, "categorical_hinge") as tf:
        y, p = prepared(tf, y_true, y_pred)
        pos = tf.sum(y * p, -1)
        neg = tf.max((1.0 - y) * p, -1)
        return tf.math.maximum(neg - pos + 1.0, 0.0)


def _are_class_numbers(y_true: object, y_pred: AnyOperand) -> bool:
    """Whether labels are numbers of classes, one for each row of predictions."""
    if not is_operand(y_true) or not issubclass(y_true.dtype, TIntegral):
        return False
    return y_pred.rank is not None and y_true.rank == y_pred.rank - 1


def sparse_labels(tf: Ops, y_true: Operand[ClassNumber] | IntegerLike, y_pred: Operand[F]) -> Operand[TInt64]:
    """The labels as int64, of the shape of `y_pred` without its last dimension; a `ShapeError` if they do not fit."""
    labels: Operand[TInt64] = as_type(tf.scope, y_true, TInt64, "y_true")
    rank = rank_of(y_pred, "y_pred")
    if rank and rank_of(labels, "y_true") == rank and labels.shape.known()[-1] == 1:
        labels = tf.squeeze(labels, axis=(-1,))
    inputs = [("y_true", y_true if is_operand(y_true) else labels, None), ("y_pred", y_pred, None)]
    if not rank or labels.rank != rank - 1:
        one_hot = "; CategoricalCrossentropy takes one-hot labels" if rank and labels.rank == rank else ""
        raise ShapeError(
            f"y_true of shape {labels.shape} has no label for each row of y_pred of shape {y_pred.shape}: "
            f"y_true is of shape [...], y_pred of shape [..., classes]{one_hot}{input_lines(inputs)}"
        )
    try:
        merge(labels.shape, Shape(y_pred.shape.known()[:-1]))
    except ShapeError as error:
        raise ShapeError(
            f"y_true of shape {labels.shape} does not fit y_pred of shape {y_pred.shape}: {error}{input_lines(inputs)}"
        ) from None
    return labels


def valid_labels(tf: Ops, labels: Operand[TInt64], ignore_class: int) -> Operand[TBool]:
    """Where a label is not `ignore_class`."""
    return tf.math.not_equal(labels, ignore_class)


def _shortfall(tf: Ops, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`max(1 - y_true y_pred, 0)`, with labels -1 and 1."""
    y, p = prepared(tf, y_true, y_pred)
    is_binary = tf.all(tf.math.equal(y, 0.0) | tf.math.equal(y, 1.0))
    signs = tf.select(is_binary, 2.0 * y - 1.0, y)
    return tf.math.maximum(1.0 - signs * p, 0.0)


def _rows(tf: Ops, x: Operand[F]) -> Operand[F]:
    """`x` as a matrix with a row for each sample, a column for each class."""
    return x if x.rank == 2 else tf.reshape(x, tf.stack([-1, _classes(tf, x)]))


def _classes(tf: Ops, x: AnyOperand) -> Operand[TInt32]:
    """The size of the last dimension."""
    return tf.shape(x)[-1]


def _classes_last(tf: Ops, x: Operand[F], axis: int) -> Operand[F]:
    rank = rank_of(x, "y_pred")
    if not -rank <= axis < rank:
        raise ShapeError(f"axis {axis} is out of range for y_pred of shape {x.shape}")
    axis %= rank
    if axis == rank - 1:
        return x
    order = [i for i in range(rank) if i != axis]
    return tf.linalg.transpose(x, [*order, axis])


def _smoothed(y: Operand[F], smoothing: float, even: Operand[F] | float) -> Operand[F]:
    """`(1 - smoothing) y + smoothing even`."""
    if not 0 <= smoothing <= 1:
        raise AttributeValueError(f"label_smoothing is between 0 and 1, not {smoothing!r}")
    return y * (1 - smoothing) + smoothing * even if smoothing else y
