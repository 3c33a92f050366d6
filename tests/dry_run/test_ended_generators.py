"""Generators of which it is not known where they end: nothing tells later that they have no more items."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from itertools import chain, islice
def source():
    yield 1
    yield from [0] * int(unknown.count)
it = source()
def first():
    for each in it:
        return each
    return None
def run(is_over):
    return x @ np.zeros((7 if is_over else 8, 2), np.float32)
"""
RIGHT: Final = {
    "a loop": "for each in it:\n    pass\nrun(not list(it))",
    "a loop in a function": "first()\nfirst()\nrun(first() is None)",
    "its first items": "for each in islice(it, 2):\n    pass\nrun(not list(it))",
    "with numbers": "numbered = enumerate(it)\nfor each in numbered:\n    pass\nrun(not list(numbered))",
    "in pairs": "for each in zip(it, range(2)):\n    pass\nrun(not list(zip(it, range(2))))",
    "before others": "for each in chain(it, [5]):\n    pass\nrun(not list(it))",
    "an item": "next(it)\nnext(it, None)\nrun(next(it, None) is None)",
    "a star": "a, b, *c = it\nrun(not c)",
    "a comprehension": "a = [each for each in it]\nrun(not [each for each in it])",
}


@pytest.mark.parametrize("name", RIGHT)
def test_there_may_be_more_items(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT[name]) == []


def test_the_first_item_is_known(tmp_path: Path) -> None:
    program = f"{PRELUDE}if first() == 1:\n    x @ np.zeros((7, 2), np.float32)  # E: inner dimensions"
    assert differences(tmp_path, program) == []
