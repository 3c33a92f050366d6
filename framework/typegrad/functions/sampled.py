"""Losses over many classes that are estimated from the true classes and a sample of the others."""

from __future__ import annotations

from typing import Any, Protocol, SupportsIndex, runtime_checkable

from typegrad.base.brief import described
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TFloat32, TInt32, TInt64
from typegrad.functions.casting import as_type
from typegrad.graph.conversion import constant
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOutput, F, Operand, Output
from typegrad.graph.operand_like import IntegerLike
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable
from typegrad.op._ops import Ops

__all__ = ["Candidates", "nce_loss", "sampled_softmax_loss"]


@runtime_checkable
class Candidates(Protocol):
    """The classes that an operation such as `random.UniformCandidateSampler` draws."""

    @property
    def sampled_candidates(self) -> Output[TInt64]:
        """The classes that were drawn, of shape [num_sampled]."""
        ...

    @property
    def true_expected_count(self) -> Output[TFloat32]:
        """How often each true class is expected among them, of the shape of the labels."""
        ...

    @property
    def sampled_expected_count(self) -> Output[TFloat32]:
        """How often each drawn class is expected among them, of shape [num_sampled]."""
        ...


def sampled_softmax_loss(
    scope: Scope,
    weights: Operand[F],
    biases: Operand[F],
    labels: Operand[TInt64] | Operand[TInt32] | IntegerLike,
    inputs: Operand[F],
    num_sampled: int,
    num_classes: int,
    *,
    num_true: int = 1,
    sampled_values: Candidates | None = None,
    remove_accidental_hits: bool = True,
    seed: SupportsIndex | None = None,
) -> Operand[F, tuple[Any]]:
    """The cross-entropy of a softmax over the true and a sample of the classes, corrected for their probabilities.

    For training: an estimate of the cross-entropy over all classes, and in general less. Only the rows of these classes
    are read from a variable, and its gradient has only these rows.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "sampled_softmax_loss".
        weights: A row for each class, of shape [num_classes, size].
        biases: A number for each class, of shape [num_classes].
        labels: The true classes, of shape [batch, num_true].
        inputs: The activations, of shape [batch, size].
        num_sampled: How many classes to draw for the whole batch.
        num_classes: How many classes there are.
        num_true: The number of true classes of each row; each has the probability `1 / num_true`.
        sampled_values: Classes that were drawn before, as a candidate sampler returns them; by default a
            `random.LogUniformCandidateSampler` draws distinct ones, the first classes more often.
        remove_accidental_hits: Whether a drawn class is ignored for the rows whose true class it is.
        seed: The seed of the drawn classes, in place of the graph's seed.

    Returns:
        The loss of each row, of shape [batch].

    Raises:
        ShapeError: The shapes do not fit.
        AttributeValueError: `num_sampled`, `num_classes` or `num_true` is less than 1.

    Source: TensorFlow's `tf.nn.sampled_softmax_loss`; Jean et al., "On using very large target vocabulary" (2015).
    """
    with _inner(scope, "sampled_softmax_loss", seed) as tf:
        classes = _labels(tf, labels)
        if sampled_values is None:
            _check_rows(weights, biases, num_classes)
        sample = _sample(tf, sampled_values, classes, num_sampled, num_classes, num_true)
        logits, targets = _logits(tf, weights, biases, classes, inputs, sample, num_true, remove_accidental_hits)
        return tf.nn.softmax_cross_entropy_with_logits(logits, tf.stop_gradient(targets)).loss


def nce_loss(
    scope: Scope,
    weights: Operand[F],
    biases: Operand[F],
    labels: Operand[TInt64] | Operand[TInt32] | IntegerLike,
    inputs: Operand[F],
    num_sampled: int,
    num_classes: int,
    *,
    num_true: int = 1,
    sampled_values: Candidates | None = None,
    remove_accidental_hits: bool = False,
    seed: SupportsIndex | None = None,
) -> Operand[F, tuple[Any]]:
    """Noise-contrastive estimation: a binary classification of each class as true or drawn.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "nce_loss".
        weights: A row for each class, of shape [num_classes, size].
        biases: A number for each class, of shape [num_classes].
        labels: The true classes, of shape [batch, num_true].
        inputs: The activations, of shape [batch, size].
        num_sampled: How many classes to draw for the whole batch.
        num_classes: How many classes there are.
        num_true: The number of true classes of each row; the label of each is `1 / num_true`.
        sampled_values: Classes that were drawn before, as a candidate sampler returns them; by default a
            `random.LogUniformCandidateSampler` draws distinct ones, the first classes more often.
        remove_accidental_hits: Whether a drawn class is ignored for the rows whose true class it is.
        seed: The seed of the drawn classes, in place of the graph's seed.

    Returns:
        The loss of each row, the sum over its classes, of shape [batch].

    Raises:
        ShapeError: The shapes do not fit.
        AttributeValueError: `num_sampled`, `num_classes` or `num_true` is less than 1.

    Source: TensorFlow's `tf.nn.nce_loss`; Gutmann and Hyvärinen, "Noise-contrastive estimation" (2010).
    """
    with _inner(scope, "nce_loss", seed) as tf:
        classes = _labels(tf, labels)
        if sampled_values is None:
            _check_rows(weights, biases, num_classes)
        sample = _sample(tf, sampled_values, classes, num_sampled, num_classes, num_true)
        logits, targets = _logits(tf, weights, biases, classes, inputs, sample, num_true, remove_accidental_hits)
        return tf.sum(tf.nn.sigmoid_cross_entropy(labels=targets, logits=logits), 1)


