"""Arrays of random numbers, of a shape, mean and width of choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast, overload

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloat32, TFloating, TInt32, TInt64, TIntegral, TType, as_element_type
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import convert
from typegrad.op.random import RandomStandardNormal, RandomUniform, RandomUniformInt, TruncatedNormal

__all__ = ["normal", "truncated_normal", "uniform"]

S = TypeVar("S", bound=tuple[int, ...])
F = TypeVar("F", bound=TFloating, default=TFloat32)
U = TypeVar("U", bound=TFloating | TInt32 | TInt64, default=TFloat32)


@overload
def normal(
    scope: Scope,
    shape: S,
    mean: float | Operand[F] = ...,
    stddev: float | Operand[F] = ...,
    dtype: type[F] = ...,
    seed: int | None = ...,
) -> Operand[F, S]: ...
@overload
def normal(
    scope: Scope,
    shape: Sequence[int] | Operand[TInt32] | Operand[TInt64],
    mean: float | Operand[F] = ...,
    stddev: float | Operand[F] = ...,
    dtype: type[F] = ...,
    seed: int | None = ...,
) -> Operand[F, tuple[Any, ...]]: ...
def normal(
    scope: Scope,
    shape: Sequence[int] | Operand[Any],
    mean: float | Operand[Any] = 0.0,
    stddev: float | Operand[Any] = 1.0,
    dtype: type[Any] = TFloat32,
    seed: int | None = None,
) -> Any:
    """Numbers of the normal distribution.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "normal".
        shape: The sizes, or an operand that holds them when the graph runs.
        mean: The mean: a number, or an operand that broadcasts to the shape.
        stddev: The standard deviation, as the mean.
        dtype: The element type.
        seed: What the numbers are drawn from, in place of the graph's seed.

    Returns:
        An operand of this shape, drawn anew in each run.

    Raises:
        DTypeError: `dtype` is no floating-point type, or not that of `mean` or `stddev`.
        ShapeError: A size is negative.

    Source: TensorFlow's `tf.random.normal`.
    """
    with _inner(scope, "normal", seed) as inner:
        return _moved(RandomStandardNormal.create(inner, shape, as_element_type(dtype)), stddev, mean)


@overload
def truncated_normal(
    scope: Scope,
    shape: S,
    mean: float | Operand[F] = ...,
    stddev: float | Operand[F] = ...,
    dtype: type[F] = ...,
    seed: int | None = ...,
) -> Operand[F, S]: ...
@overload
def truncated_normal(
    scope: Scope,
    shape: Sequence[int] | Operand[TInt32] | Operand[TInt64],
    mean: float | Operand[F] = ...,
    stddev: float | Operand[F] = ...,
    dtype: type[F] = ...,
    seed: int | None = ...,
) -> Operand[F, tuple[Any, ...]]: ...
def truncated_normal(
    scope: Scope,
    shape: Sequence[int] | Operand[Any],
    mean: float | Operand[Any] = 0.0,
    stddev: float | Operand[Any] = 1.0,
    dtype: type[Any] = TFloat32,
    seed: int | None = None,
) -> Any:
    """Numbers of the normal distribution, none further than two standard deviations from the mean.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "truncated_normal".
        shape: The sizes, or an operand that holds them when the graph runs.
        mean: The mean: a number, or an operand that broadcasts to the shape.
        stddev: The standard deviation before truncation, as the mean; of what remains it is about 0.88 of that.
        dtype: The element type.
        seed: What the numbers are drawn from, in place of the graph's seed.

    Returns:
        An operand of this shape, drawn anew in each run.

    Raises:
        DTypeError: `dtype` is no floating-point type, or not that of `mean` or `stddev`.
        ShapeError: A size is negative.

    Source: TensorFlow's `tf.random.truncated_normal`.
    """
    with _inner(scope, "truncated_normal", seed) as inner:
        return _moved(TruncatedNormal.create(inner, shape, as_element_type(dtype)), stddev, mean)


@overload
def uniform(
    scope: Scope,
    shape: S,
    minval: float | Operand[U] = ...,
    maxval: float | Operand[U] | None = ...,
    dtype: type[U] = ...,
    seed: int | None = ...,
) -> Operand[U, S]: ...
@overload
def uniform(
    scope: Scope,
    shape: Sequence[int] | Operand[TInt32] | Operand[TInt64],
    minval: float | Operand[U] = ...,
    maxval: float | Operand[U] | None = ...,
    dtype: type[U] = ...,
    seed: int | None = ...,
) -> Operand[U, tuple[Any, ...]]: ...
def uniform(
    scope: Scope,
    shape: Sequence[int] | Operand[Any],
    minval: float | Operand[Any] = 0,
    maxval: float | Operand[Any] | None = None,
    dtype: type[Any] = TFloat32,
    seed: int | None = None,
) -> Any:
    """Numbers from `minval` up to, but not including, `maxval`, all equally likely.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "uniform".
        shape: The sizes, or an operand that holds them when the graph runs.
        minval: The least number: a number, or an operand that broadcasts to the shape.
        maxval: The end of the range: 1 if left out, which integers may not do.
        dtype: The element type.
        seed: What the numbers are drawn from, in place of the graph's seed.

    Returns:
        An operand of this shape, drawn anew in each run.

    Raises:
        DTypeError: `dtype` is neither a floating-point type nor int32 or int64, or not that of `minval` or `maxval`.
        AttributeValueError: The numbers are integers, and `maxval` is left out.
        ShapeError: A size is negative.

    Source: TensorFlow's `tf.random.uniform`.
    """
    dtype = as_element_type(dtype)
    with _inner(scope, "uniform", seed) as inner:
        if issubclass(dtype, TIntegral):
            return RandomUniformInt.create(inner, shape, *_bounds(dtype, minval, maxval))
        drawn: Operand[Any] = cast("Any", RandomUniform).create(inner, shape, dtype)
        return _moved(drawn, (1.0 if maxval is None else maxval) - minval, minval)


def _inner(scope: Scope, name: str, seed: int | None) -> Scope:
    return (scope if seed is None else scope.with_seed(seed)).with_sub_scope(name)


def _moved(x: Operand[F], factor: Any, offset: Any) -> Operand[F]:
    """`factor x + offset`; operands are equal to no number."""
    scaled = x if factor == 1 else x * factor
    return scaled if offset == 0 else scaled + offset


def _bounds(dtype: type[TType], minval: Any, maxval: Any) -> list[Any]:
    """The range of integers, of their type."""
    if maxval is None:
        raise AttributeValueError(f"uniform: maxval, one more than the largest {dtype.name}, is needed")
    return [bound if isinstance(bound, Operand) else convert(bound, dtype, exact=True) for bound in (minval, maxval)]
