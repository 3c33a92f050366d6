"""Loops that may end early: what is behind them runs for certain, what is in their later passes does not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
flag = unknown.flag
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
DIFFER: Final = "inner dimensions differ"
WRONG: Final = {
    "behind a loop in another one": f"""
for episode in range(3):
    for _ in range(20):
        if unknown.value > 0.5:
            break
    x @ np.zeros((5, episode), np.float32)  # E: {DIFFER}
""",
    "in a later pass of the outer one": f"""
for episode in range(60):
    while True:
        if unknown.value > 0.5:
            break
    if episode % 5 == 4:
        x @ np.zeros((5, episode), np.float32)  # E: {DIFFER}
""",
    "behind passes that end early": f"""
for n in (5, 5):
    for _ in range(20):
        if flag:
            continue
        five(n)
    x @ np.zeros((5, n), np.float32)  # E: {DIFFER}
""",
    "behind a branch with a loop": f"""
for n in (5, 5):
    if flag:
        for _ in range(20):
            break
    x @ np.zeros((5, n), np.float32)  # E: {DIFFER}
""",
    "a generator without an end": """
def batches():
    while True:
        yield x
a, b = batches()  # E: too many values to unpack (expected 2)
""",
    "rows of a comprehension": """
[a for a, b in np.ones((3, 4))]  # E: too many values to unpack (expected 2, got 4)
""",
    "items of other numbers": """
{a: b for [a, b] in [np.ones(2), np.ones(3)]}  # E: too many values to unpack (expected 2, got 3)
""",
    "rows of a generator expression": """
sum(a for a, b, *_ in np.ones((3, 1)))  # E: not enough values to unpack (expected at least 2, got 1)
""",
    "rows of rows": """
[a for rows in np.ones((2, 3, 3)) for a, b in rows]  # E: too many values to unpack (expected 2, got 3)
""",
    "behind a loop that asks a generator for items": f"""
def batches():
    while True:
        rows = np.zeros((16, 8), np.float32)
        for row in range(16):
            rows[row] = [float(unknown.n)] * 8
        yield rows
stream = batches()
for _ in range(100):
    rows = next(stream)
x @ np.zeros((5, 2), np.float32)  # E: {DIFFER}
""",
    "items of a generator in an inner loop": """
def batches():
    while True:
        yield 4
source = batches()
for _ in range(3):
    for _ in range(2):
        n = next(source)
x @ np.zeros((n, 5), np.float32)  # E: inner dimensions differ
""",
    "items of generators with loops": """
def batches(*sizes):
    while True:
        for n in sizes:
            yield n
first, second = batches(5), batches(6, 5, 4)
for _ in range(3):
    for _ in range(2):
        five(next(first))
    for _ in range(3):
        five(next(first))
        n = next(second)
x @ np.zeros((n, 5), np.float32)  # E: inner dimensions differ
""",
}
RIGHT: Final = {
    "names of the items of comprehensions": """
def pairs():
    for i in range(3):
        yield i, i * 2.0
[a + b for a, b in np.ones((3, 2))]
{a: b for a, b in {"a": 1}.items()}
[a for a, *_ in np.ones((3, 4))]
[a + b + k for k, (a, b) in enumerate(np.ones((3, 2)))]
[a for [a, b] in [(1, 2), [3, 4]]]
{a for a, b in ["ab", "cd"]}
sum(a * b for a, b in zip(range(3), np.ones(3)))
[a for a, b in pairs()]
[a for a, b in np.random.default_rng(0).permutation(np.ones((3, 2)))]
[a for a, b in []] + [a for a, b in np.ones((0, 5))]
[a for a, b in unknown.items]
[a for a, b in [unknown.item]]
for each in unknown.items:
    [a for a, b in each]
try:
    [a for a, b in np.ones((3, 4))]
except ValueError:
    pass
""",
    "items of a generator that was not followed to its end": """
def sizes():
    while True:
        for _ in range(16):
            size = int(unknown.n)
        yield 8
stream = sizes()
for _ in range(100):
    pairs = [(next(stream), 8) for _ in range(8)]
    a, b = np.array(pairs).T
import itertools
for _ in range(3):
    rows = []
    for each in itertools.islice(stream, 8):
        rows.append((each, 8))
    a, b = np.array(rows).T
""",
    "items of a generator in inner loops": """
def batches():
    for _ in range(1000):
        for n in (4, 5):
            yield n
source = batches()
def second():
    for n in source:
        for m in source:
            return m
for _ in range(3):
    five(second())
    for _ in range(2):
        n = next(source)
    five(n)
for _ in range(1000):
    for _ in range(2):
        n = next(source)
five(n)
""",
    "later passes": """
for n in (5, 4):
    if flag:
        break
    five(n)
""",
    "behind a return": """
def found():
    for n in (5, 4):
        if flag:
            return n
        five(n)
    return five(4)
found()
def nested():
    for n in (5, 4):
        for m in (5, 4):
            if flag:
                return m
        five(4)
    return five(4)
nested()
""",
    "an outer loop that an inner one may leave": """
for n in (5, 4):
    for _ in range(3):
        if flag:
            break
    else:
        break
    five(4)
for n in (5, 4):
    for _ in range(3):
        if flag:
            break
    else:
        continue
    five(4)
""",
    "the end of a loop without a break": """
for n in (5, 4):
    if flag:
        break
else:
    five(4)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_that_is_certain(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
