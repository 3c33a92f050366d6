"""What a program that was followed makes, where nothing else may happen than what was followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CodeType
from typing import TypeAlias

from typegrad.dry_run.known.values import Value
from typegrad.dry_run.source.places import Place
from typegrad.dry_run.tracking.code import codes_in
from typegrad.dry_run.tracking.core import Core

__all__ = ["Results", "results_of"]

Results: TypeAlias = "Mapping[str, Mapping[Place, Sequence[Value | None]]]"
"""The distinct results of the operations, by file and place; None for one that is not known, or has no operands."""


def results_of(machine: Core) -> Results:
    """The results of the operations. Code that was not followed may call functions, or run again, with other ones."""
    lines = [*machine.unfollowed, *(_lines_of(each.__code__) for each in machine.tainted.functions())]
    unfollowed: dict[str, set[int]] = {path: set() for path in machine.files}
    for path, first, last in lines:
        if path in unfollowed:  # not the library's
            unfollowed[path].update(range(first, last + 1))
    result: dict[str, dict[Place, Sequence[Value | None]]] = {path: {} for path in machine.files}
    for number, values in machine.values.items():
        path, place = machine.places[number]
        result[path][place] = [*values, None] if place[0] in unfollowed[path] else values
    return result


def _lines_of(code: CodeType) -> tuple[str, int, int]:
    """The lines of a function: file, first and last line."""
    last = max(line or 0 for inner in codes_in(code) for _, _, line in inner.co_lines())
    return code.co_filename, code.co_firstlineno, last
