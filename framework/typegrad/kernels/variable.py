"""Kernels of `ops/variable.yaml`. A handle arrives as the state that the session keeps for the variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from typegrad.base.errors import InvalidArgumentError

if TYPE_CHECKING:
    from typegrad.session.state import VariableState


def var_handle_op(xp: Any) -> NoReturn:
    """A handle is what the session finds under the variable's name: nothing is left to compute."""
    raise InvalidArgumentError("a handle is made by the session")


def read_variable_op(xp: Any, state: VariableState) -> Any:
    """The value."""
    return state.read()


def var_is_initialized_op(xp: Any, state: VariableState) -> Any:
    """Whether there is a value."""
    return xp.bool_(state.is_initialized)


def assign_variable_op(xp: Any, state: VariableState, value: Any) -> tuple[()]:
    """Replace the value."""
    state.assign(value)
    return ()


def assign_add_variable_op(xp: Any, state: VariableState, value: Any) -> tuple[()]:
    """Add to the value."""
    state.assign(state.read() + value)
    return ()


def assign_sub_variable_op(xp: Any, state: VariableState, value: Any) -> tuple[()]:
    """Subtract from the value."""
    state.assign(state.read() - value)
    return ()
