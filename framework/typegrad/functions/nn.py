"""Softmax along any axis, normalization, dropout, and the cross-entropy of independent events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, SupportsIndex, cast, overload

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape, broadcast, merge
from typegrad.base.types import TComplex, TFloating, TInt32
from typegrad.functions.casting import as_type, squares
from typegrad.graph.conversion import constant
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOperand, AnyOutput, F, Operand, S
from typegrad.graph.operand_like import FloatLike
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.op.nn import LogSoftmax, Softmax

__all__ = [
    "batch_normalization",
    "dropout",
    "l2_normalize",
    "log_softmax",
    "sigmoid_cross_entropy",
    "softmax",
    "weighted_cross_entropy_with_logits",
]

N = TypeVar("N", bound=TFloating | TComplex)
"""Real or complex numbers."""


@overload
def softmax(scope: Scope, logits: Operand[F, S], axis: Literal[-1] = -1) -> Softmax[F, S]: ...
@overload
def softmax(scope: Scope, logits: Operand[F, S], axis: int = -1) -> Operand[F, S]: ...
def softmax(scope: Scope, logits: Operand[F, S], axis: int = -1) -> Operand[F, S]:
    """`exp(logits)`, divided by its sum along an axis, without overflow.

    Args:
        scope: Where in the graph the operations go.
        logits: Unnormalized log probabilities, of rank 1 or more.
        axis: The axis along which the probabilities sum to 1, counted from the end if negative.

    Returns:
        The probabilities, of the shape of `logits`.

    Raises:
        ShapeError: There is no such axis; or the rank is unknown and `axis` is not -1.

    Source: TensorFlow's `tf.nn.softmax`.
    """
    return _along(scope, "softmax", Softmax.create, logits, axis)


@overload
def log_softmax(scope: Scope, logits: Operand[F, S], axis: Literal[-1] = -1) -> LogSoftmax[F, S]: ...
@overload
def log_softmax(scope: Scope, logits: Operand[F, S], axis: int = -1) -> Operand[F, S]: ...
def log_softmax(scope: Scope, logits: Operand[F, S], axis: int = -1) -> Operand[F, S]:
    """The logarithm of `softmax`, exact also where a probability rounds to 0.

    Args:
        scope: Where in the graph the operations go.
        logits: Unnormalized log probabilities, of rank 1 or more.
        axis: The axis along which the probabilities sum to 1, counted from the end if negative.

    Returns:
        The logarithms, of the shape of `logits`.

    Raises:
        ShapeError: There is no such axis; or the rank is unknown and `axis` is not -1.

    Source: TensorFlow's `tf.nn.log_softmax`.
    """
    return _along(scope, "log_softmax", LogSoftmax.create, logits, axis)


def _along(
    scope: Scope, name: str, create: Callable[[Scope, Operand[F, S]], Operand[F, S]], x: Operand[F, S], axis: int
) -> Operand[F, S]:
    """The operation that `create` makes for the last axis, along any axis."""
    if axis == -1:
        return create(scope, x)
    rank = len(x.shape.known(f"{name} along axis {axis}: the rank of '{x.name}'"))
    if not -rank <= axis < rank:
        raise ShapeError(f"{name}: '{x.name}' of shape {x.shape} has no axis {axis}")
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    tf = Ops.create(scope).with_sub_scope(name)
    last = cast("Operand[F, S]", tf.linalg.transpose(x, order))
    return cast("Operand[F, S]", tf.linalg.transpose(create(tf.scope, last), order))


def l2_normalize(
    scope: Scope, x: Operand[N, S], axis: int | Sequence[int] | None = None, epsilon: float = 1e-12
) -> Operand[N, S]:
    """Divide vectors by their length: `x / sqrt(max(sum(abs(x)**2), epsilon))`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "l2_normalize".
        x: The vectors, real or complex.
        axis: The axis along which they lie, or several, counted from the end if negative; all, if left out.
        epsilon: The least square of a length. Vectors that are shorter, such as zeros, stay short.

    Returns:
        The vectors, of the type and shape of `x`.

    Raises:
        ShapeError: There is no such axis, or one is named twice.

    Source: TensorFlow's `tf.math.l2_normalize`.
    """
    with Ops.create(scope).with_sub_scope("l2_normalize") as tf:
        x = x.output_in(tf.scope)
        total: AnyOperand = tf.sum(squares(tf, x), axis, keep_dims=True)
        return cast("Operand[N, S]", x * as_type(tf.scope, tf.math.rsqrt(tf.math.maximum(total, epsilon)), x.dtype))


def batch_normalization(
    scope: Scope,
    x: Operand[F, S],
    mean: Operand[F] | FloatLike,
    variance: Operand[F],
    offset: Operand[F] | FloatLike | None,
    scale: Operand[F] | FloatLike | None,
    variance_epsilon: float,
) -> Operand[F, S]:
    """`scale (x - mean) / sqrt(variance + variance_epsilon) + offset`: normalization by given statistics.

    `tf.nn.moments` gives the statistics of a batch; with statistics of the last axis, this is layer normalization.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "batch_normalization".
        x: The numbers.
        mean: The mean. Like all that follows, it broadcasts to the shape of `x`.
        variance: The variance.
        offset: What is added at the end; None for 0.
        scale: The factor of the normalized numbers; None for 1.
        variance_epsilon: A small number that keeps the root from 0.

    Returns:
        An operand of the type and shape of `x`.

    Raises:
        ShapeError: The shapes do not broadcast.
        DTypeError: The types differ.

    Source: TensorFlow's `tf.nn.batch_normalization`; Ioffe and Szegedy, "Batch normalization" (2015).
    """
    with Ops.create(scope).with_sub_scope("batch_normalization") as tf:
        x = x.output_in(tf.scope)
        factor: Operand[F] = tf.math.rsqrt(variance + variance_epsilon)
        factor = factor if scale is None else tf.math.mul(factor, scale)
        shift = -tf.math.mul(factor, mean)
        return cast("Operand[F, S]", x * factor + (shift if offset is None else tf.math.add_v2(shift, offset)))


def dropout(
    scope: Scope,
    x: Operand[F, S],
    rate: float | Operand[F, tuple[()]],
    *,
    noise_shape: Sequence[int | None] | Operand[TInt32] | None = None,
    seed: SupportsIndex | None = None,
) -> Operand[F, S]:
    """Set each element to zero with probability `rate`, else divide it by `1 - rate`, which keeps the expected value.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "dropout".
        x: The array.
        rate: The probability, at least 0 and less than 1. With the number 0, the result is `x` itself. An operand, such
            as a `core.PlaceholderWithDefault` that holds 0.0, can be fed for training alone.
        noise_shape: The shape of the random numbers, which broadcasts to the shape of `x`: elements along a size of 1
            are kept or dropped together. None is the size of `x`.
        seed: The seed of the random numbers, in place of the graph's seed.

    Returns:
        An operand of the type and shape of `x`, different in each run.

    Raises:
        AttributeValueError: `rate` is out of range.
        ShapeError: `noise_shape` does not broadcast to the shape of `x`.

    Source: TensorFlow's `tf.nn.dropout`; Srivastava et al., "Dropout: a simple way to prevent neural networks from
    overfitting" (2014).
    """
    if not isinstance(rate, Operand):
        if not 0 <= rate < 1:
            raise AttributeValueError(
                f"dropout: rate is {rate!r}, but must be from 0 up to, but not including, 1; it is the share that "
                "is dropped, 1 - keep_prob of TensorFlow 1"
            )
        if rate == 0:
            return x
    with Ops.create(scope if seed is None else scope.with_seed(seed)).with_sub_scope("dropout") as tf:
        x = x.output_in(tf.scope)
        noise = tf.random.random_uniform(_noise_shape(tf, x, noise_shape), x.dtype)
        scale = 1.0 / (1.0 - rate)
        return cast("Operand[F, S]", tf.select(noise >= rate, x * scale, 0.0))


def _noise_shape(
    tf: Ops, x: AnyOutput, requested: Sequence[int | None] | Operand[TInt32] | None
) -> Sequence[int] | Operand[TInt32]:
    """The shape of the random numbers."""
    if isinstance(requested, Operand):
        return requested
    if requested is None:
        return x.shape.as_ints() if x.shape.is_static else tf.shape(x)
    shape = Shape(tuple(requested))
    try:
        merge(broadcast(x.shape, shape), x.shape)
        fits = x.rank is None or len(requested) <= x.rank
    except ShapeError:
        fits = False
    if not fits:
        raise ShapeError(f"dropout: noise_shape {shape} does not broadcast to the shape of {origin(x)}")
    if shape.is_static:
        return shape.as_ints()
    known = x.shape.known("dropout: None in noise_shape is a size of x, whose rank")[-len(requested) :]
    sizes = Shape(tuple(own if size is None else size for size, own in zip(requested, known, strict=True)))
    if sizes.is_static:
        return sizes.as_ints()
    actual = tf.shape(x)[-len(requested) :]
    return tf.stack([size if isinstance(size, int) else actual[i] for i, size in enumerate(sizes.known())])


def sigmoid_cross_entropy(scope: Scope, *, labels: Operand[F] | FloatLike, logits: Operand[F, S]) -> Operand[F, S]:
    """`-z log(p) - (1 - z) log(1 - p)`, elementwise and without overflow, for labels z and `p = sigmoid(logits)`.

    This is the loss for events that are not mutually exclusive. Computed as `max(x, 0) - x z + log(1 + exp(-|x|))` for
    logits x.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "sigmoid_cross_entropy".
        labels: 0 and 1, or probabilities, of the shape of `logits`.
        logits: The logarithms of the odds, `log(p / (1 - p))`.

    Returns:
        The losses, of the type and shape of `logits`.

    Raises:
        ShapeError: The shapes can never be equal.
        DTypeError: The types differ.

    Source: TensorFlow's `tf.nn.sigmoid_cross_entropy_with_logits`.
    """
    with Ops.create(scope).with_sub_scope("sigmoid_cross_entropy") as tf:
        x = logits.output_in(tf.scope)
        z = _labels(tf, "sigmoid_cross_entropy", labels, x)
        is_positive = x >= 0.0
        positive_part = tf.select(is_positive, x, 0.0)
        negative_size = tf.select(is_positive, -x, x)
        return cast("Operand[F, S]", positive_part - x * z + tf.math.log1p(tf.math.exp(negative_size)))


def weighted_cross_entropy_with_logits(
    scope: Scope, *, labels: Operand[F] | FloatLike, logits: Operand[F, S], pos_weight: Operand[F] | float
) -> Operand[F, S]:
    """`-w z log(p) - (1 - z) log(1 - p)`, elementwise and without overflow, for labels z and `p = sigmoid(logits)`.

    A weight w greater than 1 makes missed events cost more, a smaller one false alarms.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "weighted_cross_entropy_with_logits".
        labels: 0 and 1, or probabilities, of the shape of `logits`.
        logits: The logarithms of the odds, `log(p / (1 - p))`.
        pos_weight: The weight w: a number, or an operand that broadcasts to the shape of `logits`.

    Returns:
        The losses, of the type and shape of `logits`.

    Raises:
        ShapeError: The shapes can never be equal.
        DTypeError: The types differ.

    Source: TensorFlow's `tf.nn.weighted_cross_entropy_with_logits`.
    """
    with Ops.create(scope).with_sub_scope("weighted_cross_entropy_with_logits") as tf:
        x = logits.output_in(tf.scope)
        z = _labels(tf, "weighted_cross_entropy_with_logits", labels, x)
        weight = 1.0 + (pos_weight - 1.0) * z
        loss = tf.math.log1p(tf.math.exp(-tf.math.abs(x))) + tf.nn.relu(-x)
        return cast("Operand[F, S]", (1.0 - z) * x + weight * loss)


def _labels(tf: Ops, function: str, labels: Operand[F] | FloatLike, logits: AnyOutput) -> Operand[F]:
    """The labels as an operand, whose shape may be the one of the logits."""
    named = tf.scope.with_name("labels")
    z = labels.output_in(tf.scope) if isinstance(labels, Operand) else constant(named, labels, logits.dtype)
    try:
        merge(z.shape, logits.shape)
    except ShapeError:
        raise ShapeError(f"{function}: labels {origin(z)} must have the shape of logits {origin(logits)}") from None
    return z
