"""Calling functions without NumPy's floating-point warnings; an interrupt cannot leave them switched off."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any, Final, TypeVar

import numpy as np

__all__ = ["quiet", "quietly"]

_T = TypeVar("_T")


def _settings() -> list[tuple[ContextVar[Any], Any]]:
    """The context variables that NumPy keeps its error handling in, and their values when all is ignored."""
    context = Context()
    context.run(np.seterr, all="ignore")
    return list(context.items())


_QUIET: Final = _settings()


def quiet() -> Context:
    """A copy of the context, in which NumPy ignores floating-point errors.

    The copy goes with the calls in it, however they end: unlike `np.errstate`, nothing has to be put back.
    """
    context = copy_context()
    for variable, value in _QUIET:
        context.run(variable.set, value)
    return context


def quietly(function: Callable[..., _T], *arguments: Any) -> _T:
    """What `function` returns, called in the context `quiet()`."""
    return quiet().run(function, *arguments)
