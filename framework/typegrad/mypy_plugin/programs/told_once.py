"""Errors of programs in other files are told once: several programs, or tests of one file, may fail at one place.

What is told in a file then depends on other programs, which mypy does not know of (`followed.foresee`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from mypy.checker import TypeChecker
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.reporting import is_reported, report_raised
from typegrad.mypy_plugin.programs.failures import code_of, message_of
from typegrad.mypy_plugin.values.program_files import is_checked_always

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.core import Failure

__all__ = ["report_failure"]

_Place: TypeAlias = tuple[str, int, str]
_NAME: Final = re.compile(r"'[^']*'(?= \()")
"""The name of a node, which is another one in each graph: `MatMul 'dense/MatMul' (...)`."""

_told: Final = Memory[_Place, str]()
"""The files in which errors of other files are told, by the line and the words of the error."""


def report_failure(api: CheckerPluginInterface, failure: Failure, lines: Sequence[int]) -> None:
    """Report an error of a program at the line of the checked file that leads to it, unless it has been told."""
    checker, frame = checker_of(api), failure.frames[0]
    place = frame.file, frame.line, _NAME.sub("", str(failure.error).partition("\n")[0])
    is_ignored = lines[0] in checker.errors.ignored_lines.get(checker.path, {})  # by a comment that is used then
    if _is_told(checker, place) and not is_ignored:
        return
    message = message_of(failure, checker.path, lines)
    report_raised(api, code_of(failure.error), message, Context(lines[0], 0))
    if frame.file != checker.path and is_reported(api, message, lines[0]):
        _told[place] = checker.path


def _is_told(checker: TypeChecker, place: _Place) -> bool:
    """Whether an error is told in the file, or in another one, where mypy checks both each time."""
    file = _told.get(place)
    return file is not None and (file == checker.path or all(map(is_checked_always, (file, checker.path))))
