"""Common subexpressions: operations of one kind with the same inputs and attributes are computed once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.types import TType
from typegrad.session.steps import Step, Steps

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput

__all__ = ["merge_common_subexpressions"]

_SIMPLE: Final[frozenset[type]] = frozenset({type(TType), bool, int, str})
"""The types of attributes that are equal only to themselves. (Attributes of one name are of one type.)"""

_SMALL: Final = 64
"""Up to how many bytes constants are compared."""


def merge_common_subexpressions(steps: Steps) -> int:
    """Replace each output by the first one that is computed in the same manner from the same values."""
    same = _same_constants(steps)
    first: dict[Hashable, AnyOutput] = {}

    def earlier(step: Step) -> AnyOutput | None:
        op = step.op
        if op.definition.effect or not op.definition.has_one_output or op.outputs[0] in steps.fed:
            return None
        inputs = tuple([same.get(output, output) for output in step.inputs]) if same else step.inputs
        values = op.attrs.values()
        attrs = tuple(values) if _SIMPLE.issuperset(map(type, values)) else tuple(map(_exact, values))
        try:
            earliest = first.setdefault((op.definition, inputs, attrs), op.outputs[0])
        except TypeError:  # an attribute that is an array or a list
            return None
        return None if earliest is op.outputs[0] else earliest

    return steps.map(earlier)


def _same_constants(steps: Steps) -> dict[AnyOutput, AnyOutput]:
    """For small constants, the first one of the same type, shape and bytes."""
    first: dict[Hashable, AnyOutput] = {}
    same: dict[AnyOutput, AnyOutput] = {}
    for output, value in steps.constants.items():
        if isinstance(value, np.ndarray) and value.nbytes <= _SMALL and value.dtype != object:
            earliest = first.setdefault((output.dtype, value.shape, value.tobytes()), output)
            if earliest is not output:
                same[output] = earliest
    return same


def _exact(value: Any) -> object:
    """An attribute that is equal only to itself: 0.0 is not -0.0, and 1 is not true."""
    return (value, str(value)) if type(value) in (float, tuple) else value
