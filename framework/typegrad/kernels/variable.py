"""Kernels of `ops/variable.yaml`. A handle arrives as the state that the session keeps for the variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from typegrad.base.errors import InvalidArgumentError

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def var_handle_op(xp: Any) -> NoReturn:
    """A handle is what the session finds under the variable's name: nothing is left to compute."""
    raise InvalidArgumentError("a handle is made by the session")


def read_variable_op(xp: Any, state: VariableState) -> Any:
    """The value."""
    return state.read()


def var_is_initialized_op(xp: Any, state: VariableState) -> Any:
    """Whether there is a value."""
    return xp.bool_(state.is_initialized)


def assign_variable_op(xp: Any, state: VariableState, value: Any, *, validate_shape: bool) -> tuple[()]:
    """Replace the value."""
    if validate_shape and state.is_initialized:
        _check_same(state.read(), value)
    state.assign(value)
    return ()


def assign_add_variable_op(xp: Any, state: VariableState, value: Any) -> tuple[()]:
    """Add to the value."""
    before = state.read()
    _check_same(before, value)
    state.assign(before + value)
    return ()


def assign_sub_variable_op(xp: Any, state: VariableState, value: Any) -> tuple[()]:
    """Subtract from the value."""
    before = state.read()
    _check_same(before, value)
    state.assign(before - value)
    return ()


def _check_same(variable: Any, value: Any) -> None:
    if variable.shape != value.shape:
        raise InvalidArgumentError(
            f"the variable has shape {list(variable.shape)}, but `value` has shape {list(value.shape)}"
        )
