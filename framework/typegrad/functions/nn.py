"""Softmax along any axis, dropout, cross-entropy of independent events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape, broadcast, merge
from typegrad.base.types import TFloating, TInt32
from typegrad.graph.explain import origin
from typegrad.graph.literals import FloatLike
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant
from typegrad.op.core import Select, Stack
from typegrad.op.core import Shape as SizesOf
from typegrad.op.linalg import Transpose
from typegrad.op.math import Exp, GreaterEqual, Log1p
from typegrad.op.nn import LogSoftmax, Softmax
from typegrad.op.random import RandomUniform

__all__ = ["dropout", "log_softmax", "sigmoid_cross_entropy", "softmax"]

F = TypeVar("F", bound=TFloating)
S = TypeVar("S", bound=tuple[int, ...], default=tuple[Any, ...])


def softmax(scope: Scope, logits: Operand[F, S], axis: int = -1) -> Operand[F, S]:
    """`exp(logits)`, divided by its sum along an axis, without overflow.

    Args:
        scope: Where in the graph the operations go.
        logits: Unnormalized log probabilities, of rank 1 or more.
        axis: The axis along which the probabilities add up to 1, counted from the end if negative.

    Returns:
        The probabilities, of the shape of `logits`.

    Raises:
        ShapeError: There is no such axis; or the rank is unknown and `axis` is not -1.

    Source: TensorFlow's `tf.nn.softmax`.
    """
    return _along(scope, "softmax", Softmax.create, logits, axis)


def log_softmax(scope: Scope, logits: Operand[F, S], axis: int = -1) -> Operand[F, S]:
    """The logarithm of `softmax`, exact also where a probability rounds to 0.

    Args:
        scope: Where in the graph the operations go.
        logits: Unnormalized log probabilities, of rank 1 or more.
        axis: The axis along which the probabilities add up to 1, counted from the end if negative.

    Returns:
        The logarithms, of the shape of `logits`.

    Raises:
        ShapeError: There is no such axis; or the rank is unknown and `axis` is not -1.

    Source: TensorFlow's `tf.nn.log_softmax`.
    """
    return _along(scope, "log_softmax", LogSoftmax.create, logits, axis)


def _along(scope: Scope, name: str, create: Callable[..., Any], x: Operand[F, S], axis: int) -> Operand[F, S]:
    """An operation on the last axis, done on any."""
    if axis == -1:
        along_last: Operand[F, S] = create(scope, x)
        return along_last
    rank = len(x.shape.known(f"{name} along axis {axis}: the rank of '{x.name}'"))
    if not -rank <= axis < rank:
        raise ShapeError(f"{name}: '{x.name}' of shape {x.shape} has no axis {axis}")
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    inner = scope.with_sub_scope(name)
    back: Any = Transpose.create(inner, create(inner, Transpose.create(inner, x, order)), order)
    return cast("Operand[F, S]", back)


def dropout(
    scope: Scope,
    x: Operand[F, S],
    rate: float | Operand[F, tuple[()]],
    *,
    noise_shape: Sequence[int | None] | Operand[TInt32] | None = None,
    seed: int | None = None,
) -> Operand[F, S]:
    """Each element becomes zero with probability `rate`, and is divided by `1 - rate` otherwise, so that the expected value stays.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "dropout".
        x: What to drop elements of.
        rate: The probability, from 0 up to, but not including, 1. With the number 0, the result is `x` itself. An operand, such as a
            `core.PlaceholderWithDefault` that holds 0.0, can be fed for training alone.
        noise_shape: The shape of what is drawn, which broadcasts to that of `x`: elements along a size of 1 are kept or dropped
            together. None stands for the size of `x`.
        seed: What the numbers are drawn from, in place of the graph's seed.

    Returns:
        An operand of the type and shape of `x`, drawn anew in each run.

    Raises:
        AttributeValueError: `rate` is out of range.
        ShapeError: `noise_shape` does not broadcast to the shape of `x`.

    Source: TensorFlow's `tf.nn.dropout`; Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting"
    (2014).
    """
    if not isinstance(rate, Operand):
        if not 0 <= rate < 1:
            raise AttributeValueError(
                f"dropout: rate is {rate!r}, but must be from 0 up to, but not including, 1; it is the share that is dropped, "
                "1 - keep_prob of TensorFlow 1"
            )
        if rate == 0:
            return x
    with (scope if seed is None else scope.with_seed(seed)).with_sub_scope("dropout") as scope:
        x = x.output_in(scope)
        drawn = RandomUniform.create(scope, _noise_shape(scope, x, noise_shape), x.dtype)
        scale = 1.0 / (1.0 - rate)
        return cast("Operand[F, S]", Select.create(scope, GreaterEqual.create(scope, drawn, rate), x * scale, 0.0))


def _noise_shape(scope: Scope, x: Output[Any, Any], given: Any) -> Any:
    if isinstance(given, Operand):
        return given
    if given is None:
        return x.shape.as_ints() if x.shape.is_static else SizesOf.create(scope, x)
    stated = Shape(tuple(given))
    try:
        merge(broadcast(x.shape, stated), x.shape)
        fits = x.rank is None or len(given) <= x.rank
    except ShapeError:
        fits = False
    if not fits:
        raise ShapeError(f"dropout: noise_shape {stated} does not broadcast to the shape of {origin(x)}")
    if None not in given:
        return given
    known = x.shape.known("dropout: None in noise_shape stands for a size of x, whose rank")
    sizes = [own if size is None else size for size, own in zip(given, known[len(known) - len(given) :], strict=True)]
    if all(isinstance(size, int) for size in sizes):
        return sizes
    actual = SizesOf.create(scope, x)[len(known) - len(given) :]
    return Stack.create(scope, [size if isinstance(size, int) else actual[i] for i, size in enumerate(sizes)])


def sigmoid_cross_entropy(scope: Scope, *, labels: Operand[F] | FloatLike, logits: Operand[F, S]) -> Operand[F, S]:
    """`-z log(p) - (1 - z) log(1 - p)` for labels z and probabilities `p = sigmoid(logits)`, element by element, without overflow.

    For events that do not exclude each other. It is computed as `max(x, 0) - x z + log(1 + exp(-|x|))` for logits x.

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
    with scope.with_sub_scope("sigmoid_cross_entropy") as scope:
        x = logits.output_in(scope)
        z = (
            labels.output_in(scope)
            if isinstance(labels, Operand)
            else constant(scope.with_name("labels"), labels, x.dtype)
        )
        try:
            merge(z.shape, x.shape)
        except ShapeError:
            raise ShapeError(
                f"sigmoid_cross_entropy: labels {origin(z)} must have the shape of logits {origin(x)}"
            ) from None
        is_positive = GreaterEqual.create(scope, x, 0.0)
        largest = Select.create(scope, is_positive, x, 0.0)
        negative_size = Select.create(scope, is_positive, -x, x)
        return cast("Operand[F, S]", largest - x * z + Log1p.create(scope, Exp.create(scope, negative_size)))
