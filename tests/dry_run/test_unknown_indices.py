"""A number that a run gave as an index or a key: what it selects is unknown, and what follows is not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
session = tg.Session(scope.graph)
w = tg.Variable.create(scope, np.array([0.5, 1.5, 2.5], np.float32))
i = int(session.run(w).argmax())
names, counts = ["a", "b", "c"], [0, 0, 0]
records = np.zeros(3, dtype=[("a", np.float32), ("b", np.int32)])
"""
MISTAKE: Final = """
x @ np.zeros((len(names) + 4, 1), np.float32)  # E: inner dimensions
"""
STATEMENTS: Final = (
    "print(names[i])",
    "print(names[:i])",
    'print("abc"[i].upper())',
    "print({0: 1, 1: 2, 2: 3}[i])",
    "print({0: 1}.get(i))",
    "counts[i] += 1",
    "counts[i] = 1",
    "del counts[i]",
    "seen = {i}",
    "votes = {i: 1.0}",
    "votes = {n: 1.0 for n in [i, 2]}",
    "votes = {}; votes[i] = 1.0",
    "print(names[int(np.random.default_rng(0).integers(3))])",
    "print(records[i]['b'])",
    "print(np.ma.masked_less(session.run(w), 1).count())",
    "print(np.asmatrix(session.run(w)).A1)",
    "kept = [name for name in names if name != 'b']",
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_program_is_followed_further(statement: str, tmp_path: Path) -> None:
    assert differences(tmp_path, f"{PRELUDE}{statement}{MISTAKE}") == []


def test_what_may_have_changed_is_unknown(tmp_path: Path) -> None:
    assert differences(tmp_path, f"{PRELUDE}counts[i] = 4\nx[:, :5] @ np.zeros((counts[0] + 1, 1), np.float32)") == []


def test_an_item_that_a_condition_does_not_keep(tmp_path: Path) -> None:
    text = "kept = [each for each in [x, x] if each]  # E: has no truth value while the graph is built"
    assert differences(tmp_path, f"{PRELUDE}{text}") == []
