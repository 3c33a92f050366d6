"""Behind a loop of an unknown number of passes: what every pass makes again, and lists to which all append the like."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = """
from collections import deque
import random
flag = unknown.flag
items = unknown.items
"""
REPLAY: Final = """
class Replay:
    def __init__(self): self.rows = deque(maxlen=50)
    def add(self, state, action, reward, done): self.rows.append((state, action, reward, done))
    def sample(self, count): return zip(*random.sample(self.rows, count))
replay = Replay()
for episode in range(4):
    state = rng.random(3)
    for step in range(9):
        action = int(rng.random(4).argmax()) if rng.random() > 0.3 else int(rng.integers(4))
        done = rng.random() < 0.2
        replay.add(state, action, 1.0 if done else -0.1, done)
        state = state + rng.random(3)
        if done: break
states, actions, rewards, dones = replay.sample(4)
"""
ROWS: Final = "rows = []\nfor i in range(n): rows.append(i)\n"
WRONG: Final = {
    "a number": ("value = 0.5\nfor _ in items: value = 0.7\nfeed(np.array([value]), F, 1)", "float64"),
    "a number in a while loop": (
        "value = 0.5\nwhile unknown.go: value = value * 0.7\nfeed(np.array([value]), F, 1)",
        "64",
    ),
    "a count": ("count = 0\nfor _ in items: count += 1\nfeed(np.array([count]), I, 1)", "int64 is not int32"),
    "a count in a while loop": (
        "count = 0\nwhile unknown.go: count += 1\nfeed(np.array([count]), I, 1)",
        "int64 is not",
    ),
    "up to a break": (
        "count = 0\nwhile True:\n    count += 1\n    if flag: break\nfeed(np.array([count]), I, 1)",
        "int64 is not int32",
    ),
    "an array": (
        "total = np.zeros(3)\nfor _ in range(n): total = total + 1\nfeed(total, F, 3)",
        "float64 is not float32",
    ),
    "an array that grows": (
        """
made = np.zeros((0, 3))
for _ in range(n): made = np.concatenate([made, np.ones((1, 3))])
feed(made, F, None, 3)
""",
        "float64 is not float32",
    ),
    "numbers of two types": (
        "value = 0\nwhile unknown.go: value = value + 0.5\nfeed(np.zeros(2, np.float32) * value, D, 2)",
        "float32 is not float64",
    ),
    "a list": (
        f"{ROWS}feed(np.array(rows, np.int64), I, None)",
        "int64 is not int32",
    ),
    "a list of tuples": (
        """
rows = []
for i in range(n): rows.append((rng.random(3), i))
feed(np.stack([row for row, _ in rows]), F, None, 3)
""",
        "float64 is not float32",
    ),
    "a list of an object's, and a condition on another one's": (
        """
class Corridor:
    place = 0
    def step(self, action):
        self.place = self.place + (1 if action else -1)
        won = self.place == 3
        return np.zeros(3), won or self.place >= 20
class Rollout:
    def __init__(self): self.seen = []
def play(corridor):
    rollout, seen, done = Rollout(), np.zeros(3), False
    while not done:
        rollout.seen.append(seen)
        seen, done = corridor.step(int(rng.integers(2)))
    yield rollout
for rollout in play(Corridor()): feed(np.stack(rollout.seen), F, None, 3)
""",
        "float64 is not float32",
    ),
    "a list of a list's items, and others": (
        "rows = [(i, i + 1) for i in range(n)]\nfeed(np.array([(n, n), *((b, a) for a, b in rows)]), D, None, 2)",
        "int64 is not float64",
    ),
    "a list in a while loop": (
        "rows = []\nwhile rng.random() < 0.5: rows.append(0.5)\nfeed(np.array(rows), F, None)",
        "float64 is not float32",
    ),
    "a list up to a break": (
        """
rows = []
for i in range(30):
    rows.append(i)
    if flag: break
feed(np.array(rows, np.int64), I, None)
""",
        "int64 is not int32",
    ),
    "a list in a branch": ("rows = [1]\nif flag: rows.append(2)\nfeed(np.array(rows), I, None)", "int64 is not int32"),
    "a list in some passes": (
        """
rows = []
for i in range(9):
    if rng.random() < 0.5: rows.append(i)
