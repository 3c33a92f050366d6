"""Calling functions under NumPy's settings for runs, without warnings; an interrupt cannot leave them set."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

__all__ = ["quiet", "quietly"]

_T = TypeVar("_T")


_BUFFER: Final = 512
"""The elements of the buffers of ufuncs.

A ufunc copies an input that it repeats into its buffer, unless the rows that it goes through are at least as long. So
long rows save a copy. With shorter buffers, conversions of types would take longer.
"""


def _switches() -> list[Callable[[], object]]:
    """What sets the context variables that NumPy keeps its settings in."""
    context = Context()
    context.run(np.seterr, all="ignore")
    context.run(np.setbufsize, _BUFFER)
    return [partial(variable.set, value) for variable, value in context.items()]


_SWITCHES: Final = _switches()


def quiet() -> Context:
    """A copy of the context, in which NumPy ignores floating-point errors and has small buffers.

    The copy goes with the calls in it, however they end: unlike `np.errstate`, nothing has to be put back.
    """
    context = copy_context()
    for switch in _SWITCHES:
        context.run(switch)
    return context


def quietly(function: Callable[..., _T], *arguments: Any) -> _T:
    """What `function` returns, called in the context `quiet()`."""
    return quiet().run(function, *arguments)
