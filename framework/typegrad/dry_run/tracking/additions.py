"""The graphs that code which was not followed may have added operations to, as it may have had something of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from itertools import islice
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from typegrad.dry_run.known.open_shapes import is_of_library, open_graph_of
from typegrad.dry_run.source.expressions import MACHINE
from typegrad.dry_run.tracking.code import cells_of, read_by, used_by
from typegrad.dry_run.tracking.memory import has_no_parts, inside

__all__ = ["open_graphs"]

_DEPTH: Final = 6
"""How deep the parts of a value are looked at."""
_MOST: Final = 1000
"""How many of them are looked at: of longer lists, such as of data, the first ones tell what is in them."""


def open_graphs(value: object) -> None:
    """Note that code may have added operations by a value, by what is in it, or by what it does if it is called."""
    waiting, seen = [(value, _DEPTH)], set[int]()
    while waiting:
        each, depth = waiting.pop()
        if is_of_library(each):
            open_graph_of(each)
        elif id(each) not in seen and depth:
            seen.add(id(each))
            waiting += ((part, depth - 1) for part in islice(_parts(each), _MOST))


def _parts(value: Any) -> Iterable[object]:
    kind: Any = type(value)  # which mypy does not take for hashable
    if has_no_parts(kind) or isinstance(value, ModuleType):
        return ()
    if isinstance(value, FunctionType):
        used = used_by(value, read_by(value)) if MACHINE in value.__globals__ else ()
        return *(each for _, each in used), *cells_of(value).values()
    if isinstance(value, MethodType):
        return value.__self__, value.__func__
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    return _functions_of(value) if isinstance(value, type) else (*inside(value), *_functions_of(kind))


@functools.lru_cache(maxsize=1000)  # which keeps the classes of programs
def _functions_of(kind: type) -> tuple[FunctionType, ...]:
    """The methods that a class has of the program."""
    members = (
        getattr(each, "__func__", getattr(each, "fget", each))
        for owner in kind.__mro__
        for each in vars(owner).values()
    )
    return tuple(each for each in members if isinstance(each, FunctionType) and MACHINE in each.__globals__)
