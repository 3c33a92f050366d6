"""`check_gradients`: the gradients of a graph, compared with finite differences."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, Final, final

import numpy as np
from attrs import frozen

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.array import Array
from typegrad.base.bfloat16 import finfo
from typegrad.base.errors import DTypeError, GradientError
from typegrad.differentiation.api import gradients
from typegrad.differentiation.paths import carries_gradient
from typegrad.graph.conversion import constant
from typegrad.graph.explain import origin
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable
from typegrad.session import Session
from typegrad.session.run_types import Feeds

__all__ = ["GradientDifference", "check_gradients"]

_SEED: Final = 0
"""The seed of the weights: the same check always gives the same answer."""


@final
@frozen
class GradientDifference:
    """A gradient of the weighted sum of y beside the finite difference, for one element of one x."""

    x: str
    """The name of the x."""
    index: tuple[int, ...]
    """The index of the element."""
    gradient: complex
    """The gradient that the graph computes, of the sum of the elements of y times their weights."""
    numeric: complex
    """The finite difference."""

    @property
    def difference(self) -> float:
        """The difference, divided by the absolute value of the finite difference if that is larger than 1."""
        return float(abs(self.gradient - self.numeric) / max(1.0, abs(self.numeric)))

    def __str__(self) -> str:
        element = f"{self.x}[{', '.join(map(str, self.index))}]" if self.index else self.x
        return f"at {element} it is {_text(self.gradient)}, and the finite difference is {_text(self.numeric)}"


def check_gradients(
    session: Session | Graph,
    y: AnyOperand,
    xs: Sequence[AnyOperand],
    feed_dict: Feeds | None = None,
    *,
    step: float | None = None,
    tolerance: float | None = None,
) -> GradientDifference:
    """Compare the gradients of `y` with central finite differences, for every element of every x.

    The elements of `y` have fixed random weights, so that one gradient for each x shows a mistake in any element; a
    single real element has the weight 1. The check works for user-defined operations, for custom gradients, and for
    complex numbers with TensorFlow's convention. Use float64: half of the digits are lost to rounding. Afterwards,
    variables have their previous values, and the graph has the operations of the gradient.

    Args:
        session: A session, whose variables have the values at which to check; or a graph, for a new session.
        y: The operand to differentiate, of any shape.
        xs: Placeholders, variables or any other operands, which are varied by feeding.
        feed_dict: The feeds of the run, with values for the placeholders among `xs`.
        step: The change of an element in each direction, times its absolute value if that is more than 1. By default
            the cube root of the precision of the type of x: 6e-6 for float64, 0.005 for float32.
        tolerance: The largest accepted `GradientDifference.difference`. By default ten times the square root of that
            precision: 1.5e-7 for float64, 0.0035 for float32.

    Returns:
        The largest difference.

    Raises:
        GradientError: A difference exceeds the tolerance; the message says where, and by how much. Or `y` is random, so
            that its differences mean nothing. Or an operation on the path has no gradient.
        DTypeError: `y` or an x is neither of a floating-point type nor complex.

    Source: TensorFlow's `tf.test.compute_gradient`.
    """
    if isinstance(session, Graph):
        with Session(session) as own:
            return check_gradients(own, y, xs, feed_dict, step=step, tolerance=tolerance)
    _refuse_types((y, *xs))
    values = {} if feed_dict is None else dict(feed_dict.items())
    output = y.output_in(Scope.current(session.graph))
    weights = _weights(_steady_value(session, output, values))
    inner = Scope.current(session.graph).with_sub_scope("check_gradients")
    weight = constant(inner.with_name("weights"), weights, output.dtype)
    grads = gradients(inner, output, list(xs), grad_ys=weight)
    differences: list[GradientDifference] = []
    for x, gradient in zip(xs, grads, strict=True):
        at = session.value(x) if isinstance(x, Variable) else np.asarray(session.run(x, values))
        exact = np.zeros(at.shape) if gradient is None else np.asarray(session.run(gradient, values))
        precision = float(finfo(at.dtype).eps)
        limit = 10 * precision**0.5 if tolerance is None else tolerance
        with _varying(session, output, x, values) as run:
            for each in _differences(x.name, exact, run, at, weights, step or precision ** (1 / 3)):
                if not each.difference <= limit:
                    raise GradientError(f"the gradient of {origin(output)} is wrong: {each}")
                differences.append(each)
    if not differences:
        raise GradientError("there is no element to differentiate by")
    return max(differences, key=attrgetter("difference"))


def _refuse_types(operands: Iterable[AnyOperand]) -> None:
    """Refuse operands whose element types have no gradient."""
    for operand in operands:
        if not carries_gradient(operand.dtype):
            raise DTypeError(
                f"'{operand.name}' is {operand.dtype.name}; only floats and complex numbers have gradients"
            )


def _steady_value(session: Session, output: AnyOutput, feeds: Mapping[Any, Any]) -> Array:
    """The value of an output, which must be the same in two runs."""
    value, again = (np.asarray(session.run(output, feeds)) for _ in range(2))
    if not np.array_equal(value, again, equal_nan=value.dtype.kind in "fc"):
        raise GradientError(f"{origin(output)} is random: feed what it draws, so that two runs can be compared")
    return value


def _text(number: complex) -> str:
    return f"{number.real:.6g}" if number.imag == 0 else f"{number:.6g}"


def _weights(y: Array) -> Array:
    """Random numbers between 0.5 and 1.5, of the type and shape of y; 1 for a single real number."""
    if y.size == 1 and y.dtype.kind != "c":
        return np.ones_like(y)
    rng = np.random.default_rng(_SEED)
    real = rng.uniform(0.5, 1.5, y.shape)
    weights: Array = np.asarray(real + 1j * rng.uniform(0.5, 1.5, y.shape) if y.dtype.kind == "c" else real)
    return weights.astype(y.dtype)


@contextmanager
def _varying(
    session: Session, y: AnyOperand, x: AnyOperand, feeds: Mapping[Any, Any]
) -> Generator[Callable[[Array], Array], None, None]:
    """The value of y as a function of the value of x. A variable has its previous value afterwards."""
    if not isinstance(x, Variable):
        yield lambda value: np.asarray(session.run(y, {**feeds, x: value}))
        return
    before = session.value(x)

    def run(value: Array) -> Array:
        session.assign(x, value)
        return np.asarray(session.run(y, feeds))

    try:
        yield run
    finally:
        session.assign(x, before)


def _differences(
    name: str, gradient: Array, run: Callable[[Array], Array], at: Array, weights: Array, step: float
) -> Iterator[GradientDifference]:
    """The gradient beside the finite difference for each element of the x called `name`, which has the value `at`."""
    for index in np.ndindex(at.shape):
        numeric = _slope(run, at, index, weights, step)
        yield GradientDifference(name, index, complex(gradient[index]), numeric)


def _slope(
    run: Callable[[Array], Array],
    at: Array,
    index: tuple[int, ...],
    weights: Array,
    step: float,
) -> complex:
    """The central difference of the weighted sum of y; for a complex element, of its real and its imaginary part."""
    step *= max(1.0, float(abs(at[index])))
    slope = 0j
    for unit in (1, 1j) if at.dtype.kind == "c" else (1,):
        ends = []
        for sign in (1, -1):
            moved = at.copy()
            moved[index] += np.asarray(sign * step * unit).astype(at.dtype)
            ends.append((moved[index], run(moved)))
        (high, above), (low, below) = ends
        wide = np.complex128 if weights.dtype.kind == "c" else np.float64
        change = np.sum(np.conj(weights.astype(wide)) * (above.astype(wide) - below.astype(wide))).real
        slope += unit * float(change) / abs(complex(high) - complex(low))
    return slope


_guard(__name__)
