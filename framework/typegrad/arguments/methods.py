"""Arguments whose own methods raise, or return what Python refuses: the error names the argument."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from inspect import CO_GENERATOR, Parameter, signature
from operator import is_
from types import FrameType, TracebackType
from typing import Any, Final

from typegrad.base.brief import shortened
from typegrad.base.errors import AttributeValueError, TypegradError

__all__ = ["raised_within"]

_PROGRAMS: Final = frozenset({"__call__", "__next__"})
"""The special methods in which a user's own program runs, a function's or an iterator's: what they raise passes."""

_MOST_LEVELS: Final = 8
"""How deep in lists and mappings an argument is looked for."""

_REFUSED: Final = re.compile(r"\b(__\w+__)(?:\(\))? (?:returned|should return|must return)\b")
"""How Python's errors begin that say what a special method returned."""


def raised_within(
    function: Callable[..., object],
    called: Callable[..., str],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    error: Exception,
) -> TypegradError | None:
    """The error for a call during which a special method of an argument, such as `__len__`, raised `error`.

    Python itself raises `error` if the method returns a value of a wrong type. None if `error` was raised elsewhere, or
    is an error of ours.
    """
    if isinstance(error, TypegradError):
        return None
    for frame in _outside(error.__traceback__):
        owner = frame.f_locals.get(frame.f_code.co_varnames[0]) if frame.f_code.co_argcount else None
        method = _special(frame, type(owner))
        if method:
            if method in _PROGRAMS or _is_generator(frame):
                return None
            place = _place(function, args, kwargs, partial(is_, owner))
            return _unusable(called(function, args), place, f"its {method} raised {type(error).__name__}: ", error)
        if not _is_of_a_library(frame):
            return None
    refused = _REFUSED.search(str(error))
    if refused is None:
        return None
    place = _place(function, args, kwargs, lambda value: _defines(type(value), refused[1]))
    return _unusable(called(function, args), place, "", error)


def _unusable(function: str, place: str | None, reason: str, error: Exception) -> AttributeValueError | None:
    if place is None:
        return None
    text = shortened(str(error), 200)
    refusal = AttributeValueError(f"{function}(): argument `{place}` cannot be used: {reason}{text}")
    refusal.__cause__ = error
    return refusal


def _outside(trace: TracebackType | None) -> list[FrameType]:
    """The frames of a traceback behind the last one of this package."""
    frames: list[FrameType] = []
    while trace is not None:
        is_own = str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] == __name__.partition(".")[0]
        frames = [] if is_own else [*frames, trace.tb_frame]
        trace = trace.tb_next
    return frames


def _special(frame: FrameType, owner: type) -> str:
    """The special method of a class that runs in a frame; "" if none does."""
    members = (item for base in owner.__mro__ for item in vars(base).items())
    names = (name for name, member in members if getattr(member, "__code__", None) is frame.f_code)
    return next((name for name in names if name.startswith("__") and name.endswith("__")), "")


def _defines(cls: type, method: str) -> bool:
    """Whether a class has a special method that neither Python nor NumPy wrote."""
    own = (base for base in cls.__mro__ if base.__module__.partition(".")[0] not in ("builtins", "numpy"))
    return any(method in vars(base) for base in own)


def _is_generator(frame: FrameType) -> bool:
    return bool(frame.f_code.co_flags & CO_GENERATOR)


def _is_of_a_library(frame: FrameType) -> bool:
    """Whether a function is NumPy's or the standard library's, which may call methods of what it is handed."""
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return package == "numpy" or package in sys.stdlib_module_names


def _place(
    function: Callable[..., object],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    is_it: Callable[[object], bool],
) -> str | None:
    """The parameter that a value of the caller's was passed for, and its place in it: "xs[0]"."""
    passed: dict[str, object] = dict(kwargs)
    parameters = list(signature(function).parameters.values())
    for index, value in enumerate(args):
        at = min(index, len(parameters) - 1)
        is_rest = parameters[at].kind is Parameter.VAR_POSITIONAL
        passed[f"{parameters[at].name}[{index - at}]" if is_rest else parameters[at].name] = value
    return next((name + place for name, value in passed.items() for place in _places(value, is_it, 0)), None)


def _places(value: Any, is_it: Callable[[object], bool], level: int) -> Iterator[str]:
    """Where the value looked for is in `value`."""
    if is_it(value):
        yield ""
    elif level < _MOST_LEVELS and type(value) in (list, tuple):
        yield from (f"[{i}]{place}" for i, item in enumerate(value) for place in _places(item, is_it, level + 1))
    elif level < _MOST_LEVELS and type(value) is dict:
        for key, item in value.items():
            yield from (place for each in (key, item) for place in _places(each, is_it, level + 1))
