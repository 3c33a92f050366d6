"""Kernels of `ops/variable.yaml`. A handle arrives as the state that the session keeps for the variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from typegrad.base.errors import InvalidArgumentError, OutOfRangeError
from typegrad.kernels.namespace import Array, DType, Namespace

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def var_handle_op(xp: Namespace) -> NoReturn:
    """A handle is what the session finds under its name: nothing is left to compute."""
    raise InvalidArgumentError("a handle is made by the session")


def read_variable_op(xp: Namespace, state: VariableState) -> Array:
    """The value."""
    return state.read()


def var_is_initialized_op(xp: Namespace, state: VariableState) -> Array:
    """Whether there is a value."""
    return xp.asarray(state.is_initialized)


def assign_variable_op(xp: Namespace, state: VariableState, value: Array) -> tuple[()]:
    """Replace the value."""
    state.assign(value)
    return ()


def assign_add_variable_op(xp: Namespace, state: VariableState, value: Array) -> tuple[()]:
    """Add to the value."""
    state.assign(state.read() + value)
    return ()


def assign_sub_variable_op(xp: Namespace, state: VariableState, value: Array) -> tuple[()]:
    """Subtract from the value."""
    state.assign(state.read() - value)
    return ()


def variable_shape(xp: Namespace, state: VariableState, *, out_type: DType) -> Array:
    """The sizes of the value."""
    return xp.asarray(state.sizes, dtype=out_type)


def resource_count_up_to(xp: Namespace, state: VariableState, *, limit: int) -> Array:
    """The value before 1 is added to it."""
    count = state.read()
    if count >= limit:
        raise OutOfRangeError(f"the counter is {count}, and its limit {limit}")
    state.assign(count + count.dtype.type(1))
    return count
