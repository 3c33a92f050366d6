"""Threads that share the parts of large arrays with the thread that runs."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from typegrad.base.lock import begin_to_help, helped_thread
from typegrad.base.quiet import quiet
from typegrad.base.threads import sharing

__all__ = ["for_each", "pool", "share"]

_T = TypeVar("_T")


def for_each(items: Sequence[_T], work: Callable[[_T], object]) -> None:
    """Call `work` for each item, in any order; what it raises for one of them is raised."""

    def works(take: Callable[[], _T]) -> None:
        while True:
            try:
                item = take()
            except IndexError:
                return
            work(item)

    if len(items) > 1 and sharing() > 1:
        share(items, works)
    else:
        for item in items:
            work(item)


def share(items: Iterable[_T], work: Callable[[Callable[[], _T]], None]) -> None:
    """Let this thread and helpers call `work`, which calls its argument for one item after the other.

    An `IndexError` of the argument says that none is left. Helpers that have not begun when this thread is done are
    not waited for: on a machine that is busy with other things, it does all by itself.
    """
    waiting, tasks = deque(items), [work]
    helpers = min(sharing(), len(waiting)) - 1
    helping = [future for _ in range(helpers) if (future := _submit(tasks, waiting.popleft)) is not None]
    try:
        work(waiting.popleft)
        for future in helping:
            if not future.cancel():
                future.result()
    finally:
        tasks.clear()  # the pool keeps its arguments longer, and would keep the arrays of `work`


def _submit(tasks: list[Callable[[Callable[[], _T]], None]], take: Callable[[], _T]) -> Future[None] | None:
    context = quiet()
    context.run(begin_to_help, helped_thread())
    try:
        return pool(sharing()).submit(context.run, _help, tasks, take)
    except RuntimeError:  # the interpreter is about to end
        return None


def _help(tasks: list[Callable[[Callable[[], _T]], None]], take: Callable[[], _T]) -> None:
    for work in tasks:
        work(take)


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    """The helpers: with the thread that runs, `threads` work."""
    return ThreadPoolExecutor(threads - 1, "typegrad")


if hasattr(os, "register_at_fork"):  # a fork has the pool, but not its threads
    os.register_at_fork(after_in_child=pool.cache_clear)