def _inner(scope: Scope, name: str, seed: SupportsIndex | None) -> Ops:
    return Ops.create(scope if seed is None else scope.with_seed(seed)).with_sub_scope(name)


def _labels(tf: Ops, labels: Operand[TInt64] | Operand[TInt32] | IntegerLike) -> Operand[TInt64]:
    """The true classes as int64, of rank 2."""
    if isinstance(labels, Operand):
        classes: AnyOutput = labels.output_in(tf.scope)
    else:
        classes = constant(tf.scope.with_name("labels"), labels, TInt64)
    if classes.rank not in (2, None):
        raise ShapeError(
            f"labels must have the shape [batch, num_true], but is {origin(classes)}; for one class a row, "
            "core.ExpandDims.create(scope, labels, 1)"
        )
    return as_type(tf.scope, classes, TInt64)


def _check_rows(weights: Operand[Any], biases: Operand[Any], num_classes: int) -> None:
    """Refuse fewer rows than classes: a run would fail as soon as a class without a row is drawn."""
    for name, each in (("weights", weights), ("biases", biases)):
        rows = (each.shape.dims or (None,))[0]
        if isinstance(rows, int) and rows < num_classes:
            raise ShapeError(f"num_classes is {num_classes}, but {name} has a row for {rows} classes: {origin(each)}")


def _sample(
    tf: Ops,
    sampled_values: Candidates | None,
    labels: Operand[TInt64],
    num_sampled: int,
    num_classes: int,
    num_true: int,
) -> Candidates:
    if sampled_values is None:
        return tf.random.log_uniform_candidate_sampler(
            labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes
        )
    parts = ("sampled_candidates", "true_expected_count", "sampled_expected_count")
    if not all(hasattr(sampled_values, part) for part in parts):
        raise AttributeValueError(
            "sampled_values must be the result of a candidate sampler, such as random.UniformCandidateSampler, not "
            f"{described(sampled_values)}"
        )
    return sampled_values


def _logits(
    tf: Ops,
    weights: Operand[F],
    biases: Operand[F],
    labels: Operand[TInt64],
    inputs: Operand[F],
    sample: Candidates,
    num_true: int,
    remove_hits: bool,
) -> tuple[Operand[F], Operand[F]]:
    """Logits and labels of the true and the drawn classes, of shape [batch, num_true + num_sampled]."""
    dtype = inputs.dtype
    candidates = sample.sampled_candidates
    true_rows = _rows(tf, weights, labels)
    true = tf.sum(tf.expand_dims(inputs, 1) * true_rows, 2) + _rows(tf, biases, labels)
    noise: Operand[F] = tf.linalg.mat_mul(inputs, _rows(tf, weights, candidates), transpose_b=True)
    noise = noise + _rows(tf, biases, candidates)
    if remove_hits:
        hits = tf.nn.compute_accidental_hits(labels, candidates, num_true=num_true)
        places = tf.stack([hits.indices, as_type(tf.scope, hits.ids, TInt32)], axis=1)
        noise = noise + as_type(tf.scope, tf.scatter_nd(places, hits.weights, tf.shape(noise)), dtype)
    true_logits = true - tf.math.log(as_type(tf.scope, sample.true_expected_count, dtype))
    noise_logits = noise - tf.math.log(as_type(tf.scope, sample.sampled_expected_count, dtype))
    targets = [tf.ones_like(true_logits) / num_true, tf.zeros_like(noise_logits)]
    return tf.concat([true_logits, noise_logits], 1), tf.concat(targets, 1)


def _rows(tf: Ops, table: Operand[F], indices: Operand[TInt64]) -> Operand[F]:
    """Rows of a table; a variable is read at these rows alone."""
    if isinstance(table, Variable):
        return table.gather(tf.scope, indices)
    return tf.gather(table, indices, 0)
