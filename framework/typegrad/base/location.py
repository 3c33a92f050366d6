"""Frames of the running calls, and where user code created a node: recorded cheaply, formatted only when shown."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from inspect import currentframe
from types import CodeType, FrameType
from typing import Final, TypeAlias
from warnings import warn_explicit

from typegrad.base.notebook import cell_of

__all__ = ["Place", "caller", "frame", "shared", "show", "warn"]

Place: TypeAlias = tuple[CodeType, int] | None
"""The code and the instruction that created a node; the line number is looked up when it is shown."""

_GENERATED: Final = "__typegrad_generated__"

_shared: Final[ContextVar[Place]] = ContextVar("typegrad_place", default=None)


def frame(depth: int = 0) -> FrameType:
    """The frame of the function that calls this one, or of the one that is `depth` calls above it."""
    outer = currentframe()
    for _ in range(depth + 1):
        outer = outer and outer.f_back
    assert outer is not None, "there are not so many calls, or this Python has no frames"
    return outer


def caller() -> Place:
    """The innermost frame that is the user's: neither in this package nor in a generated wrapper."""
    place = _shared.get()
    if place is not None:
        return place
    outer = currentframe()  # no other variable: a frame that holds itself is a cycle
    outer = outer and outer.f_back and outer.f_back.f_back
    while outer is not None:
        names = outer.f_globals
        if not _is_own(names.get("__name__", "")) and _GENERATED not in names:
            return outer.f_code, outer.f_lasti
        outer = outer.f_back
    return None


@contextmanager
def shared(place: Place) -> Generator[None]:
    """State where everything was created that the block creates, which need not be looked up; None looks it up."""
    token = _shared.set(place)
    try:
        yield
    finally:
        _shared.reset(token)


@cache
def _is_own(module: str) -> bool:
    return module.startswith("typegrad.")


def show(place: Place) -> str:
    """`file.py:12`, in a notebook `Cell In[2], line 12`, or a text that says it is not known."""
    if place is None:
        return "an unknown place"
    file, line = _position(*place)
    cell = cell_of(file)
    name, separator = (file, ":") if cell is None else (cell, ", line ")
    return name if line is None else f"{name}{separator}{line}"


def _position(code: CodeType, instruction: int) -> tuple[str, int | None]:
    """The name of the file that an instruction is in, and its line."""
    for start, end, line in code.co_lines():
        if start <= instruction < end:
            return code.co_filename, line
    return code.co_filename, None


def warn(text: str) -> None:
    """Warn about the user's line."""
    place = caller()
    file, line = ("", None) if place is None else _position(*place)
    warn_explicit(text, UserWarning, file, line or 0)
