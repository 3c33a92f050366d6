"""Iterators that code on trial would take items from: what they give next in the program is what they do in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = UNSIZED + "import itertools\ndef sized(size, *dims): feed(np.zeros(size, np.float32), F, *dims)\n"
IN_LOOP: Final = """
def main():
    numbers = {made}
    for _ in range(2):
        size = {taken}
        if unknown.flag: sized(size, None)
    sized({taken}, 3)
main()
"""
OF_CONDITION: Final = """
def main():
    numbers = iter([1, 2, 3])
    {statement}
    sized(next(numbers), {size})
main()
"""
RIGHT: Final = {
    **{
        made: IN_LOOP.format(made=made, taken=taken)
        for made, taken in {
            "iter([1, 2, 3, 4])": "next(numbers)",
            "itertools.count(1)": "next(numbers)",
            "iter((1, 2, 3, 4))": "[*itertools.islice(numbers, 1)][0]",
            "zip([1, 2, 3, 4])": "next(numbers)[0]",
            "(i for i in range(1, 9))": "list(itertools.islice(numbers, 1))[0]",
        }.items()
    },
    "the right of `or`": OF_CONDITION.format(statement="found = unknown.flag or 1 in numbers", size=2),
    "a comprehension there": OF_CONDITION.format(statement="unknown.flag or [i for i in numbers if i < 0]", size=1),
    "a condition": OF_CONDITION.format(statement="if unknown.flag and 1 in numbers: pass", size=2),
    "a loop that ends": """
def main():
    numbers = iter([1, 2, 3, 4, 5])
    for size in numbers:
        if unknown.flag: sized(size, None)
        if size == 3: break
    sized(next(numbers), 4)
main()
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_they_have_the_same_items(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
