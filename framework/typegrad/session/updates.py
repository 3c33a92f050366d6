"""`UpdateKernel`: the step of an optimizer on large variables, as one group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from typegrad.base.types import TFloat32, TFloat64, TResource
from typegrad.graph.definition import resolve
from typegrad.kernels.updating import Whole
from typegrad.session.binding import attributes
from typegrad.session.fused import FusedKernel
from typegrad.session.ufuncs import FixedOperand, expressions

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState
    from typegrad.graph.operation import Operation
    from typegrad.kernels.namespace import DType
    from typegrad.session.arrays import Arrays

__all__ = ["UpdateKernel", "update_kernel"]

LARGE: Final = 1 << 18
"""From how many elements on blocks pay: two calls on each take less time than what lies between them."""


def update_kernel(op: Operation, arrays: Arrays) -> UpdateKernel | None:
    """The kernel of an operation that updates large variables whole, if its step is made of ufuncs alone."""
    kernel = resolve(op.definition.kernel)
    if not isinstance(kernel, Whole):
        return None
    rest = [output for output in op.inputs if output.dtype is not TResource]
    states, dtype = len(op.inputs) - len(rest), rest[0].dtype
    is_large = any((output.shape.size or 0) >= LARGE for output in rest)
    if not is_large or dtype not in (TFloat32, TFloat64):  # narrow floats are computed in a wider type
        return None
    inputs = len(op.inputs)
    recorded = expressions(kernel.step, [dtype.numpy] * inputs, attributes(op))
    if recorded is None:
        return None
    calls, results = recorded
    is_scalar = [*[False] * states, *[output.shape.dims == () for output in rest]]
    for call in calls:
        is_scalar.append(all(isinstance(each, FixedOperand) or is_scalar[each] for each in call.operands))
    scalars = {position for position in range(inputs, len(is_scalar)) if is_scalar[position]}
    changed = [position for position in results if position >= inputs]
    group = FusedKernel(calls, inputs, changed, arrays, scalars)
    return UpdateKernel(group, states, results, changed, dtype.numpy)


@final
class UpdateKernel:
    """Assigns the results of a group to variables."""

    __slots__ = ("_dtype", "_group", "_number", "_results", "_states")

    def __init__(
        self, group: FusedKernel, states: int, results: Sequence[int], changed: Sequence[int], dtype: DType
    ) -> None:
        """Note what goes where.

        Args:
            group: Takes the values of the variables and the other inputs.
            states: How many inputs are variables; these come first.
            results: The positions of the new values of the variables, some of which may be inputs.
            changed: The positions of what the group returns.
            dtype: The type to compute in.
        """
        self._dtype: Final = dtype
        self._group: Final = group
        self._states: Final = states
        self._results: Final = results
        self._number: Final = {position: number for number, position in enumerate(changed)}

    def __call__(self, *inputs: Any) -> tuple[()]:
        """Assign; each bit is the one that the operation's own kernel makes."""
        states: Sequence[VariableState] = inputs[: self._states]
        rest = [np.asarray(each, self._dtype) for each in inputs[self._states :]]
        values = [*[state.read() for state in states], *rest]
        results = self._group(*values)
        new = (results,) if len(self._number) == 1 else results
        for state, position in zip(states, self._results, strict=True):
            number = self._number.get(position)
            state.assign(values[position] if number is None else new[number])
        return ()
