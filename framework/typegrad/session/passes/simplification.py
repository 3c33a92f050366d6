"""Algebraic simplification by rules that hold bit for bit: for nan, infinity, signed zero and integers that overflow.

So x * 1 is x, but x + 0 is not (-0 + 0 is 0), nor x * 0 (inf * 0 is nan). Complex numbers are left alone: their product
with 1 makes nan of an infinite part.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign
from typing import TYPE_CHECKING, Final, TypeAlias, final

import numpy as np

from typegrad.session.passes.settled import is_settled, order_of
from typegrad.session.steps import Step, Steps

if TYPE_CHECKING:
    from typegrad.base.shape import Shape
    from typegrad.graph.operand import AnyOutput

__all__ = ["simplify"]


def simplify(steps: Steps) -> int:
    """Replace outputs that are always equal to an earlier value."""
    return 0 if steps.types.isdisjoint(_RULES) else steps.map(_Simplification(steps).rewrite)


@final
class _Simplification:
    """The steps seen so far, by their outputs, as far as rules look at what is before them."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._fed = steps.fed
        self._constants = steps.constants
        self._made: dict[AnyOutput, Step] = {}

    def rewrite(self, step: Step) -> AnyOutput | None:
        """The value that the only output of a step is always equal to, if there is one."""
        rule = _RULES.get(step.definition.name)
        return None if rule is None or step.outputs[0] in self._fed else rule(self, step)

    def _before(self, step: Step) -> Step | None:
        """The step that makes the first input, if it is of the same type."""
        before = self._made.get(step.inputs[0])
        self._made[step.outputs[0]] = step
        return before if before is not None and before.definition is step.definition else None

    def input(self, step: Step) -> AnyOutput:
        return step.inputs[0]

    def undone(self, step: Step) -> AnyOutput | None:
        """f(f(x)) is x."""
        before = self._before(step)
        return None if before is None else before.inputs[0]

    def once(self, step: Step) -> AnyOutput | None:
        """f(f(x)) is f(x)."""
        return None if self._before(step) is None else step.inputs[0]

    def times(self, step: Step) -> AnyOutput | None:
        x, y = step.inputs
        return x if self._is(y, 1.0, x) else y if self._is(x, 1.0, y) else None

    def over(self, step: Step) -> AnyOutput | None:
        x, y = step.inputs
        return x if self._is(y, 1.0, x) else None

    def minus(self, step: Step) -> AnyOutput | None:
        x, y = step.inputs
        return x if self._is(y, 0.0, x) else None

    def plus(self, step: Step) -> AnyOutput | None:
        x, y = step.inputs
        return x if self._is(y, -0.0, x) else y if self._is(x, -0.0, y) else None

    def _is(self, output: AnyOutput, number: float, beside: AnyOutput) -> bool:
        """Whether an output is this number, sign included, and does not stretch what it is combined with."""
        value = self._constants.get(output)
        if not isinstance(value, np.ndarray) or not value.size or value.dtype.kind in "cbO":
            return False
        if any(stride and size != 1 for size, stride in zip(value.shape, value.strides, strict=True)):
            return False  # more than one element, repeated
        if not _fits(value.shape, beside.shape):
            return False
        known = value.flat[0].item()
        return known == number and (isinstance(known, int) or copysign(1, known) == copysign(1, number))

    def converted(self, step: Step) -> AnyOutput | None:
        x = step.inputs[0]
        return x if x.dtype is step.outputs[0].dtype else None

    def reshaped(self, step: Step) -> AnyOutput | None:
        """A reshape to the shape that there is already; else one of a reshape becomes one of its input."""
        if not is_settled(self._steps, step):
            return None
        before = self._before(step)
        if before is not None and is_settled(self._steps, before):
            step.inputs = (before.inputs[0], step.inputs[1])
        x = step.inputs[0]
        return x if x.shape.is_static and x.shape == step.outputs[0].shape else None

    def transposed(self, step: Step) -> AnyOutput | None:
        """A transposition of a transposition that leads back."""
        order = order_of(self._steps, step)
        if order is None:
            return None
        if order == tuple(range(len(order))):
            return step.inputs[0]
        before = self._before(step)
        other = None if before is None else order_of(self._steps, before)
        if before is None or other is None:
            return None
        return before.inputs[0] if all(other[axis] == i for i, axis in enumerate(order)) else None


def _fits(size: tuple[int, ...], shape: Shape) -> bool:
    """Whether arrays of this shape keep it when they are combined with an array of this size."""
    dims = shape.dims or ()
    lead = len(dims) - len(size)
    return lead >= 0 and all(a in (1, b) for a, b in zip(size, dims[lead:], strict=True))


_Rule: TypeAlias = Callable[[_Simplification, Step], "AnyOutput | None"]

_RULES: Final[dict[str, _Rule]] = {
    "Abs": _Simplification.once,
    "AddV2": _Simplification.plus,
    "Cast": _Simplification.converted,
    "Conj": _Simplification.undone,
    "Div": _Simplification.over,
    "Identity": _Simplification.input,
    "Invert": _Simplification.undone,
    "LogicalNot": _Simplification.undone,
    "Mul": _Simplification.times,
    "Neg": _Simplification.undone,
    "PreventGradient": _Simplification.input,
    "RealDiv": _Simplification.over,
    "Reshape": _Simplification.reshaped,
    "StopGradient": _Simplification.input,
    "Sub": _Simplification.minus,
    "Transpose": _Simplification.transposed,
}
"""What is tried for each type of operation."""
