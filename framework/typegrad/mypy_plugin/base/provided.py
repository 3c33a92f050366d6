"""Functions that a module calls, and another one provides that itself imports the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

__all__ = ["Provided"]

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


class Provided(Generic[_P, _Result]):
    """A function that a later module provides."""

    def __init__(self) -> None:
        """Create it without a function; until there is one, it cannot be called."""
        self._function: Callable[_P, _Result] | None = None

    def provide(self, function: Callable[_P, _Result]) -> Callable[_P, _Result]:
        """Decorator: this is the function."""
        self._function = function
        return function

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _Result:
        """Call the function."""
        assert self._function is not None
        return self._function(*args, **kwargs)
