"""`gradients`, `grad` and `Gradients`: what users call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias, final, overload

import numpy as np
from typing_extensions import TypeVar

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.array import Array
from typegrad.base.brief import brief, described
from typegrad.base.errors import DTypeError, GradientError, ShapeError, TypegradError
from typegrad.base.location import caller, shared, warn
from typegrad.base.shape import Shape, merge
from typegrad.base.types import TComplex, TResource, TType
from typegrad.differentiation.builder import GradientBuilder
from typegrad.differentiation.paths import carries_gradient, explain_cut
from typegrad.graph.conversion import constant
from typegrad.graph.explain import foreign, origin
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, S
from typegrad.graph.operand_like import AnyLike, Several, is_operand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import operand_value
from typegrad.graph.variable import Variable

__all__ = ["Gradients", "grad", "gradients"]

T = TypeVar("T", bound=TType, default=Any)
T1 = TypeVar("T1", bound=TType, default=Any)
T2 = TypeVar("T2", bound=TType, default=Any)
T3 = TypeVar("T3", bound=TType, default=Any)
T4 = TypeVar("T4", bound=TType, default=Any)
S1 = TypeVar("S1", bound=tuple[Any, ...], default=tuple[Any, ...])
S2 = TypeVar("S2", bound=tuple[Any, ...], default=tuple[Any, ...])
S3 = TypeVar("S3", bound=tuple[Any, ...], default=tuple[Any, ...])
S4 = TypeVar("S4", bound=tuple[Any, ...], default=tuple[Any, ...])

Ys: TypeAlias = AnyOperand | Sequence[AnyOperand]
GradYs: TypeAlias = AnyOperand | complex | np.generic | Array | Sequence[AnyOperand | AnyLike | None] | None
"""One weight for all ys, which is not a list, or a list with one for each."""
X: TypeAlias = Operand[T, S]
Unconnected: TypeAlias = Literal["none", "zero"]


@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Literal["zero"],
) -> tuple[Operand[T1, S1]]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1], X[T2, S2]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Literal["zero"],
) -> tuple[Operand[T1, S1], Operand[T2, S2]]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1], X[T2, S2], X[T3, S3]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Literal["zero"],
) -> tuple[Operand[T1, S1], Operand[T2, S2], Operand[T3, S3]]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1], X[T2, S2], X[T3, S3], X[T4, S4]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Literal["zero"],
) -> tuple[Operand[T1, S1], Operand[T2, S2], Operand[T3, S3], Operand[T4, S4]]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: Several,
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Literal["zero"],
) -> tuple[AnyOperand, ...]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Unconnected = "none",
) -> tuple[Operand[T1, S1] | None]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1], X[T2, S2]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Unconnected = "none",
) -> tuple[Operand[T1, S1] | None, Operand[T2, S2] | None]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1], X[T2, S2], X[T3, S3]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Unconnected = "none",
) -> tuple[Operand[T1, S1] | None, Operand[T2, S2] | None, Operand[T3, S3] | None]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: tuple[X[T1, S1], X[T2, S2], X[T3, S3], X[T4, S4]],
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Unconnected = "none",
) -> tuple[Operand[T1, S1] | None, Operand[T2, S2] | None, Operand[T3, S3] | None, Operand[T4, S4] | None]: ...
@overload
def gradients(
    scope: Scope,
    ys: Ys,
    xs: Several,
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Unconnected = "none",
) -> tuple[AnyOperand | None, ...]: ...
def gradients(
    scope: Scope,
    ys: Ys,
    xs: Any,
    *,
    grad_ys: GradYs = None,
    stop_gradients: Sequence[AnyOperand] = (),
    unconnected_gradients: Unconnected = "none",
) -> Any:
    """Add operations that compute the derivatives of the sum of `ys` with respect to each of `xs`.

    The result is part of the graph like anything else: run it, build on it, differentiate it again. Building it changes
    nothing about what the rest of the graph computes. Integers, bools and strings have no gradient; complex gradients
    are conjugated, as TensorFlow's are.

    Args:
        scope: Where the new operations go: into its sub-scope "gradients".
        ys: One operand, or several, whose sum is differentiated.
        xs: Operands or variables. A tuple of up to four keeps the type of each; a list gives gradients of any type.
        grad_ys: For each y, the weight of its elements: an operand or an array of y's shape and type, or a number for
            all elements; None means ones. One weight, not in a list, is for every y.
        stop_gradients: Operands to treat as constants: what flows into them goes no further. A `UserWarning` names one
            that is computed for nothing: no y depends on it.
        unconnected_gradients: What an x gets that no path leads to: "none" for None, "zero" for zeros.

    Returns:
        A tuple with, for each x, an operand of its type and shape, or None. It is an `IndexedSlices` where rows were
        gathered from x: that is the gradient of a large table at the cost of the rows touched, and an operand like any
        other.

    Raises:
        GradientError: An operation on the path has no gradient; the message names it and shows the path.
        DTypeError: A y is complex and has no weight, or a weight has another type than its y.
        ShapeError: A weight's shape does not fit its y.
        GraphError: An operand belongs to another graph than the scope.

    Source: TensorFlow's `tf.gradients`; reverse accumulation, Linnainmaa (1970).
    """
    xs = listed(xs, "xs")
    scope = scope.with_gradient_scope()
    y_outputs = [_output(scope, y, "ys") for y in (ys if isinstance(ys, Sequence) else [ys])]
    x_outputs = [_target(scope, x) for x in xs]
    stopped = [_target(scope, operand, "stop_gradients") for operand in stop_gradients]
    weights = list(grad_ys) if isinstance(grad_ys, Sequence) else [grad_ys] * len(y_outputs)
    if len(weights) != len(y_outputs):
        raise GradientError(
            f"grad_ys is a list with one weight for each y: {len(y_outputs)}, not {len(weights)}; "
            "a weight that is itself a list is an array here, np.array([...])"
        )
    pairs = [
        (y, _seed(scope, y, weight)) for y, weight in zip(y_outputs, weights, strict=True) if carries_gradient(y.dtype)
    ]
    _warn_of_idle(y_outputs, stopped)
    builder = GradientBuilder(scope, [y for y, _ in pairs], x_outputs, stopped)
    with scope, shared(caller()):
        builder.run([seed for _, seed in pairs])
    totals = [(x, builder.total(x)) for x in x_outputs]
    everywhere = unconnected_gradients == "zero"
    return tuple(
        _zeros(scope, x) if total is None and (everywhere or builder.is_zero(x)) else total for x, total in totals
    )


def grad(
    scope: Scope,
    y: AnyOperand,
    x: X[T, S],
    *,
    grad_y: AnyOperand | AnyLike | None = None,
    stop_gradients: Sequence[AnyOperand] = (),
) -> Operand[T, S]:
    """The derivative of the sum of `y` with respect to `x`: `gradients` for one x, which must be connected.

    Args:
        scope: Where the new operations go: into its sub-scope "gradients".
        y: The operand to differentiate, of a floating-point or complex type.
        x: An operand or a variable that `y` is computed from.
        grad_y: The weight of the elements of `y`: an operand or an array of y's shape and type, or a number for all
            elements; None means ones.
        stop_gradients: Operands to treat as constants: what flows into them goes no further.

    Returns:
        An operand of the type and shape of `x`; an `IndexedSlices` where rows were gathered from x.

    Raises:
        GradientError: No gradient flows from `y` to `x`, and the message says where the path is cut; or there is an
            operation on the path whose gradient does not exist.
        DTypeError: `y` is complex and `grad_y` is left out, or `grad_y` has another element type than `y`.
        ShapeError: `grad_y` has another shape than `y`.
        GraphError: An operand or the scope belongs to another graph.

    Source: TensorFlow's `tf.gradients`.
    """
    (gradient,) = gradients(scope, (y,), (x,), grad_ys=[grad_y], stop_gradients=stop_gradients)
    if gradient is None:
        raise unconnected(y, _target(scope, x), [_target(scope, each) for each in stop_gradients])
    return gradient


def unconnected(y: AnyOperand, x: AnyOperand, stop: Sequence[AnyOutput] = ()) -> GradientError:
    """The error that no gradient flows from `y` to `x`: where the path is cut."""
    source: AnyOutput = y.as_output()
    if isinstance(y, Variable) and carries_gradient(y.dtype):
        source = y.handle  # from which all of its reads follow
    target: AnyOutput = x.handle if isinstance(x, Variable) else x.as_output()
    is_gradient = source.op in source.graph.gradient_operations
    hint = '; tg.gradients with unconnected_gradients="zero" gives zeros' if is_gradient else ""
    reason = explain_cut([source], target, stop)
    return GradientError(f"no gradient flows from {origin(y)} to {origin(target)}: {reason}{hint}")


@final
class Gradients:
    """TensorFlow Java's form of `gradients`: `Gradients.create(scope, y, [x1, x2]).dy(0)`."""

    OP_NAME: Final = "Gradients"

    def __init__(self, dys: Sequence[AnyOperand | None]) -> None:
        """Made by `create`."""
        self._dys = tuple(dys)

    @staticmethod
    def create(scope: Scope, y: Ys, xs: Sequence[AnyOperand], *, dx: GradYs = None) -> Gradients:
        """Add operations that compute the derivatives of `y` (or the sum of several) with respect to each of `xs`.

        `dx` weights the elements of y, as `grad_ys` of `tg.gradients` does, where the errors are described.
        """
        return Gradients(gradients(scope, y, listed(xs, "xs"), grad_ys=dx))

    @overload
    def dy(self, index: int) -> AnyOperand: ...
    @overload
    def dy(self) -> list[AnyOperand | None]: ...
    def dy(self, index: int | None = None) -> AnyOperand | list[AnyOperand | None]:
        """The derivative with respect to `xs[index]`, or to all xs; None where an x is not connected to y.

        Raises:
            GradientError: There is no such x, or y does not depend on it.
        """
        if index is None:
            return list(self._dys)
        if index not in range(len(self._dys)):
            raise GradientError(f"there are {len(self._dys)} xs, counted from 0; {brief(index)} is not one of them")
        dy = self._dys[index]
        if dy is None:
            raise GradientError(f"y does not depend on xs[{index}], or only where no gradient flows")
        return dy

    def __iter__(self) -> Iterator[AnyOperand | None]:
        return iter(self._dys)


