"""How many floating-point operations a step takes, from the shapes of its inputs and outputs.

A multiplication, an addition, a comparison and a call of exp count as one each. Operations that only move data, and
those whose count depends on values, have no count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from typegrad.session.summed import SumKernel

if TYPE_CHECKING:
    from typegrad.graph.operation import Operation
    from typegrad.session.steps import Step

__all__ = ["flops"]

_Sizes: TypeAlias = tuple[int, ...]
_Count: TypeAlias = "Callable[[Operation, Sequence[_Sizes], Sequence[_Sizes]], int | None]"
"""Takes an operation and the shapes of its inputs and outputs."""

_SOFTMAX: Final = 5
"""For each element: its part in the maximum and in the sum, the subtraction, the power, the division."""


def flops(step: Step, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int | None:
    """The count for one execution of `step` with these shapes; None if it is not known."""
    op = step.op
    if isinstance(step.kernel, SumKernel):
        return _sum_of_products(step.kernel, inputs, outputs[0])
    if step.owners:
        return len(set(step.owners)) * max(map(math.prod, (*inputs, *outputs)))
    family = op.definition.kernel.partition(":")[0].rpartition(".")[2]
    count = _FAMILIES.get(family)
    return None if count is None else count(op, inputs, outputs)


def _elementwise(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    """One for each element; for a sum of n arrays n - 1, and for their gradients one for each element they reach."""
    if op.type == "AddN":
        return (len(inputs) - 1) * math.prod(outputs[0])
    return max(map(math.prod, (*inputs, *outputs)))


def _sum_of_products(kernel: SumKernel, inputs: Sequence[_Sizes], result: _Sizes) -> int:
    """The operations of the products, and of adding the terms."""
    rest = iter(inputs)
    products = 0
    for term in kernel.terms:
        left = next(rest)
        if term is not None:
            products += 2 * math.prod(left) * result[1]
            next(rest)
    return products + (len(kernel.terms) - 1) * math.prod(result)


def _reduction(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    return math.prod(inputs[0])


def _softmax(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    return math.prod(inputs[0]) * (2 if op.type == "L2Loss" else _SOFTMAX)


def _matmul(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int | None:
    """A multiplication and an addition for each element of the result and of the dimension that is summed."""
    if op.type == "Einsum":
        return _einsum(op.attrs["equation"], inputs)
    rows = outputs[0][-2]
    inner = math.prod(inputs[0][-2:]) // rows if rows else 0  # whichever of the two dimensions it is
    return 2 * math.prod(outputs[0]) * inner


def _einsum(equation: str, inputs: Sequence[_Sizes]) -> int | None:
    """Of one or two operands: the product over all indices."""
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    if "..." in equation or len(terms) > 2:
        return None
    pairs = zip("".join(terms), chain.from_iterable(inputs), strict=True)
    return len(terms) * math.prod(dict(pairs).values())


def _convolution(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    """A multiplication and an addition for each element of the feature maps and of the window that it is made of."""
    if op.type.endswith("BackpropInput"):
        filters, maps = inputs[1], inputs[2]
    elif op.type.endswith("BackpropFilter"):
        filters, maps = outputs[0], inputs[2]
    else:
        filters, maps = inputs[1], outputs[0]
    window = filters[:2] if op.type.startswith("Depthwise") else filters[:3]
    return 2 * math.prod(maps) * math.prod(window)


_ELEMENTWISE: Final = (
    "activation",
    "arithmetic",
    "bias",
    "comparison",
    "complex",
    "division",
    "exponential",
    "logic",
    "pooling",
    "power",
    "rounding",
    "selection",
    "special",
    "trigonometry",
)


def _families() -> Iterator[tuple[str, _Count]]:
    yield from ((name, _elementwise) for name in _ELEMENTWISE)
    yield from ((name, _reduction) for name in ("reduction", "scan", "segment"))
    yield "softmax_and_losses", _softmax
    yield "matmul", _matmul
    yield "convolution", _convolution


_FAMILIES: Final[Mapping[str, _Count]] = dict(_families())
"""The function for the operations of each registry file."""
