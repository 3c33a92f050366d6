"""Interrupt a call between any two of its bytecodes, as a signal may."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

__all__ = ["ctrl_c", "impatiently", "interrupted", "twice"]

_MODULES: Final = (
    "typegrad.base.lock",
    "typegrad.base.quiet",
    "typegrad.session.",
    "numpy._core._ufunc_config",
    "contextlib",
)
"""Where calls are interrupted."""
_PATIENCE: Final = 60
"""Seconds."""


def ctrl_c() -> None:
    """The handler of SIGINT."""
    raise KeyboardInterrupt


def twice(calls: int) -> Callable[[], None]:
    """A handler that raises `KeyboardInterrupt`, and once more so many calls and returns later, while the first
    unwinds.
    """

    def profile(frame: FrameType, _: str, __: Any) -> None:
        nonlocal calls
        if _is_ours(frame):
            calls -= 1
            if not calls:
                raise KeyboardInterrupt

    def handler() -> None:
        sys.setprofile(profile)
        raise KeyboardInterrupt

    return handler


def interrupted(
    action: Callable[[], object], moment: int, handler: Callable[[], object], *, function: str | None = None
) -> bool:
    """Run `action`, and call `handler` before its bytecode number `moment`; False if it has no more than these.

    A handler that raises `KeyboardInterrupt` ends the action. Only the bytecodes of `function` count, if one is named.
    """
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not _is_ours(frame):
            return None
        if not frame.f_trace_opcodes:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            sys.settrace(trace)  # without which Python 3.13 traces no bytecodes
        if event == "opcode" and function in (None, frame.f_code.co_name):
            count += 1
            if count == moment:
                handler()
        return trace

    tracing, profiling = sys.gettrace(), sys.getprofile()
    sys.settrace(trace)
    try:
        action()
    except KeyboardInterrupt:
        assert count >= moment
    finally:
        sys.settrace(tracing)
        sys.setprofile(profiling)
    return count >= moment


def _is_ours(frame: FrameType) -> bool:
    name: str = frame.f_globals.get("__name__", "")
    return name.startswith(_MODULES)


@contextmanager
def impatiently() -> Generator[None]:
    """Raise a `TimeoutError` if the block takes longer than a minute, in case it never ends."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"not done after {_PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(_PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