def listed(items: object, what: str) -> list[Any]:
    """The items of a list or tuple; anything else is refused."""
    if isinstance(items, Sequence) and not isinstance(items, (str, Shape)):
        return list(items)
    if isinstance(items, Iterable) and not is_operand(items) and not isinstance(items, (str, np.ndarray)):
        raise GradientError(f"{what} is a list or tuple, not {type(items).__name__}; write list(...)")
    raise GradientError(f"{what} is a list or tuple; write [x] for one operand, not {described(items)}")


def _warn_of_idle(ys: Sequence[AnyOutput], stopped: Sequence[AnyOutput]) -> None:
    """Warn about a computed operand in `stop_gradients` that no y depends on, such as a second `a * b`.

    A variable or a placeholder may be listed for every derivative, whether it is in it or not.
    """
    computed = [each for each in stopped if each.op.inputs]
    if not computed:
        return
    used = dict.fromkeys(ys[0].graph.ancestors([y.op for y in ys])) if ys else {}
    for each in computed:
        if each.op not in used:
            equal = next((op for op in used if _computes_the_same(op, each.op)), None)
            remedy = "the operand that was used" if equal is None else f"its equal, {origin(equal.outputs[0])}"
            problem = f"{origin(each)} in stop_gradients stops nothing, as what is differentiated does not depend on it"
            warn(f"{problem}: list {remedy}")


