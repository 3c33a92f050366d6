"""Pools of threads and asynchronous functions: what they do is done at once, one thing after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from types import GeneratorType
from typing import Any, TypeGuard, final

from typegrad.dry_run.known.unknown import UNKNOWN, is_unknown
from typegrad.dry_run.source.asynchronous import ASYNCHRONOUS, ASYNCHRONOUS_ITEMS

__all__ = [
    "Future",
    "ThreadPoolExecutor",
    "as_completed",
    "create_task",
    "ensure_future",
    "gather",
    "is_asynchronous",
    "outcome",
    "run",
    "shield",
    "sleep",
    "to_thread",
    "wait_for",
]


@final
class Future:
    """What a call returns, or the error that it raises, for whoever asks."""

    def __init__(self, call: Callable[[], Any]) -> None:
        """Make the call when somebody asks for its result."""
        self._call: Callable[[], Any] | None = call
        self._result: Any = None
        self._error: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN

    def result(self, timeout: Any = None) -> Any:
        """What the call returns."""
        del timeout
        call, self._call = self._call, None
        if call is not None:
            try:
                self._result = call()
            except Exception as error:  # kept for whoever asks for the result
                self._error = error
                raise
        if self._error is not None:
            raise self._error
        return self._result


@final
class ThreadPoolExecutor:
    """A pool without threads. The functions that it is given ask the machine."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Start nothing."""

    def __enter__(self) -> ThreadPoolExecutor:
        return self

    def __exit__(self, *error: object) -> None:
        """Let errors pass."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Call a function; its error is for who asks for the result."""
        future = Future(lambda: function(*args, **kwargs))
        with suppress(Exception):
            future.result()
        return future

    def map(self, function: Callable[..., Any], *iterables: Iterable[Any], **options: Any) -> Any:
        """Call a function for each item."""
        del options
        if any(map(is_unknown, iterables)):
            return UNKNOWN
        return [function(*items) for items in zip(*iterables, strict=False)]

    def shutdown(self, wait: Any = True, *, cancel_futures: Any = False) -> None:
        """Do nothing."""


def as_completed(fs: Any, timeout: Any = None) -> Any:
    """The same futures."""
    del timeout
    return UNKNOWN if fs is UNKNOWN else iter(fs)


def is_asynchronous(value: Any) -> bool:
    """Whether a value is one of the program's asynchronous generators."""
    return _has_local(value, ASYNCHRONOUS_ITEMS)


def _has_local(value: Any, name: str) -> TypeGuard[GeneratorType[Any, Any, Any]]:
    """Whether a value is a generator of a function with a local name."""
    return isinstance(value, GeneratorType) and name in value.gi_code.co_varnames


def outcome(awaited: Any) -> Any:
    """What an asynchronous function or a future comes to."""
    if isinstance(awaited, Future):
        return awaited.result()
    if is_asynchronous(awaited):
        return awaited  # which a loop or a comprehension takes its items from
    if _has_local(awaited, ASYNCHRONOUS) and awaited.gi_frame:
        try:
            next(awaited)
        except StopIteration as stop:
            return stop.value
    return UNKNOWN


def run(main: Any, *, debug: Any = None, loop_factory: Any = None) -> Any:
    """What an asynchronous function comes to."""
    del debug, loop_factory
    return outcome(main)


def gather(*awaited: Any, return_exceptions: Any = False) -> Any:
    """What several of them come to."""
    return UNKNOWN if return_exceptions is not False else Future(lambda: [outcome(each) for each in awaited])


def create_task(coro: Any, **options: Any) -> Future:
    """The same that is given, for whoever waits for it."""
    del options
    return coro if isinstance(coro, Future) else Future(lambda: outcome(coro))


ensure_future = shield = create_task


def wait_for(fut: Any, timeout: Any) -> Future:
    """The same that is given."""
    del timeout
    return create_task(fut)


def sleep(delay: Any, result: Any = None) -> Future:
    """Wait for nothing."""
    del delay
    return Future(lambda: result)


def to_thread(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
    """Call a function when somebody waits for it."""
    return Future(lambda: func(*args, **kwargs))