feed(np.array(rows, np.int64), I, None)
""",
        "int64 is not int32",
    ),
    "an item of such a list": (
        "rows = []\nfor i in items: rows.append(0.5)\nfeed(np.array([rows[-1]]), F, 1)",
        "float64",
    ),
    "a replay buffer": (f"{REPLAY}feed(np.array(actions), I, None)", "int64 is not int32"),
    "its rewards": (
        f"{REPLAY}feed(np.array(rewards, np.float32), F, None, 1)",
        "has shape [4], which does not fit [?, 1]",
    ),
    "beside what counts the rows of an array": (
        """
class Model:
    def __init__(self): self.size = 4
    def build(self): self.n = 7
    def mark(self):
        target = np.zeros((4, 9))
        for _ in items:
            for row in range(self.size): target[row][unknown.word] = 1
model = Model()
model.build()
model.mark()
feed(np.zeros(model.n, np.float32), F, 3)
""",
        "does not fit",
    ),
}
"""Programs, and what is refused in them."""
RIGHT: Final = (
    """
class Model:
    def build(self): self.n = 7
models = [Model()]
models[0].build()
for _ in items:
    for i in range(len(models)): models[i].n = 3
feed(np.zeros(models[0].n, np.float32), F, 3)
""",
    "value = 1\nfor _ in range(n): value = 0.5\nfeed([value], F, 1)",
    """
value = 1
for i in range(n): value = [value, 0.5][i % 2]
feed([value], *((F if isinstance(value, float) else I), 1))
""",
    "a, b = 1, 0.5\nfor _ in range(n): a, b = b, a\nfeed(np.zeros(2, np.float32) * a, F, 2)",
    "a, b, c = 1, 1, 0.5\nfor _ in range(n): a, b = b, c\nfeed(np.array([a]), D if n > 1 else L, 1)",
    "a, b, c, d = 1, 1, 1, 1\nfor _ in range(n + 3): a, b, c, d = b, c, d, 0.5\nfeed(np.array([a]), D, 1)",
    "made = np.zeros(3)\nfor _ in range(n): made = made[:, None]\nfeed(made, D, 3, *[1] * n)",
    "made = np.zeros(3)\nfor _ in range(n): made = made.astype(np.float32)\nfeed(made, F, 3)",
    "made = np.zeros(3)\nfor _ in range(n): made = np.concatenate([made, made])\nfeed(made, D, 3 * 2 ** n)",
    "rows = []\nfor i in range(n): rows.append(i if i < 1 else 0.5)\nfeed(np.array(rows), D, None)",
    "rows, new = [], 1\nfor i in range(n):\n    rows.append(new)\n    new = 0.5\nfeed(np.array(rows), D, None)",
    "rows = []\nfor i in range(n): rows.append(0.5 if rows else 1)\nfeed(np.array(rows), D, None)",
    "rows = [1]\nfor i in range(n): rows.append(rows[-1] * 0.5)\nfeed(np.array(rows), D, None)",
    "rows = [0.5]\nfor i in range(n):\n    rows.append(1.0)\n    rows[0] = (1, 2)\nfeed(np.array(rows[1:]), D, None)",
    f"{ROWS}rows.append(0.5)\nfeed(np.array(rows), D, None)",
    f"{ROWS}rows[0] = 0.5\nfeed(np.array(rows), D, None)",
    f"{ROWS}rows += [0.5]\nfeed(np.array(rows), D, None)",
    f"{ROWS}rows.extend([0.5])\nfeed(np.array(rows), D, None)",
    f"{ROWS}rows.insert(0, 0.5)\nfeed(np.array(rows), D, None)",
    f"{ROWS}list(map(rows.append, [0.5]))\nfeed(np.array(rows), D, None)",
    f"{ROWS}add = rows.append\nadd(0.5)\nfeed(np.array(rows), D, None)",
    f"{ROWS}other = [rows]\nother[0].append(0.5)\nfeed(np.array(rows), D, None)",
    f"{ROWS}if n > 0: rows.append(0.5)\nfeed(np.array(rows), D, None)",
    f"{ROWS}if n > 0: rows.clear()\nrows.append(0.5)\nfeed(np.array(rows), D, 1)",
    f"{ROWS}if n > 0:\n    rows.append(1)\n    rows.append(0.5)\nfeed(np.array(rows), D, None)",
    f"{ROWS}if n > 0:\n    last = 0.5\n    rows.append(last)\nfeed(np.array(rows), D, None)",
    """