def _computes_the_same(one: Operation, other: Operation) -> bool:
    return (one.type, one.inputs, dict(one.attrs)) == (other.type, other.inputs, dict(other.attrs))


def _output(scope: Scope, operand: Any, what: str) -> AnyOutput:
    if not is_operand(operand):
        raise GradientError(f"{what} must be operands, but one is {described(operand)}")
    output: AnyOutput = operand.output_in(scope)
    if output.graph is not scope.graph:
        raise foreign(f"{origin(output)} in {what}", "the scope")
    return output


def _target(scope: Scope, x: Any, what: str = "xs") -> AnyOutput:
    """The output for which a gradient is collected: a variable's handle, or the operand itself."""
    return _output(scope, x.handle if isinstance(x, Variable) else x, what)


def _seed(scope: Scope, y: AnyOutput, weight: Any) -> AnyOutput:
    if weight is None:
        if issubclass(y.dtype, TComplex):
            raise DTypeError(f"{origin(y)} is complex: say with grad_ys in which direction it is differentiated")
        return _ones(scope, y)
    output = _output(scope, weight, "grad_ys") if is_operand(weight) else _weight(scope, y, weight)
    if output.dtype is not y.dtype:
        raise DTypeError(f"the weight {origin(output)} must have the type of its y, {origin(y)}")
    try:
        merge(output.shape, y.shape)
    except ShapeError:
        raise ShapeError(f"the weight {origin(output)} must have the shape of its y, {origin(y)}") from None
    return output


def _weight(scope: Scope, y: AnyOutput, value: object) -> AnyOutput:
    """A weight that is a value, in the place of an operand."""
    try:
        tensor, leaf = operand_value(value, y.dtype)
    except TypegradError as error:
        raise type(error)(f"the weight in grad_ys of {origin(y)}: {error}") from error.__cause__
    weight = constant(scope.with_name("grad_ys"), tensor, leaf)
    if weight.rank != 0 or y.rank == 0:
        return weight
    from typegrad.op.core import Fill
    from typegrad.op.core import Shape as SizesOf

    shape = y.shape.as_ints() if y.shape.is_static else SizesOf.create(scope, y)
    return Fill.create(scope, shape, weight).as_output()


def _ones(scope: Scope, y: AnyOutput) -> AnyOutput:
    from typegrad.op.core import Fill, OnesLike

    if y.shape.is_static:
        if y.rank == 0:
            return constant(scope.with_name("ones"), 1, y.dtype)
        return Fill.create(scope, y.shape.as_ints(), constant(scope, 1, y.dtype)).as_output()
    return OnesLike.create(scope, y).as_output()


def _zeros(scope: Scope, target: AnyOutput) -> AnyOutput:
    from typegrad.op.core import ReadVariableOp, ZerosLike

    scope = scope.with_device(target.op.device)
    if target.dtype is TResource:
        target = ReadVariableOp.create(scope, target, target.op.attrs["dtype"]).as_output()
    return ZerosLike.create(scope, target).as_output()


_guard(__name__)
