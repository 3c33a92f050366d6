"""Kernels of `ops/accumulators.yaml`. A handle arrives as the state that the session keeps for the accumulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typegrad.base.errors import FailedPreconditionError, InvalidArgumentError
from typegrad.kernels.division import div
from typegrad.kernels.namespace import Array, Namespace

if TYPE_CHECKING:
    from typegrad.base.accumulator_state import AccumulatorState


def resource_accumulator_apply_gradient(
    xp: Namespace, state: AccumulatorState, local_step: Array, gradient: Array
) -> tuple[()]:
    """Add a gradient, unless it is of an earlier step."""
    if local_step >= state.step:
        state.add(gradient)
    return ()


def resource_accumulator_num_accumulated(xp: Namespace, state: AccumulatorState) -> Array:
    """The number of gradients."""
    return xp.asarray(state.count, dtype="int32")


def resource_accumulator_set_global_step(xp: Namespace, state: AccumulatorState, new_global_step: Array) -> tuple[()]:
    """Set the step."""
    state.step = int(new_global_step)
    return ()


def resource_accumulator_take_gradient(xp: Namespace, state: AccumulatorState, num_required: Array) -> Array:
    """The mean or the sum of the gradients, which are then forgotten."""
    required, count = int(num_required), state.count
    if required <= 0:
        raise InvalidArgumentError(f"`num_required` is {required}, but must be positive")
    if count < required:
        raise FailedPreconditionError(
            f"accumulator '{state.name}' holds {count} of {required} required gradients; "
            "apply the others in earlier runs, or earlier in this one: a run does not wait for other runs"
        )
    total = state.read()
    state.clear()
    return div(xp, total, xp.asarray(count, dtype=total.dtype)) if state.is_mean else total
