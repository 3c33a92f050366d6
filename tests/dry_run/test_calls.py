"""Of which calls a dry run knows whether they raise errors."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER
from typegrad.dry_run.program import Module, dry_run

FUNCTIONS: Final = """
def of(rows):
    return x @ np.zeros((rows, 2), np.float32)
def given(value):
    return value
"""
CALLS: Final = {
    "it returns": ("of(8)", True),
    "it raises an error that is caught": ("try:\n    of(7)\nexcept tg.ShapeError:\n    pass", True),
    "it is not reached": ("if False:\n    of(7)", False),
    "it may not be reached": ("if unknown.flag:\n    of(7)", False),
    "its argument is unknown": ("of(unknown.rows)", False),
    "its argument is unknown once": ("for rows in (8, unknown.rows):\n    of(rows)", False),
    "its error may be caught once": (
        "for rows in (8, unknown.rows):\n    try:\n        of(rows)\n    except tg.ShapeError:\n        pass",
        False,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call(name: str, tmp_path: Path) -> None:
    text, is_known = CALLS[name]
    source = HEADER + FUNCTIONS + text
    line = next(number for number, each in enumerate(source.splitlines(), 1) if each.strip().startswith("of("))
    found = dry_run(Module("program", str(tmp_path / "program.py"), source), lambda _: None)
    assert any(place[0] == line for place in found.calls) is is_known
