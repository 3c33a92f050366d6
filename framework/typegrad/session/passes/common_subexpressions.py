"""Common subexpressions: operations of one kind with the same inputs and attributes are computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, final

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
    return steps.map(_Merging(steps).earlier)


@final
class _Merging:
    """The steps seen so far, by what they compute."""

    def __init__(self, steps: Steps) -> None:
        self._fed = steps.fed
        self._same = _same_constants(steps)
        self._uses = Counter(chain.from_iterable([step.inputs for step in steps.steps]))
        """How often each value is an input."""
        self._uses.update(self._same.keys())
        self._uses.update(self._same.values())
        self._only: dict[AnyOutput, Step] = {}
        """The only user of a value: no other step is equal to it, unless another value is merged into this one."""
        self._first: dict[Hashable, AnyOutput] = {}

    def earlier(self, step: Step) -> AnyOutput | None:
        """The output of an earlier step that is equal to the only one of this step, if there is one."""
        uses = self._uses
        for output in step.inputs:
            if uses[output] == 1:
                self._only[output] = step
                return None
        definition = step.definition
        if definition.effect or not definition.has_one_output or step.outputs[0] in self._fed:
            return None
        result = step.outputs[0]
        same = self._same
        inputs = tuple([same.get(output, output) for output in step.inputs]) if same else step.inputs
        values = step.op.attrs.values()
        attrs = tuple(values) if _SIMPLE.issuperset(map(type, values)) else tuple(map(_exact, values))
        try:
            earliest = self._first.setdefault((definition, inputs, attrs), result)
        except TypeError:  # an attribute that is an array or a list
            return None
        if earliest is result:
            return None
        uses[earliest] += uses[result]
        if earliest in self._only:
            self.earlier(self._only.pop(earliest))
        return earliest


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
