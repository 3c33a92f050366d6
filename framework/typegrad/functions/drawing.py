"""Arrays of random numbers, of a shape, mean and width of choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError
from typegrad.base.shape import Shape
from typegrad.base.types import TFloat32, TFloating, TInt32, TInt64, TIntegral, TType, as_element_type
from typegrad.graph.operand import AnyOperand, Integer, Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import convert
from typegrad.op.random import RandomStandardNormal, RandomUniform, RandomUniformInt, TruncatedNormal

__all__ = ["normal", "truncated_normal", "uniform"]

F = TypeVar("F", bound=TFloating, default=TFloat32)
U = TypeVar("U", bound=TFloating | TInt32 | TInt64, default=TFloat32)


@overload
def normal(
    scope: Scope,
    shape: tuple[int, int],
    mean: float = ...,
    stddev: float = ...,
    dtype: type[F] = ...,
    seed: SupportsIndex | None = ...,
) -> Operand[F, tuple[Any, Any]]: ...
@overload
def normal(
    scope: Scope,
    shape: Sequence[Integer] | Shape | Operand[TInt32] | Operand[TInt64],
    mean: float | Operand[F] = ...,
    stddev: float | Operand[F] = ...,
    dtype: type[F] = ...,
    seed: SupportsIndex | None = ...,
) -> Operand[F]: ...
def normal(
    scope: Scope,
    shape: Sequence[Integer] | Shape | AnyOperand,
    mean: float | AnyOperand = 0.0,
    stddev: float | AnyOperand = 1.0,
    dtype: type[Any] = TFloat32,
    seed: SupportsIndex | None = None,
) -> AnyOperand:
    """Numbers of the normal distribution.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "normal".
        shape: The sizes, or an operand that holds them when the graph runs.
        mean: The mean: a number, or an operand that broadcasts with the shape.
        stddev: The standard deviation, like the mean.
        dtype: The element type.
        seed: The seed of the numbers, in place of the graph's seed.

    Returns:
        An operand of this shape, broadcast with the other operands; each run draws new numbers.

    Raises:
        DTypeError: `dtype` is not a floating-point type, or differs from the type of `mean` or `stddev`.
        ShapeError: A size is negative.

    Source: TensorFlow's `tf.random.normal`.
    """
    with _inner(scope, "normal", seed) as inner:
        return moved(RandomStandardNormal.create(inner, shape, as_element_type(dtype)), stddev, mean)


@overload
def truncated_normal(
    scope: Scope,
    shape: tuple[int, int],
    mean: float = ...,
    stddev: float = ...,
    dtype: type[F] = ...,
    seed: SupportsIndex | None = ...,
) -> Operand[F, tuple[Any, Any]]: ...
@overload
def truncated_normal(
    scope: Scope,
    shape: Sequence[Integer] | Shape | Operand[TInt32] | Operand[TInt64],
    mean: float | Operand[F] = ...,
    stddev: float | Operand[F] = ...,
    dtype: type[F] = ...,
    seed: SupportsIndex | None = ...,
) -> Operand[F]: ...
def truncated_normal(
    scope: Scope,
    shape: Sequence[Integer] | Shape | AnyOperand,
    mean: float | AnyOperand = 0.0,
    stddev: float | AnyOperand = 1.0,
    dtype: type[Any] = TFloat32,
    seed: SupportsIndex | None = None,
) -> AnyOperand:
    """Numbers of the normal distribution, none further than two standard deviations from the mean.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "truncated_normal".
        shape: The sizes, or an operand that holds them when the graph runs.
        mean: The mean: a number, or an operand that broadcasts with the shape.
        stddev: The standard deviation before truncation, like the mean; after it, about 0.88 of that.
        dtype: The element type.
        seed: The seed of the numbers, in place of the graph's seed.

    Returns:
        An operand of this shape, broadcast with the other operands; each run draws new numbers.

    Raises:
        DTypeError: `dtype` is not a floating-point type, or differs from the type of `mean` or `stddev`.
        ShapeError: A size is negative.

    Source: TensorFlow's `tf.random.truncated_normal`.
    """
    with _inner(scope, "truncated_normal", seed) as inner:
        return moved(TruncatedNormal.create(inner, shape, as_element_type(dtype)), stddev, mean)


@overload
def uniform(
    scope: Scope,
    shape: tuple[int, int],
    minval: float = ...,
    maxval: float | None = ...,
    dtype: type[U] = ...,
    seed: SupportsIndex | None = ...,
) -> Operand[U, tuple[Any, Any]]: ...
@overload
def uniform(
    scope: Scope,
    shape: Sequence[Integer] | Shape | Operand[TInt32] | Operand[TInt64],
    minval: float | Operand[U] = ...,
    maxval: float | Operand[U] | None = ...,
    dtype: type[U] = ...,
    seed: SupportsIndex | None = ...,
) -> Operand[U]: ...
def uniform(
    scope: Scope,
    shape: Sequence[Integer] | Shape | AnyOperand,
    minval: float | AnyOperand = 0,
    maxval: float | AnyOperand | None = None,
    dtype: type[Any] = TFloat32,
    seed: SupportsIndex | None = None,
) -> AnyOperand:
    """Numbers from `minval` up to, but not including, `maxval`, all equally likely.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "uniform".
        shape: The sizes, or an operand that holds them when the graph runs.
        minval: The least number: a number, or an operand that broadcasts with the shape.
        maxval: The end of the range: 1 if left out, which integers may not do.
        dtype: The element type.
        seed: The seed of the numbers, in place of the graph's seed.

    Returns:
        An operand of this shape, broadcast with the other operands; each run draws new numbers.

    Raises:
        DTypeError: `dtype` is neither floating point nor int32 or int64, or not the type of `minval` or `maxval`.
        AttributeValueError: The numbers are integers, and `maxval` is left out.
        ShapeError: A size is negative.

    Source: TensorFlow's `tf.random.uniform`.
    """
    element: type[Any] = as_element_type(dtype)
    with _inner(scope, "uniform", seed) as inner:
        low, high = bounds(element, minval, maxval)
        if issubclass(element, TIntegral):
            return RandomUniformInt.create(inner, shape, low, high)
        return moved(RandomUniform.create(inner, shape, element), high - low, low)


def _inner(scope: Scope, name: str, seed: SupportsIndex | None) -> Scope:
    return (scope if seed is None else scope.with_seed(seed)).with_sub_scope(name)


def moved(x: Operand[F], factor: float | AnyOperand, offset: float | AnyOperand) -> Operand[F]:
    """`factor x + offset`; operands are equal to no number."""
    scaled = x if factor == 1 else x * factor
    return scaled if offset == 0 else scaled + offset


def bounds(dtype: type[TType], minval: float | AnyOperand, maxval: float | AnyOperand | None) -> list[Any]:
    """The range, of the type of the numbers: their difference is rounded as TensorFlow's."""
    if maxval is None and issubclass(dtype, TIntegral):
        raise AttributeValueError(f"uniform: maxval, one more than the largest {dtype.name}, is needed")
    ends = minval, 1 if maxval is None else maxval
    return [end if isinstance(end, Operand) else convert(end, dtype, exact=True) for end in ends]
