"""The location in user code that created a node: recorded cheaply, formatted only when shown."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Final, TypeAlias

__all__ = ["Place", "caller", "show"]

Place: TypeAlias = tuple[CodeType, int] | None
"""The code and the instruction that created a node; the line number is looked up when it is shown."""

_GENERATED: Final = "__typegrad_generated__"


def caller() -> Place:
    """The innermost frame that is the user's: neither in this package nor in a generated wrapper.

    The building of one operation asks for it, two calls below the one that adds it.
    """
    frame: FrameType | None = sys._getframe(3)
    while frame is not None:
        names = frame.f_globals
        if _GENERATED not in names and not names.get("__name__", "").startswith("typegrad."):
            return frame.f_code, frame.f_lasti
        frame = frame.f_back
    return None


def show(place: Place) -> str:
    """`file.py:12`, or a text that says it is not known."""
    if place is None:
        return "an unknown place"
    code, instruction = place
    for start, end, line in code.co_lines():
        if start <= instruction < end:
            return f"{code.co_filename}:{line}"
    return code.co_filename
