"""Comprehensions that take long, as their items come from loops, of which one pass is enough then."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

import typegrad as tg
from dry_run.following import HEADER, UNSIZED, differences
from typegrad.op import core

PRELUDE: Final = """
class Record:
    def __init__(self): self.seen, self.rewards = [], []
def rollout(length=300):
    record, position = Record(), 0.5
    for step in range(length):
        position += float(rng.normal()) * float(rng.random())
        record.seen.append(np.array([position, abs(position)], np.float32))
        record.rewards.append(float(rng.random()))
    return record
def returns(rewards):
    made = np.zeros(len(rewards), np.float32)
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + 0.9 * running
        made[t] = running
    return made
"""
RECORDS: Final = "records = [rollout() for _ in range(30)]\n"
WRONG: Final = {
    "a vector for a matrix": (
        f"{RECORDS}feed(np.concatenate([returns(each.rewards) for each in records]), F, None, 1)",
        "has shape [?], which does not fit [?, 1]",
    ),
    "items of all": (
        f"{RECORDS}feed(np.stack([each for r in records for each in r.seen]), F, None, 3)",
        "has shape [?, 2], which does not fit [?, 3]",
    ),
    "in a loop": (
        "for _ in range(20):\n    made = [rollout().seen for _ in range(12)]\n    feed(np.stack(made[0]), F, None, 3)",
        "has shape [?, 2], which does not fit [?, 3]",
    ),
    "a generator": (
        "feed(np.array(list(len(rollout().seen) for _ in range(30)), np.int32), I, None, 1)",
        "has shape [30], which does not fit [?, 1]",
    ),
    "a while loop": (
        """
def walk():
    made, left = [], 300.0
    while left > 0:
        left -= float(rng.random())
        made.append((left, float(rng.random())))
    return made
feed(np.array([walk()[0] for _ in range(30)], np.float32), F, None)
""",
        "has shape [30, 2], which does not fit [?]",
    ),
}
RIGHT: Final = (
    f"{RECORDS}feed(returns(records[29].rewards), F, None)",
    f"{RECORDS}feed(np.concatenate([returns(each.rewards) for each in records]), F, 9000)",
    "records = [rollout(300 + i) for i in range(30)]\nfeed(np.stack(records[29].seen), F, 329, 2)",
    """
def count(n):
    total = 0
    for i in range(400): total += abs(n)
    return total
feed(np.zeros([count(n) for n in range(30)][29]), D, 11600)
""",
    """
def kind(n):
    made = 1
    for i in range(300):
        if i == abs(n): made = 0.5
    return made
feed(np.array([kind(n) for n in range(30)][29:]), D, 1)
""",
    """
seen = []
def add(n):
    for i in range(300): seen.append(n if abs(n) < 29 else 0.5)
    return len(seen)
feed(np.array([add(n) for n in range(30)]), L, 30)
feed(np.array(seen), D, 9000)
""",
    """
def last(n):
    for i in range(300):
        if abs(n) + i == 320: return np.zeros(3, np.float32)
    return np.zeros(2, np.float32)
feed([last(n) for n in range(30)][29], F, 3)
""",
    """
def tower(n):
    y = x
    for i in range(40): y = y * float(abs(n))
    return y[:, : 1 + n % 8]
towers = [tower(n) for n in range(100)]
feed(session.run(towers[99], {x: np.zeros((2, 8), np.float32)}), F, 2, 4)
""",
    """
class Counter:
    def __init__(self): self.size = 0
    def grow(self):
        for _ in range(300): self.size += abs(1)
        return self
counter = Counter()
sizes = [counter.grow().size for _ in range(20)]
feed(np.zeros((counter.size, 2)), D, 6000, 2)
""",
    """
def find(n):
    for i in range(400):
        if i == 10 * abs(n): return i
    raise ValueError
feed(np.zeros([find(n) for n in range(30)][29]), D, 290)
""",
)


@pytest.mark.parametrize("statements", RIGHT)
def test_a_right_program_is_not_refused(statements: str, tmp_path: Path) -> None:
    names: dict[str, Any] = {"tg": tg, "core": core}
    exec(HEADER.replace("import unknown_library as unknown", "") + UNSIZED + PRELUDE + statements, names)
    assert differences(tmp_path, UNSIZED + PRELUDE + statements) == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_certain_is_refused(name: str, tmp_path: Path) -> None:
    statements, said = WRONG[name]
    assert said in " ".join(differences(tmp_path, UNSIZED + PRELUDE + statements)[:1])
