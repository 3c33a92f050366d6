"""`zip(..., strict=True)` refuses arguments of different lengths where it is known that they are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

SHORTER: Final = "zip() argument 2 is shorter than argument 1"
PROGRAMS: Final = {
    "a loop": f"""
for a, b in zip([x, x], [x], strict=True):  # E: {SHORTER}
    a + b
""",
    "a comprehension": f"""
sums = [a + b for a, b in zip([x, x], [x], strict=True)]  # E: {SHORTER}
""",
    "a list": f"""
pairs = list(zip([x, x], [x], strict=True))  # E: {SHORTER}
""",
    "a list of any number of items": f"""
made = [i for many, _ in zip([unknown.a, unknown.b], [x], strict=True) for i in many]  # E: {SHORTER}
""",
    "within another one": f"""
for (a, b), c in zip(zip([x, x], [x], strict=True), [x, x]):  # E: {SHORTER}
    a + b + c
""",
    "one length": """
for a, b in zip([x, x], [x, x], strict=True):
    a + b
""",
    "an error that is caught": """
try:
    for a, b in zip([x, x], [x], strict=True):
        a + b
except ValueError:
    pass
""",
    "lists of unknown lengths": """
some = [x]
if unknown.flag:
    some.append(x)
for a, b in zip([x, x], some, strict=True):
    a + b
for a, b in zip([x, x], unknown.items, strict=True):
    a + b
""",
    "an error of a generator": """
def items():
    yield x
    raise ValueError
for a, b in zip([x, x], items(), strict=True):
    a + b
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_lengths_are_compared(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PROGRAMS[name])
