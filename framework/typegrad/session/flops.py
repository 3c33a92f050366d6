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
_Place: TypeAlias = Callable[[Sequence[_Sizes], Sequence[_Sizes]], _Sizes]
"""Takes the shapes of an operation's inputs and outputs, and returns one of them."""

_SOFTMAX: Final = 5
"""For each element: its part in the maximum and in the sum, the subtraction, the power, the division."""


def flops(step: Step, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int | None:
    """The count for one execution of `step` with these shapes; None if it is not known."""
    op = step.op
    if isinstance(step.kernel, SumKernel):
        return _sum_of_products(step.kernel, inputs, outputs[0])
    if step.owners:
        return len(set(step.owners)) * max(map(math.prod, (*inputs, *outputs)))
    kernel = op.definition.kernel
    count = _COUNTS.get(kernel) or _COUNTS.get(kernel.partition(":")[0])
    return None if count is None else count(op, inputs, outputs)


def _elementwise(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    """One for each element; for gradients, one for each element they reach."""
    return max(map(math.prod, (*inputs, *outputs)))


def _sum(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    return (len(inputs) - 1) * math.prod(outputs[0])


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


def _squares(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    return 2 * math.prod(inputs[0])


def _softmax(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    return _SOFTMAX * math.prod(inputs[0])


def _matmul(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    """A multiplication and an addition for each element of the result and of the dimension that is summed."""
    rows = outputs[0][-2]
    inner = math.prod(inputs[0][-2:]) // rows if rows else 0  # whichever of the two dimensions it is
    return 2 * math.prod(outputs[0]) * inner


def _cross(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
    """Two multiplications and a subtraction for each element."""
    return 3 * math.prod(outputs[0])


def _einsum(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int | None:
    """Of one or two operands: the product over all indices."""
    equation: str = op.attrs["equation"]
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    if "..." in equation or len(terms) > 2:
        return None
    pairs = zip("".join(terms), chain.from_iterable(inputs), strict=True)
    return len(terms) * math.prod(dict(pairs).values())


def _convolution(maps: _Place, filters: _Place, *, by_channel: bool = False) -> _Count:
    """A multiplication and an addition for each element of the feature maps and of the window that it is made of."""

    def count(op: Operation, inputs: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> int:
        window = filters(inputs, outputs)[: 2 if by_channel else 3]
        return 2 * math.prod(maps(inputs, outputs)) * math.prod(window)

    return count


def _input(position: int) -> _Place:
    return lambda inputs, _: inputs[position]


def _output(_: Sequence[_Sizes], outputs: Sequence[_Sizes]) -> _Sizes:
    return outputs[0]


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


_CONVOLUTIONS: Final[Mapping[str, tuple[_Place, _Place]]] = {
    "": (_output, _input(1)),
    "_backprop_filter": (_input(2), _output),
    "_backprop_input": (_input(2), _input(1)),
}
"""Where the feature maps and the filters are in a convolution and in its gradients."""


def _counts() -> Iterator[tuple[str, _Count]]:
    yield from ((name, _elementwise) for name in _ELEMENTWISE)
    yield from ((name, _reduction) for name in ("reduction", "scan", "segment"))
    yield "arithmetic:add_n", _sum
    yield "softmax_and_losses", _softmax
    yield "softmax_and_losses:l2_loss", _squares
    yield "matmul", _matmul
    yield "matmul:cross", _cross
    yield "matmul:einsum", _einsum
    for end, (maps, filters) in _CONVOLUTIONS.items():
        yield f"convolution:conv2d{end}", _convolution(maps, filters)
        yield f"convolution:depthwise_conv2d_native{end}", _convolution(maps, filters, by_channel=True)


_COUNTS: Final[Mapping[str, _Count]] = {f"typegrad.kernels.{name}": count for name, count in _counts()}
"""The function for a kernel, or for the kernels of a module. A kernel of the user's own has none."""
