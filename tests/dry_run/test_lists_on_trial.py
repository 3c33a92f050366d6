"""Items of lists, unpacking, and loops that may not run, in branches on trial: what is certain is told."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = (
    UNSIZED
    + """
y = x * 2.0
right, wrong = np.ones((4, 8), np.float32), np.ones((4, 7), np.float32)
"""
)
WRONG: Final = {
    "a list that is never changed, behind the end of a pass": """
class Trainer:
    def __init__(self):
        self.layers, self.others = [], [x, y]
        for n in range(2):
            self.layers.append(n)
    def fit(self, steps):
        used, losses = 0, []
        for _ in range(steps):
            batch = right
            if not mask.any():
                continue
            self.others[0] + np.zeros((7, 2), np.float32)  # E: AddV2
            losses.append(batch)
            used += len(batch)
        return used
Trainer().fit(3)
""",
    "a list that is too short": """
pair = [x, y]
if unknown.flag:
    pair[2]  # E: list index out of range
""",
    "a list of too many items": """
pair = [x, y]
if unknown.flag:
    a, = pair  # E: expected 1, got 2
""",
    "a key": """
SIZES = {"a": 1}
def size(array):
    if not mask.any():
        return 0
    return SIZES["b"]  # E: there is no key 'b'
size(right)
""",
    "an argument too many": """
def scaled(array):
    return array * 2.0
if unknown.flag:
    scaled(right, 2.0)  # E: takes 1 positional argument but 2 were given
""",
    "a loop that may not run at all": """
steps = int(unknown.steps)
while steps > 0:
    session.run(y, {x: wrong})  # E: does not fit
    steps -= 1
""",
    "such a loop in a loop": """
for _ in range(3):
    loss = float(rng.random())
    while loss > 0.5:
        loss = float(rng.random())
        if loss > 0.9:
            continue
        session.run(y, {x: wrong})  # E: does not fit
""",
    "rows of which there are some": """
labels = rng.integers(0, 3, 10)
for c in range(3):
    rows = a[labels == c]
    if len(rows) == 0 or not rows.size:
        continue
    rows @ np.ones((4, 2))  # E: do not fit
""",
    "the second part of a condition": """
def wide(array):
    return array @ np.ones((5, 3))  # E: do not fit
ok = unknown.flag and wide(right)
""",
    "the second part of an alternative": """
def fed(array):
    return session.run(y, {x: array})  # E: does not fit
ok = unknown.flag or fed(wrong)
""",
    "layers of a generator that sizes are sent to": """
def layers(h):
    while True:
        n = yield h
        h = h @ np.zeros((h.shape.as_ints()[-1] if n < 5 else 4, n), np.float32)
made = layers(core.Placeholder.create(scope, F, (2, 8)))
next(made)
made.send(4) @ np.zeros((3, 2), np.float32)  # E: inner dimensions
""",
}
RIGHT: Final = {
    "what a sum of lists holds": """
rows, total, n = [[x]], [], 0
if unknown.flag:
    n += 1
    total += rows
    b = total
    b[0].append(y)
x @ np.zeros((6 + len(rows[0]), 2), np.float32)
""",
    "a generator that may have got other sizes": """
def layers(h):
    while True:
        n = yield h
        h = h @ np.zeros((h.shape.as_ints()[-1], n), np.float32)
made = layers(core.Placeholder.create(scope, F, (2, 8)))
next(made)
if unknown.flag:
    made.send(4)
made.send(3) @ np.zeros((3, 2), np.float32)
for size in range(unknown.n):
    made.send(5)
made.send(unknown.n) @ np.zeros((5, 2), np.float32)
""",
    "parts of conditions": """
def wide(array):
    return array @ np.ones((5, 3))
ok = unknown.flag and right.ndim == 3 and wide(right)
ok = (unknown.flag and False) or (right.ndim == 2 or wide(right))
ok = unknown.is_wide(right) and wide(right)
ok = right.shape[1] == unknown.width and wide(right)
best = None
for _ in range(3):
    ok = unknown.flag and best is not None and best + np.ones(9)
    best = np.ones(9)
rows = []
for _ in range(3):
    ok = unknown.flag and rows[-1]
    rows.append(1)
""",
    "lists that grow where others have them": """
class Bag:
    def __init__(self, items):
        self.items = items
    def grow(self):
        self.items.append(y)
class Bags:
    def __init__(self, items):
        self.bag, self.own = Bag(items), items
    def look(self):
        if unknown.is_grown:
            return self.own[1], stack[1]
stack = [x]
bags = Bags(stack)
def first(items):
    if unknown.is_grown:
        return items[1]
first(stack), bags.look()
bags.bag.grow()
first(stack), bags.look()
""",
    "a loop that runs while there is something": """
class Queue:
    def __init__(self):
        self.items, self.size = [], 0
    def add(self, item):
        self.items.append(item)
        self.size += 1
    def drain(self):
        while unknown.is_open and self.size > 0:
            self.items[self.size - 1] + np.ones(2)
            self.size -= 1
queue, parts, n = Queue(), [], 0
queue.drain()
queue.add(np.ones(2))
queue.drain()
while n < unknown.n:
    if n > 0:
        parts[n - 1] + np.ones(2)
    parts.append(np.ones(2))
    n += 1
while unknown.flag:
    parts[0]
    break
""",
    "what a loop appends to lists in a list": """
rows = [[x], [y]]
def look():
    if unknown.is_grown:
        return rows[0][1]
look()
for row in rows:
    row.append(x)
look()
""",
    "a list that a loop may change by the name of another one": """
class Parts:
    def __init__(self):
        self.parts, self.count = [x, y], 0
    def fit(self, steps):
        for _ in range(steps):
            a = self.parts
            b = a
            n = 0
            n += 1
            if unknown.flag:
                b.append(x)
                continue
            if unknown.other and len(self.parts) > 2:
                self.parts[2]
Parts().fit(3)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_certain_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_else_is(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
