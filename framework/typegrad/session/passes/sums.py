"""Matrix products, computed within the sum that they go into, as the weights' gradients of recurrent networks are."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final

from typegrad.base.types import TFloat32, TFloat64
from typegrad.session.passes.settled import is_settled
from typegrad.session.steps import Step, Steps
from typegrad.session.summed import SumKernel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typegrad.base.types import TType
    from typegrad.graph.operand import AnyOutput

__all__ = ["absorb_products"]

_TYPES: Final[tuple[type[TType], ...]] = (TFloat32, TFloat64)
"""The types that are added as they are; others are rounded at the end."""


def absorb_products(steps: Steps) -> int:
    """Let a sum compute its terms that are products and larger than what they are made of.

    So the sum needs memory for one product, in place of all of them. It may run after a write that the products came
    before: the pass for reads, which comes later, then sees that.
    """
    if not steps.types >= {"AddN", "MatMul"}:
        return 0
    uses = Counter(chain(steps.fetches, *[step.inputs for step in steps.steps]))
    products: dict[AnyOutput, Step] = {}
    absorbed: set[Step] = set()
    for step in steps.steps:
        if step.definition.name == "MatMul" and uses[step.outputs[0]] == 1 and _may_wait(steps, step):
            products[step.outputs[0]] = step
        elif step.definition.name == "AddN" and is_settled(steps, step):
            terms = [products[output] for output in step.inputs if output in products]
            if len(terms) > 1:
                _absorb(steps, step, products)
                absorbed.update(terms)
    steps.steps = [step for step in steps.steps if step not in absorbed]
    return len(absorbed)


def _may_wait(steps: Steps, step: Step) -> bool:
    """Whether a product can be computed later, and takes more memory than its inputs do."""
    result = step.outputs[0]
    if result.dtype not in _TYPES or result in steps.fed or step.op in steps.targets or not is_settled(steps, step):
        return False
    return (result.shape.size or 0) >= sum([output.shape.size or 0 for output in step.inputs])


def _absorb(steps: Steps, step: Step, products: Mapping[AnyOutput, Step]) -> None:
    terms = [products.get(output) for output in step.inputs]
    inputs = [[output] if term is None else term.inputs for output, term in zip(step.inputs, terms, strict=True)]
    kernel = SumKernel([None if term is None else steps.bound(term) for term in terms])
    owners = [term.op for term in terms if term is not None]
    step.merged(kernel, tuple(chain.from_iterable(inputs)), step.outputs, [*owners, step.op])
