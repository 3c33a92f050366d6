"""Work while Python's garbage collector waits."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["uncollected"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Pause:
    """An object whose end switches the collector on, without a function of Python that an interrupt could cut short."""

    __slots__ = ()
    __del__ = gc.enable


def uncollected(function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """What `function` returns, called while no garbage is collected.

    For what makes many objects and next to no garbage: the collector would search all of a large graph again and again.
    """
    if not gc.isenabled():
        return function(*args, **kwargs)
    pause = _Pause()
    try:
        gc.disable()
        return function(*args, **kwargs)
    finally:
        del pause  # which a traceback would keep
