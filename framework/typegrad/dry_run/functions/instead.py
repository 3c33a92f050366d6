"""What a program has in the place of what would run graphs; imported when a program uses it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from types import MethodType
from typing import Any, Final

from typegrad.dry_run.known.unknown import UNKNOWN

__all__ = [
    "begun",
    "elements_of",
    "first_of",
    "instead_of",
    "is_closing",
    "is_concurrent",
    "is_dataset",
    "is_instead",
    "is_of_session",
    "is_opened",
    "is_session",
    "method_of_dataset",
    "note_run",
]

_LOCKS: Final = "typegrad.dry_run.functions.blocks"
_CONCURRENT: Final = "typegrad.dry_run.functions.concurrency"
_BEGINNING: Final = ("create_task", "ensure_future")
_FILES: Final = "typegrad.dry_run.functions.files"
_PICTURES: Final = "typegrad.dry_run.functions.pictures"
_TESTS: Final = "typegrad.dry_run.functions.under_pytest"
_INSTEAD: Final[Mapping[tuple[str, str], str]] = {
    ("typegrad.session.session", "Session"): "typegrad.dry_run.functions.sessions",
    ("typegrad.files.checkpoint.saver", "Saver"): _FILES,
    ("typegrad.files.tensorboard", "EventWriter"): _FILES,
    ("typegrad.functions.checking", "check_gradients"): "typegrad.dry_run.functions.gradient_checks",
    ("typegrad.training.loop", "fit"): "typegrad.dry_run.functions.training",
    ("typegrad.graph.graph", "Graph.show"): _PICTURES,
    ("pytest", "mark"): _TESTS,
    ("concurrent.futures.thread", "ThreadPoolExecutor"): _CONCURRENT,
    ("concurrent.futures._base", "as_completed"): _CONCURRENT,
    ("asyncio.runners", "run"): _CONCURRENT,
    ("asyncio.threads", "to_thread"): _CONCURRENT,
    **{
        ("asyncio.tasks", name): _CONCURRENT
        for name in ("create_task", "ensure_future", "gather", "shield", "sleep", "wait_for")
    },
}
"""The modules with a class or function of the same name."""
_CLOSING: Final = ("__exit__", "close")


def instead_of(value: Any) -> Any:
    """What a program has in the place of a class, function or method; None if it has that itself."""
    name = str(getattr(value, "__qualname__", ""))
    module = _INSTEAD.get((str(getattr(value, "__module__", "")), name))
    if module is None:
        return None
    found = getattr(import_module(module), name.rpartition(".")[2])
    return MethodType(found, value.__self__) if isinstance(value, MethodType) else found


def is_instead(function: Any) -> bool:
    """Whether a class, function or method is one of these."""
    owner = getattr(function, "__self__", None)
    return any(_is_of(each) for each in (function, type(function), type(owner)))


def is_concurrent(function: Any) -> bool:
    """Whether it calls functions in threads, or waits for some."""
    owner = getattr(function, "__self__", None)
    return any(getattr(each, "__module__", None) == _CONCURRENT for each in (function, type(owner)))


def begun(function: Any, args: Sequence[Any]) -> Sequence[Any]:
    """The asynchronous functions that a call lets run while others do, in any order."""
    name = getattr(function, "__name__", "")
    return args if name in _BEGINNING or (name == "gather" and len(args) > 1) else ()


def is_opened(function: Any) -> bool:
    """Whether a call opens a session."""
    return isinstance(function, type) and _is_of(function)


def is_of_session(function: Any) -> bool:
    """Whether it is a method of a session, or of something else that is open until it is closed."""
    return is_session(getattr(function, "__self__", None))


def is_session(value: Any) -> bool:
    """Whether it is a session, or something else that is open until it is closed."""
    return hasattr(type(value), "on_trial")


def note_run(function: Any) -> None:
    """Note that a session may have run, if it is one of its methods."""
    if is_of_session(function):
        function.__self__.may_have_run()


def is_closing(function: Any) -> bool:
    """Whether it is the method that closes it."""
    return is_of_session(function) and function.__name__ in _CLOSING


def _is_of(value: Any) -> bool:
    return getattr(value, "__module__", None) in (_LOCKS, *_INSTEAD.values())


def is_dataset(value: object) -> bool:
    """Whether it is a data set."""
    return type(value).__module__ == "typegrad.training.data.dataset"


def method_of_dataset(machine: Any, method: Any, made: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a program has in the place of what a method of a data set made."""
    from typegrad.dry_run.functions import training

    return made if made is UNKNOWN else training.followed(machine, method, made, *args, *kwargs.values())


def elements_of(dataset: Any) -> Sequence[Any]:
    """The first elements of a data set, without values; none if they cannot be made."""
    from typegrad.dry_run.functions import training

    return training.elements_of(dataset)


def first_of(machine: Any, dataset: Any) -> Iterator[Any]:
    """The first elements of a data set, without values, one by one."""
    from typegrad.dry_run.functions import training

    return training.first_of(machine, dataset)