import heapq
rows = []
for i in range(n): rows.append(i)
heapq.heappush(rows, 0.5)
feed(np.array(rows), D, None)
""",
    f"{ROWS}del rows[:]\nfeed(np.array(rows), D, 0)",
    "rows = []\nfor i in range(n):\n    rows = [0.5]\n    rows.append(1)\nfeed(np.array(rows), D, 2)",
    """
rows = []
for i in range(n): rows.append(rng.random(2))
for row in rows: row.shape = (1, 2)
feed(np.stack(rows), D, None, 1, 2)
""",
    """
row, rows = np.zeros(2), []
for i in range(n): rows.append(row)
rows[0][:] = 4
feed(np.zeros(int(row[0])), D, 4)
""",
    "rows = []\nfor i in range(n): rows.append([i])\nrows[0].append(0.5)\nfeed(np.array(rows[0]), D, 2)",
    """
rows = []
for i in range(n):
    def add(item): rows.append(item)
    add(i); add(0.5)
feed(np.array(rows), D, None)
""",
    """
class Box: kind = int
rows, box = [], Box()
for i in range(n):
    rows.append(box.kind(1)); box.kind = float
feed(np.array(rows), D, None)
""",
    """
kind = int
def change():
    global kind
    kind = float
rows = []
for i in range(n):
    rows.append(kind(1)); change()
feed(np.array(rows), D, None)
""",
    """
steps, rows = iter([1, 0.5, 1.5, 2, 3, 4]), []
for i in range(n): rows.append(next(steps))
feed(np.array(rows), D, None)
""",
    "rows = []\nfor i in range(n):\n    for each in (1, 0.5): rows.append(each)\nfeed(np.array(rows), D, None)",
    """
rows = []
for i in range(n):
    try:
        rows.append([1, 2][i])
    except IndexError:
        rows.append(0.5)
feed(np.array(rows), D if n > 2 else L, None)
""",
    """
rows = []
for i in range(30):
    if i > 20: rows.append(0.5)
    rows.append(i)
feed(np.array(rows), D, None)
""",
    """
rows = []
for i in range(n):
    match i:
        case 0: rows.append(1)
        case _: rows.append(0.5)
feed(np.array(rows), D, None)
""",
    "made = None\nfor i in range(n): made = 0.5 if made is None else [0.5]\nfeed(made, F, *([1] if n > 1 else []))",
    "def found():\n    for i in range(n):\n        if i == 1: return 0.5\n    return 1\nfeed([found()], F, 1)",
    """
count = 0
for i in range(n):
    count += 1
    if count > 9: break
else:
    count = 0.5
feed([count], F, 1)
""",
    "value = 1\nwhile value < n: value *= 2\nfeed(np.zeros(value), D, value)",
    "y = x\nfor i in range(n): y = y * 2.0\nsession.run(y, {x: np.zeros((2, 8), np.float32)})",
    "layers = []\nfor i in range(n): layers.append(x * 2.0)\nsession.run(layers, {x: np.zeros((2, 8), np.float32)})",
    "table = {}\nfor i in range(n): table[i] = 1\nfeed(np.zeros(len(table)), D, n)",
    f"{REPLAY}feed(np.stack(states), D, 4, 3); feed(np.array(dones, np.float32), F, 4)",
)
"""Programs that NumPy runs, and the session."""


@pytest.mark.parametrize("statements", RIGHT)
def test_a_right_program_is_not_refused(statements: str, names: dict[str, Any], tmp_path: Path) -> None:
    known = PRELUDE.replace("unknown.flag", "True").replace("unknown.items", "range(3)")
    exec(known + statements, dict(names))
    assert differences(tmp_path, UNSIZED + PRELUDE + statements) == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_certain_is_refused(name: str, tmp_path: Path) -> None:
    statements, said = WRONG[name]
    assert said in " ".join(differences(tmp_path, UNSIZED + PRELUDE + statements)[:1])
