"""Kernels of `ops/variable.yaml`. A handle arrives as the state that the session keeps for the variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def var_handle_op(xp: Namespace) -> NoReturn:
    """A handle is what the session finds under the variable's name: nothing is left to compute."""
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
