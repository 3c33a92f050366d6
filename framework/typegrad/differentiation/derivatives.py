"""`jacobian`, `hessian` and `hvp`: derivatives of more than one number, and of derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast, overload

from typing_extensions import TypeVar

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import DTypeError, GradientError, ShapeError, TypegradError
from typegrad.base.shape import merge
from typegrad.base.types import TComplex, TFloating
from typegrad.differentiation.api import grad, gradients, listed, unconnected
from typegrad.graph.conversion import constant
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOperand, AnyOutput, F, Operand
from typegrad.graph.operand_like import AnyLike, ReadOnlyList
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import operand_value
from typegrad.op.core import Concat, OneHot, Reshape, Shape, Stack

__all__ = ["hessian", "hvp", "jacobian"]

F1 = TypeVar("F1", bound=TFloating)
F2 = TypeVar("F2", bound=TFloating)
F3 = TypeVar("F3", bound=TFloating)
S = TypeVar("S", bound=tuple[Any, ...])
S1 = TypeVar("S1", bound=tuple[Any, ...])
S2 = TypeVar("S2", bound=tuple[Any, ...])
S3 = TypeVar("S3", bound=tuple[Any, ...])


def jacobian(scope: Scope, y: AnyOperand, x: Operand[F]) -> Operand[F]:
    """The derivative of each element of `y` with respect to each element of `x`.

    There is one gradient for each element of `y`, which all share what they have in common; so the graph grows with the
    size of `y`.

    Args:
        scope: Where the new operations go: into its sub-scope "jacobian".
        y: What is differentiated. Its size must be known while the graph is built.
        x: An operand or a variable.

    Returns:
        The derivatives, of the type of `x` and of shape [*y.shape, *x.shape].

    Raises:
        GradientError: No gradient flows from `y` to `x`, or an operation on the path has none.
        ShapeError: The size of `y` is not known.
        DTypeError: `y` is complex.

    Source: TensorFlow's `tf.GradientTape.jacobian`.
    """
    inner = scope.with_sub_scope("jacobian")
    differentiated = _differentiable(inner, y, "jacobian")
    return _rows(inner, differentiated, x, lambda unit: grad(inner, differentiated, x, grad_y=unit))


def hessian(scope: Scope, y: AnyOperand, x: Operand[F]) -> Operand[F]:
    """The second derivatives of `y` with respect to each pair of elements of `x`: the Jacobian of the gradient.

    Args:
        scope: Where the new operations go: into its sub-scope "hessian".
        y: What is differentiated: a scalar, or several elements, whose sum is differentiated.
        x: An operand or a variable. Its size must be known while the graph is built.

    Returns:
        The derivatives, of the type of `x` and of shape [*x.shape, *x.shape]; zeros where the gradient does not depend
        on `x`.

    Raises:
        GradientError: No gradient flows from `y` to `x`, or an operation on the path has none.
        ShapeError: The size of `x` is not known.
        DTypeError: `y` is complex.

    Source: TensorFlow's `tf.hessians`.
    """
    inner = scope.with_sub_scope("hessian")
    first = grad(inner, _differentiable(inner, y, "hessian"), x).as_output()
    return _rows(
        inner,
        first,
        x,
        lambda unit: _or_zeros(gradients(inner, first, [x], grad_ys=unit, unconnected_gradients="zero"))[0],
    )


@overload
def hvp(scope: Scope, y: AnyOperand, xs: Operand[F, S], vs: Operand[F] | AnyLike) -> Operand[F, S]: ...
@overload
def hvp(
    scope: Scope, y: AnyOperand, xs: tuple[Operand[F1, S1]], vs: Sequence[AnyOperand | AnyLike]
) -> tuple[Operand[F1, S1]]: ...
@overload
def hvp(
    scope: Scope,
    y: AnyOperand,
    xs: tuple[Operand[F1, S1], Operand[F2, S2]],
    vs: Sequence[AnyOperand | AnyLike],
) -> tuple[Operand[F1, S1], Operand[F2, S2]]: ...
@overload
def hvp(
    scope: Scope,
    y: AnyOperand,
    xs: tuple[Operand[F1, S1], Operand[F2, S2], Operand[F3, S3]],
    vs: Sequence[AnyOperand | AnyLike],
) -> tuple[Operand[F1, S1], Operand[F2, S2], Operand[F3, S3]]: ...
@overload
def hvp(
    scope: Scope, y: AnyOperand, xs: ReadOnlyList[AnyOperand], vs: Sequence[AnyOperand | AnyLike]
) -> tuple[AnyOperand, ...]: ...
def hvp(scope: Scope, y: AnyOperand, xs: Any, vs: Any) -> Any:
    """The Hessian of `y` with respect to `xs` times the vectors `vs`, at the cost of two gradients.

    It is the gradient of the product of the gradient and `vs`.

    Args:
        scope: Where the new operations go: into its sub-scope "hvp".
        y: What is differentiated: a scalar, or several elements, whose sum is differentiated.
        xs: One operand or variable, or a sequence of them; a tuple of up to three keeps the type of each.
        vs: For each x an operand or a value of its type and shape.

    Returns:
        For each x an operand of its type and shape: one, or a tuple of them as `xs` is a sequence. Zeros where the
        gradient does not depend on it.

    Raises:
        GradientError: There are not as many `vs` as `xs`, no gradient flows from `y` to any x, or an operation on
            the path has none.
        ShapeError: A vector's shape does not fit its x.
        DTypeError: A vector has another type than its x, or `y` is complex.

    Source: Pearlmutter, "Fast exact multiplication by the Hessian" (1994).
    """
    inner = scope.with_sub_scope("hvp")
    if isinstance(xs, Operand):
        (product,) = _products(inner, y, [xs], [vs])
        return product
    return _products(inner, y, listed(xs, "xs"), listed(vs, "vs"))


def _products(scope: Scope, y: AnyOperand, xs: list[AnyOperand], vs: list[Any]) -> tuple[AnyOperand, ...]:
    if len(xs) != len(vs):
        raise GradientError(f"hvp: there are {len(xs)} xs, but {len(vs)} vs")
    differentiated = _differentiable(scope, y, "hvp")
    firsts = gradients(scope, differentiated, xs)
    directions = [_direction(scope, x, v) for x, v in zip(xs, vs, strict=True)]
    weighted = [pair for pair in zip(firsts, directions, strict=True) if pair[0] is not None]
    if xs and not weighted:
        raise unconnected(differentiated, xs[0])
    ys, weights = zip(*weighted, strict=True) if weighted else ((), ())
    return _or_zeros(gradients(scope, ys, xs, grad_ys=weights, unconnected_gradients="zero"))


def _direction(scope: Scope, x: AnyOperand, v: Any) -> AnyOperand:
    direction: AnyOperand = v if isinstance(v, Operand) else _constant_direction(scope, x, v)
    actual = f"{direction.dtype.name} {direction.shape}"
    problem = f"hvp: `vs` has {actual} for {origin(x)}, but must have its type and shape"
    if direction.dtype is not x.dtype:
        raise DTypeError(problem)
    try:
        merge(direction.shape, x.shape)
    except ShapeError:
        raise ShapeError(problem) from None
    return direction


def _constant_direction(scope: Scope, x: AnyOperand, value: object) -> AnyOutput:
    """A vector that is a value, in the place of an operand."""
    try:
        tensor, leaf = operand_value(value, x.dtype)
    except TypegradError as error:
        raise type(error)(f"hvp: the vector in `vs` for {origin(x)}: {error}") from error.__cause__
    return constant(scope.with_name("v"), tensor, leaf)


def _or_zeros(derivatives: Sequence[AnyOperand | None]) -> tuple[AnyOperand, ...]:
    """What `gradients` returns with "zero": never None."""
    return tuple(cast("AnyOperand", each) for each in derivatives)


def _differentiable(scope: Scope, y: AnyOperand, what: str) -> AnyOutput:
    output: AnyOutput = y.output_in(scope)
    if issubclass(output.dtype, TComplex):
        raise DTypeError(
            f"{what}: {origin(output)} is complex, so its derivative is not a number; differentiate its real and "
            "imaginary part"
        )
    return output


def _rows(scope: Scope, y: AnyOutput, x: Operand[F], row: Callable[[AnyOperand], AnyOperand]) -> Operand[F]:
    """The gradients of the elements of y; `row` makes each with a weight of one for that element."""
    if not y.shape.is_static:
        raise ShapeError(
            f"the derivatives of {origin(y)} are unrolled, one gradient for each element, so its size must be known; "
            "give placeholders a static shape, or multiply with a vector: grad_ys of tg.gradients, tg.hvp"
        )
    sizes = y.shape.as_ints()
    total = prod(sizes)
    if not total:
        raise ShapeError(f"{origin(y)} has no elements to differentiate")
    one, zero = (constant(scope, number, y.dtype) for number in (1, 0))
    units = (Reshape.create(scope, OneHot.create(scope, index, total, one, zero), sizes) for index in range(total))
    stacked = Stack.create(scope, [row(unit) for unit in units])
    if x.shape.is_static:
        return Reshape.create(scope, stacked, (*sizes, *x.shape.as_ints()))
    return Reshape.create(scope, stacked, Concat.create(scope, [list(sizes), Shape.create(scope, x)], 0))


_guard(__name__)
