"""Losses over so many classes that only the right ones and some that are drawn are looked at."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from typing_extensions import TypeVar

from typegrad.base.brief import described
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.types import TFloat32, TFloating, TInt32, TInt64, TType
from typegrad.functions.nn import sigmoid_cross_entropy
from typegrad.graph.explain import origin
from typegrad.graph.literals import IntegerLike
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant
from typegrad.graph.variable import Variable
from typegrad.op.core import Concat, ExpandDims, Gather, OnesLike, ScatterNd, Shape, Stack, StopGradient, Sum, ZerosLike
from typegrad.op.dtypes import Cast
from typegrad.op.linalg import MatMul
from typegrad.op.math import Log
from typegrad.op.nn import ComputeAccidentalHits, SoftmaxCrossEntropyWithLogits
from typegrad.op.random import LogUniformCandidateSampler

__all__ = ["Candidates", "nce_loss", "sampled_softmax_loss"]

F = TypeVar("F", bound=TFloating)


@runtime_checkable
class Candidates(Protocol):
    """What an operation such as `random.UniformCandidateSampler` draws."""

    @property
    def sampled_candidates(self) -> Output[TInt64]:
        """The classes that were drawn, of shape [num_sampled]."""
        ...

    @property
    def true_expected_count(self) -> Output[TFloat32]:
        """How often each right class is expected among them, of the shape of the labels."""
        ...

    @property
    def sampled_expected_count(self) -> Output[TFloat32]:
        """How often each of the drawn classes is expected among them, of shape [num_sampled]."""
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
    seed: int | None = None,
) -> Operand[F, tuple[int]]:
    """The cross-entropy of a softmax over the right classes and some that are drawn, corrected for how likely each is drawn.

    It estimates the softmax over all classes, for training: less than that, in general. Of a variable only the rows in question are
    read, and their gradients are rows, too.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "sampled_softmax_loss".
        weights: A row for each class, of shape [num_classes, size].
        biases: A number for each class, of shape [num_classes].
        labels: The right classes, of shape [batch, num_true].
        inputs: The activations, of shape [batch, size].
        num_sampled: How many classes to draw for the whole batch.
        num_classes: How many classes there are.
        num_true: How many classes are right for each row; each has the probability `1 / num_true`.
        sampled_values: Classes that were drawn already, as a candidate sampler returns them; by default a
            `random.LogUniformCandidateSampler` draws different ones, the first classes more often.
        remove_accidental_hits: Whether a drawn class does not count for a row for which it is right.
        seed: What the classes are drawn from, in place of the graph's seed.

    Returns:
        The loss of each row, of shape [batch].

    Raises:
        ShapeError: The shapes do not fit.
        AttributeValueError: `num_sampled`, `num_classes` or `num_true` is less than 1.

    Source: TensorFlow's `tf.nn.sampled_softmax_loss`; Jean et al., "On using very large target vocabulary" (2015).
    """
    with _inner(scope, "sampled_softmax_loss", seed) as scope:
        classes = _labels(scope, labels)
        drawn = _drawn(scope, sampled_values, classes, num_sampled, num_classes, num_true)
        logits, wanted = _logits(scope, weights, biases, classes, inputs, drawn, num_true, remove_accidental_hits)
        return SoftmaxCrossEntropyWithLogits.create(scope, logits, StopGradient.create(scope, wanted)).loss


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
    seed: int | None = None,
) -> Operand[F, tuple[int]]:
    """Noise-contrastive estimation: the right classes are to be told from some that are drawn, each by itself.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "nce_loss".
        weights: A row for each class, of shape [num_classes, size].
        biases: A number for each class, of shape [num_classes].
        labels: The right classes, of shape [batch, num_true].
        inputs: The activations, of shape [batch, size].
        num_sampled: How many classes to draw for the whole batch.
        num_classes: How many classes there are.
        num_true: How many classes are right for each row; the label of each is `1 / num_true`.
        sampled_values: Classes that were drawn already, as a candidate sampler returns them; by default a
            `random.LogUniformCandidateSampler` draws different ones, the first classes more often.
        remove_accidental_hits: Whether a drawn class does not count for a row for which it is right.
        seed: What the classes are drawn from, in place of the graph's seed.

    Returns:
        The loss of each row, the sum over its classes, of shape [batch].

    Raises:
        ShapeError: The shapes do not fit.
        AttributeValueError: `num_sampled`, `num_classes` or `num_true` is less than 1.

    Source: TensorFlow's `tf.nn.nce_loss`; Gutmann and Hyvärinen, "Noise-contrastive estimation" (2010).
    """
    with _inner(scope, "nce_loss", seed) as scope:
        classes = _labels(scope, labels)
        drawn = _drawn(scope, sampled_values, classes, num_sampled, num_classes, num_true)
        logits, wanted = _logits(scope, weights, biases, classes, inputs, drawn, num_true, remove_accidental_hits)
        return Sum.create(scope, sigmoid_cross_entropy(scope, labels=wanted, logits=logits), 1)


def _inner(scope: Scope, name: str, seed: int | None) -> Scope:
    return (scope if seed is None else scope.with_seed(seed)).with_sub_scope(name)


def _labels(scope: Scope, labels: Any) -> Output[TInt64, Any]:
    """The right classes as int64, of rank 2."""
    if not isinstance(labels, Operand):
        return _labels(scope, constant(scope.with_name("labels"), labels, TInt64))
    found: Output[Any, Any] = labels.output_in(scope)
    if found.rank not in (2, None):
        raise ShapeError(
            f"labels must have the shape [batch, num_true], but is {origin(found)}; for one class a row, "
            "core.ExpandDims.create(scope, labels, 1)"
        )
    return found if found.dtype is TInt64 else Cast.create(scope, found, TInt64).as_output()


def _drawn(
    scope: Scope,
    given: Candidates | None,
    labels: Operand[TInt64],
    num_sampled: int,
    num_classes: int,
    num_true: int,
) -> Candidates:
    if given is None:
        return LogUniformCandidateSampler.create(
            scope, labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes
        )
    parts = ("sampled_candidates", "true_expected_count", "sampled_expected_count")
    if not all(hasattr(given, part) for part in parts):
        raise AttributeValueError(
            f"sampled_values is what a candidate sampler makes, such as random.UniformCandidateSampler, not {described(given)}"
        )
    return given


def _logits(
    scope: Scope,
    weights: Operand[F],
    biases: Operand[F],
    labels: Operand[TInt64],
    inputs: Operand[F],
    drawn: Candidates,
    num_true: int,
    remove_hits: bool,
) -> tuple[Operand[F], Operand[F]]:
    """Logits and labels of the right classes and those drawn, of shape [batch, num_true + num_sampled]."""
    dtype = inputs.dtype
    candidates = drawn.sampled_candidates
    right_rows = _rows(scope, weights, labels)
    right = Sum.create(scope, ExpandDims.create(scope, inputs, 1) * right_rows, 2) + _rows(scope, biases, labels)
    noise: Operand[F] = MatMul.create(scope, inputs, _rows(scope, weights, candidates), transpose_b=True)
    noise = noise + _rows(scope, biases, candidates)
    if remove_hits:
        hits = ComputeAccidentalHits.create(scope, labels, candidates, num_true=num_true)
        places = Stack.create(scope, [hits.indices, Cast.create(scope, hits.ids, TInt32)], axis=1)
        removed = ScatterNd.create(scope, places, hits.weights, Shape.create(scope, noise))
        noise = noise + _as_type(scope, removed, dtype)
    right_logits = right - Log.create(scope, _as_type(scope, drawn.true_expected_count, dtype))
    noise_logits = noise - Log.create(scope, _as_type(scope, drawn.sampled_expected_count, dtype))
    wanted = [OnesLike.create(scope, right_logits) / num_true, ZerosLike.create(scope, noise_logits)]
    return Concat.create(scope, [right_logits, noise_logits], 1), Concat.create(scope, wanted, 1)


def _rows(scope: Scope, table: Operand[F], indices: Operand[TInt64]) -> Operand[F]:
    """Rows of a table; of a variable, only these are read."""
    if isinstance(table, Variable):
        return table.gather(scope, indices)
    return Gather.create(scope, table, indices, 0)


def _as_type(scope: Scope, x: Operand[Any], dtype: type[TType]) -> Operand[Any]:
    return x if x.dtype is dtype else Cast.create(scope, x, dtype)
