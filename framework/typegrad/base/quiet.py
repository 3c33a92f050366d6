"""Calling functions without NumPy's floating-point warnings; an interrupt cannot leave them switched off."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

__all__ = ["quiet", "quietly"]

_T = TypeVar("_T")


def _switches() -> list[Callable[[], object]]:
    """What sets the context variables that NumPy keeps its error handling in, so that all is ignored."""
    context = Context()
    context.run(np.seterr, all="ignore")
    return [partial(variable.set, value) for variable, value in context.items()]


_SWITCHES: Final = _switches()


def quiet() -> Context:
    """A copy of the context, in which NumPy ignores floating-point errors.

    The copy goes with the calls in it, however they end: unlike `np.errstate`, nothing has to be put back.
    """
    context = copy_context()
    for switch in _SWITCHES:
        context.run(switch)
    return context


def quietly(function: Callable[..., _T], *arguments: Any) -> _T:
    """What `function` returns, called in the context `quiet()`."""
    return quiet().run(function, *arguments)
