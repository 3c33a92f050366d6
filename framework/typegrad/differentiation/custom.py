"""`custom_gradient`: a function of operands with a gradient of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, final, overload

from attrs import frozen

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.brief import counted, described
from typegrad.base.errors import GradientError, ShapeError
from typegrad.base.shape import merge
from typegrad.base.types import conversion
from typegrad.differentiation.api import S1, S2, S3, T1, T2, T3, T
from typegrad.differentiation.paths import paths
from typegrad.graph.conversion import constant
from typegrad.graph.definition import Flow
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOperand, AnyOutput, Operand, Output, S
from typegrad.graph.operand_like import ReadOnlyList, is_operand
from typegrad.graph.scope import Scope
from typegrad.op.core import IdentityN
from typegrad.rules.common import OutputGradients

__all__ = ["NO_PAIR", "NO_SCOPE", "GradientFunction", "OwnGradient", "custom_gradient"]

P = ParamSpec("P")

_Gradients: TypeAlias = AnyOperand | Sequence[AnyOperand | None] | None
GradientFunction: TypeAlias = (
    Callable[[Scope, AnyOperand], _Gradients]
    | Callable[[Scope, AnyOperand, AnyOperand], _Gradients]
    | Callable[..., _Gradients]  # a function of more; type checkers give a lambda the types of those above
)
"""Called with a scope and the gradient of each result; returns the gradient of each operand, None for zero."""

NO_PAIR: Final = (
    "{} has a custom gradient, so it returns its result (an operand, or a sequence of them) and a "
    "function of a scope and the gradient of each result: return y, gradient"
)
NO_SCOPE: Final = "{} has a custom gradient, so it takes a scope and at least one operand; {} is its only parameter"
_BY_POSITION: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_WORD: Final = re.compile(r"[A-Za-z]\w*")


@overload
def custom_gradient(
    function: Callable[Concatenate[Scope, P], tuple[Operand[T, S], GradientFunction]],
) -> Callable[Concatenate[Scope, P], Output[T, S]]: ...
@overload
def custom_gradient(
    function: Callable[Concatenate[Scope, P], tuple[tuple[Operand[T1, S1], Operand[T2, S2]], GradientFunction]],
) -> Callable[Concatenate[Scope, P], tuple[Output[T1, S1], Output[T2, S2]]]: ...
@overload
def custom_gradient(
    function: Callable[
        Concatenate[Scope, P],
        tuple[tuple[Operand[T1, S1], Operand[T2, S2], Operand[T3, S3]], GradientFunction],
    ],
) -> Callable[Concatenate[Scope, P], tuple[Output[T1, S1], Output[T2, S2], Output[T3, S3]]]: ...
@overload
def custom_gradient(
    function: Callable[Concatenate[Scope, P], tuple[ReadOnlyList[AnyOperand], GradientFunction]],
) -> Callable[Concatenate[Scope, P], tuple[AnyOutput, ...]]: ...
def custom_gradient(function: Callable[..., object]) -> Callable[..., object]:
    """Give a function of operands a gradient of its own, in place of the one that follows from its operations.

        import typegrad as tg
        from typegrad.op import core
        @tg.custom_gradient
        def clipped(scope: tg.Scope, x: tg.Operand[tg.TFloat32]):
            y = core.ClipByValue.create(scope, x, -1.0, 1.0)
            return y, lambda scope, dy: dy  # as if nothing had been clipped

    The function takes a scope, operands (a variable counts as its value) and whatever else. It returns its result, or a
    sequence of results, and a function: that one is called with a scope and the gradient of each result whenever a
    gradient is built, and returns the gradient of each operand, in the order of the arguments. None means zero. What it
    builds can be differentiated again.

    Nothing flows to operands that the function uses besides its arguments. Its operations are in a sub-scope of its
    name; their results and the operands go through a `core.IdentityN`, which has the gradient.

    Returns:
        The function of the scope and the same arguments that returns the result, or the tuple of results.

    Raises:
        GradientError: When it is called: it takes no operand, does not return a result and a function, or depends on a
            variable that is not an argument. When a gradient is built: there is not one gradient for each operand, of
            its type and shape.

    Source: TensorFlow's `tf.custom_gradient`.
    """
    name = getattr(function, "__name__", "")
    label = name if _WORD.fullmatch(name) else "custom_gradient"

    @wraps(function)
    def made(scope: Scope, *args: Any, **kwargs: Any) -> Any:
        _check_parameters("the lambda" if name == "<lambda>" else label, function)
        _check_scope(label, scope)
        args, kwargs = _by_position(function, scope, args, kwargs)
        with scope.with_sub_scope(label) as inner:
            arguments = [arg.output_in(inner) if isinstance(arg, Operand) else arg for arg in args]
            xs = [arg for arg in arguments if isinstance(arg, Output)]
            if named := [key for key, arg in kwargs.items() if isinstance(arg, Operand)]:
                raise GradientError(
                    f"{label}: the operand {named[0]} is passed by keyword alone, so it has no place among the "
                    "gradients; make it a parameter by position"
                )
            if not xs:
                raise GradientError(_no_operands(label, args))
            result, gradient = _checked(label, function(inner, *arguments, **kwargs))
            ys = [y.output_in(inner) for y in ([result] if isinstance(result, Operand) else result)]
            _refuse_variables(label, ys, xs)
            node = IdentityN.create(inner, [*ys, *xs])
            scope.graph.own_gradients[node.op] = OwnGradient(label, tuple(ys), tuple(xs), gradient)
            outputs = node.output[: len(ys)]
            return outputs[0] if isinstance(result, Operand) else tuple(outputs)

    return made


@final
@frozen(eq=False)
class OwnGradient:
    """The gradient of one node, an `IdentityN` of results and operands."""

    name: str
    ys: tuple[AnyOutput, ...]
    xs: tuple[AnyOutput, ...]
    function: GradientFunction

    @property
    def flows(self) -> list[Flow]:
        """How a gradient reaches each input, as in an operation's definition."""
        return [Flow.STOP] * len(self.ys) + [Flow.RULE] * len(self.xs)

    def build(self, scope: Scope, grads: OutputGradients) -> list[AnyOperand | None]:
        """A gradient for each input of the node.

        Raises:
            GradientError: There is not one gradient for each operand, of its type and shape.
        """
        returned = self.function(scope, *(grads[index] for index in range(len(self.ys))))
        grads_of_xs = list(returned) if isinstance(returned, (list, tuple)) else [returned]
        if len(grads_of_xs) != len(self.xs):
            raise GradientError(
                f"the gradient of {self.name} gave {counted(len(grads_of_xs), 'gradient')}, but there "
                f"{'is' if len(self.xs) == 1 else 'are'} {counted(len(self.xs), 'operand')}: "
                f"{', '.join(map(origin, self.xs))}; return one for each, None for zero"
            )
        return [None] * len(self.ys) + [self._fitted(scope, *pair) for pair in zip(self.xs, grads_of_xs, strict=True)]

    def _fitted(self, scope: Scope, x: AnyOutput, grad: object) -> AnyOperand | None:
        if grad is None:
            return None
        if not isinstance(grad, Operand):
            grad = constant(scope, grad, x.dtype)
        if grad.dtype is not x.dtype:
            raise GradientError(
                f"the gradient of {self.name} gave {grad.dtype.name} for the operand {origin(x)}; "
                f"{conversion('it', [x.dtype], [grad.dtype])}"
            )
        try:
            merge(grad.shape, x.shape)
        except ShapeError:
            raise GradientError(
                f"the gradient of {self.name} gave shape {grad.shape} for the operand {origin(x)}; it has the "
                "operand's shape, so sum over what was broadcast"
            ) from None
        return grad


