"""Names of its module that a program reads by a text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
sizes = [7]
def change():
    sizes[0] = 8
def rename():
    global sizes
    sizes = [8]
def size(more=0):
    return 7 + more
def main():
    return x @ np.zeros((sizes[0], 2), np.float32)
"""
WRONG: Final = {
    "a function by its name": """
def call(name, options):
    return globals()[name](**options)
x @ np.zeros((call("size", {"more": 2}), 2), np.float32)  # E: a is [Batch, 8], b is [9, 2]
""",
    "a list by its name": "x @ np.zeros((globals()['sizes'][0], 2), np.float32)  # E: b is [7, 2]",
    "what follows a name that is not known": """
def chosen():
    return globals()[unknown.name]
chosen()
x @ np.zeros((7, 2), np.float32)  # E: inner dimensions
""",
}
RIGHT: Final = {
    "a function of which the name is not known": "globals()[unknown.name](8)\nmain()",
    "a function that a method gives": "globals().get('change')()\nmain()",
    "a name that is bound": "globals()['sizes'] = [8]\nmain()",
    "names that are bound": "globals().update(sizes=[8])\nmain()",
    "names that others have": "unknown.change(globals())\nmain()",
    "a name that may be bound": "if unknown.flag:\n    globals()['sizes'] = [8]\nmain()",
    "a list that may be changed": "if unknown.flag:\n    globals()['sizes'][0] = 8\nmain()",
    "a function that may be called": "if unknown.flag:\n    globals()['change']()\nmain()",
    "a function that may be called by others": """
def call(name):
    globals()[name]()
if unknown.flag:
    call("rename")
main()
""",
    "a loop": "for _ in range(unknown.number):\n    globals()['change']()\nmain()",
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_is_told(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + WRONG[name]) == []


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT[name]) == []
