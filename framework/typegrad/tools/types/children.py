"""Functions that run in a process of their own, so that the memory they take is free again when they end.

A check by mypy holds the trees of NumPy and typegrad, and nothing in this process waits for it. On Linux and macOS the
processes are forks of one that has imported the modules once.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from typegrad.base.errors import TypegradError

__all__ = ["Children", "NoAnswerError"]

_Result = TypeVar("_Result")


class NoAnswerError(TypegradError):
    """The process ended without a result."""


class Children:
    """Runs one function at a time, each in a new process."""

    def __init__(self, *modules: str) -> None:
        """Choose the modules to import once, where processes can be forked."""
        can_fork = "forkserver" in multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("forkserver" if can_fork else "spawn")
        if can_fork:
            self._context.set_forkserver_preload(list(modules))
        self._child: BaseProcess | None = None

    def run(self, function: Callable[..., _Result], *args: Any) -> _Result:
        """Return the function's result; it must not raise.

        Raises:
            NoAnswerError: The process was stopped, or it failed.
        """
        here, there = self._context.Pipe(duplex=False)
        child = self._context.Process(target=_answer, args=(there, function, args), daemon=True)
        child.start()
        self._child = child
        there.close()
        try:
            result: _Result = here.recv()
        except (EOFError, OSError):
            child.join()
            raise NoAnswerError(f"the check ended without an answer, with exit code {child.exitcode}") from None
        finally:
            here.close()
            self._child = None
        child.join()
        return result

    def stop(self) -> None:
        """Stop the function that is running, if any."""
        if self._child is not None:
            self._child.kill()


def _answer(to: Connection, function: Callable[..., object], args: tuple[Any, ...]) -> None:
    gc.disable()  # the process ends soon
    to.send(function(*args))