def _check_scope(name: str, scope: object) -> None:
    """Refuse a call without a scope, for which TensorFlow's and JAX's functions have no parameter."""
    if not isinstance(scope, Scope):
        raise GradientError(
            f"{name} has a custom gradient, so its first argument is a Scope, not {described(scope)}; it is defined as "
            f"def {name}(scope, x), and called as {name}(scope, x)"
        )


def _check_parameters(name: str, function: Callable[..., object]) -> None:
    """Refuse a function of one operand alone, as TensorFlow and JAX have it: the scope is its first argument."""
    try:
        parameters = list(signature(function).parameters.values())
    except (TypeError, ValueError):  # of a function of C
        return
    if len(parameters) == 1 and parameters[0].kind in _BY_POSITION:
        raise GradientError(NO_SCOPE.format(name, parameters[0].name))


def _no_operands(name: str, args: Sequence[object]) -> str:
    has_lists = any(isinstance(arg, (list, tuple)) and any(map(is_operand, arg)) for arg in args)
    hint = f"; the operands in a list are passed one by one: {name}(scope, *operands)" if has_lists else ""
    return f"{name}: there is no operand among the arguments, so nothing to differentiate by{hint}"


def _by_position(
    function: Callable[..., object], scope: Scope, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with all that have a position there: the gradients are in that order."""
    if not any(isinstance(arg, Operand) for arg in kwargs.values()):
        return args, kwargs
    try:
        bound = signature(function).bind(scope, *args, **kwargs)
    except (TypeError, ValueError):  # the call tells what is wrong
        return args, kwargs
    bound.apply_defaults()
    return bound.args[1:], bound.kwargs


def _checked(name: str, returned: Any) -> tuple[Any, GradientFunction]:
    if isinstance(returned, tuple) and len(returned) == 2 and callable(returned[1]):
        result, gradient = returned
        results = [result] if isinstance(result, Operand) else result
        if isinstance(results, (list, tuple)) and results and all(isinstance(each, Operand) for each in results):
            _check_gradient(name, gradient, len(results))
            return result, gradient
    raise GradientError(f"{NO_PAIR.format(name)}; it returned {returned!r}")


def _check_gradient(name: str, gradient: GradientFunction, count: int) -> None:
    """Refuse a function of the gradients alone, as TensorFlow has it."""
    try:
        signature(gradient).bind(None, *(None,) * count)
    except TypeError:
        example = "dy" if count == 1 else ", ".join(f"dy{number + 1}" for number in range(count))
        raise GradientError(
            f"the gradient of {name} takes a scope and the gradient of each result: lambda scope, {example}: ..."
        ) from None
    except ValueError:  # of a function of C, Python may not know the parameters
        pass


def _refuse_variables(name: str, ys: Sequence[AnyOutput], xs: Sequence[AnyOutput]) -> None:
    """A variable that the function closes over would silently not be trained."""
    variables = {variable.handle: variable for variable in ys[0].graph.variables}
    on_way = {output for op in paths(ys, variables, xs) for output in op.inputs}
    hidden = [variable.name for handle, variable in variables.items() if handle in on_way]
    if hidden:
        raise GradientError(
            f"{name} has a custom gradient, but depends on the variable '{hidden[0]}' otherwise than by its "
            "arguments, and no gradient would flow there; pass the variable (or what was made of it) as an "
            "argument, or through core.StopGradient"
        )


_guard(__name__)
