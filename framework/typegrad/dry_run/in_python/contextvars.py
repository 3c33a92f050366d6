"""Variables of a context. `copy_context` is unknown."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class Token(Generic[_T]):
    """What a variable was before it was set."""

    MISSING: Any = object()

    def __init__(self, var: ContextVar[_T], old_value: Any) -> None:
        """Made by `set`."""
        self.var = var
        self.old_value = old_value


class ContextVar(Generic[_T]):
    """A variable with one value, as there is one context."""

    def __init__(self, name: str, *, default: Any = Token.MISSING) -> None:
        """Make a variable without a value."""
        self.name = name
        self._default_of_context = default
        self._value_in_context = Token.MISSING

    def get(self, default: Any = Token.MISSING) -> Any:
        """Its value, or a default."""
        if self._value_in_context is not Token.MISSING:
            return self._value_in_context
        if default is not Token.MISSING:
            return default
        if self._default_of_context is not Token.MISSING:
            return self._default_of_context
        raise LookupError(self)

    def set(self, value: Any) -> Token[_T]:
        """Give it a value."""
        token: Token[_T] = Token(self, self._value_in_context)
        self._value_in_context = value
        return token

    def reset(self, token: Token[_T]) -> None:
        """Give it the value back that it had before."""
        self._value_in_context = token.old_value
