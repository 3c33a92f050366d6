"""Many cases in one test: all are checked, then the failures are reported together."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable

import pytest

from support.case import Case
from support.recording import describe

MOST = 12
"""The maximum number of failures in a report."""


def check_all(cases: Iterable[Case], check: Callable[[Case], str | None]) -> None:
    """Fail with the cases for which `check` returns a problem or raises."""
    failures = []
    for case in cases:
        try:
            problem = check(case)
        except Exception as error:  # noqa: BLE001  # the failure of this case; the others still run
            problem = f"{type(error).__name__}: {error}\n{_where(error)}"
        if problem:
            failures.append(f"{describe(case)}:\n    {problem}")
    if failures:
        more = f"\nand {len(failures) - MOST} more" if len(failures) > MOST else ""
        pytest.fail(f"{len(failures)} failures\n" + "\n".join(failures[:MOST]) + more, pytrace=False)


def _where(error: Exception) -> str:
    """The last places of the traceback."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return "\n".join(f"      {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
