"""Items of which it is not known which ones they are: drawn, with an unknown key, of any number of them, or a sum."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = """
import collections, random
from collections import deque
from typing import NamedTuple
class Step(NamedTuple):
    state: Any
    action: int
    reward: float
flag = unknown.flag
k = n % 2
key = str(n % 2)
"""
REPLAY: Final = """
buffer = deque(maxlen=100)
for step in range(50):
    buffer.append((rng.random(3), int(rng.integers(4)), float(rng.random()), bool(rng.random() < 0.5)))
states, actions, rewards, dones = zip(*random.sample(buffer, 8))
"""
ROWS: Final = "rows = [(rng.random(3), row, 0.5) for row in range(n)]\n"
WRONG: Final = {
    f"{REPLAY}feed(np.array(actions), I, None)": "an array of int64 is not int32",
    f"{REPLAY}feed(np.array(rewards), F, None)": "an array of float64 is not float32",
    f"{REPLAY}feed(np.array(rewards, np.float32), F, None, 1)": "has shape [8], which does not fit [?, 1]",
    f"{REPLAY}feed(np.concatenate(states), D, None, 3)": "has shape [24], which does not fit [?, 3]",
    f"{ROWS}states, actions, rewards = zip(*rows)\nfeed(np.array(actions, np.int64), I, None)": "int64 is not int32",
    f"{ROWS}states, actions, rewards = zip(*rows)\nfeed(np.stack(states), F, None, 3)": "float64 is not float32",
    f"{ROWS}feed(np.array([row[1] for row in random.sample(rows, 3)]), I, None)": "int64 is not int32",
    f"{ROWS}feed(np.array([rows[i][1] for i in rng.integers(len(rows), size=4)]), I, None)": "int64 is not int32",
    f"{ROWS}feed(np.stack([state for state, _, _ in rows[-2:]]), F, None, 3)": "float64 is not float32",
    f"{ROWS}feed(np.array([i for i, _ in enumerate(rows)], np.int64), I, None)": "int64 is not int32",
    f"{ROWS}for state, _, _ in rows: feed(state, F, None)": "float64 is not float32",
    "steps = [Step(rng.random(3), i, 0.5) for i in range(9)]\n"
    "feed(np.array([step.action for step in random.sample(steps, 4)]), I, None)": "int64 is not int32",
    "feed(np.array(random.sample(range(9), 3)), I, None)": "int64 is not int32",
    "rows = [i for i in range(n)]\nfeed(np.array([b for _, b in zip(rows, rows)]), I, None)": "int64 is not int32",
    "order = list(range(9)); random.shuffle(order)\nfeed(a[order[:4]], F, None, 3)": "float64 is not float32",
    "order = list(range(60_000)); random.shuffle(order)\nfeed(np.ones((60_000, 4))[order], D, None, 3)": "[60000, 4]",
    "order = list(range(60_000)); rng.shuffle(order)\nfeed(np.ones((60_000, 4))[order[:9]], D, None, 3)": "[9, 4]",
    "order = list(range(60_000)); rng.shuffle(order)\nfor i in order: feed(np.ones((60_000, 4))[i], D, 3)": "shape [4]",
    "table = {'0': np.zeros(3), '1': np.ones(3)}\nfeed(table[unknown.key], F, None)": "float64 is not float32",
    "feed(np.array([{'0': 1, '1': 2}.get(unknown.key, 3)]), I, None)": "int64 is not int32",
    "feed(np.array([{'0': 1, '1': 2}.setdefault(unknown.key, 3)]), I, None)": "int64 is not int32",
    "feed(np.array([{'0': 1, '1': 2}.pop(unknown.key, 3)]), I, None)": "int64 is not int32",
    "feed(np.array([collections.Counter('abc')[unknown.key]]), I, None)": "int64 is not int32",
    "numbers = {'0': 1}\nfeed(np.array([numbers.get(w, 0) for w in unknown.words], np.int64), I, None)": "int64 is not",
    "feed(np.array([sum(1 for each in [1, 2] if each > rng.random())]), I, None)": "int64 is not int32",
    "feed(np.array([max(len(word) for word in words)]), I, None)": "int64 is not int32",
    "feed(max(a, key=lambda row: row[0]), D, None, 3)": "has shape [3], which does not fit [?, 3]",
    "feed(min(a, key=np.sum), F, None)": "float64 is not float32",
    "for row in sorted(a, key=lambda row: row[0]): feed(row, F, None)": "float64 is not float32",
    "feed(np.array([min([1, 2], key=lambda k: rng.random() * k)]), I, None)": "int64 is not int32",
    f"{ROWS}feed(max(rows, key=lambda row: row[1])[0], F, None)": "float64 is not float32",
    f"{ROWS}feed(sorted(rows, key=lambda row: row[1])[0][0], F, None)": "float64 is not float32",
    "feed(max(a, key=lambda row: row[3]), D, None)": "index 3 is out of bounds",
    "feed(np.array([sum([float(rng.random()) for _ in range(n)], 0.0)]), F, None)": "float64 is not float32",
    "value = 0 if flag else 0.5\nfeed(np.zeros(3, np.float32) * value, D, None)": "float32 is not float64",
    "value = 0\nif flag:\n    value = 0.5\nfeed(np.array([value / 2, 1]), F, None)": "float64 is not float32",
    "value = 0 if flag else 0.5\nfeed(np.asarray([value], np.float32), D, None)": "float32 is not float64",
    "feed(np.zeros(3) if flag else np.zeros(4), F, None)": "float64 is not float32",
    "feed(np.zeros((2, 3)) if flag else b, D, None)": "has shape [?, 3], which does not fit [?]",
}
"""Programs, and what is refused in them."""
RIGHT: Final = (
    f"{REPLAY}feed(np.array(dones, np.float32), F, None); feed(np.stack(states), D, 8, 3)",
    f"{ROWS}rows.append((rng.random(3), 0.5, 0.5))\nfeed(np.array([row[1] for row in rows]), D, None)",
    f"{ROWS}for row in rows: row[0].shape = (1, 3)\nfeed(np.stack([row[0] for row in rows]), D, None, 1, 3)",
    f"{ROWS}feed(np.array([row[1] for row in rows if row[1] > 100]), D, None)",
    "rows = [[1], [2]]; rows[k].append(3); feed(rows[0], L, *([2] if k == 0 else [1]))",
    "rows = [[1], [2]]; rows[flag].append(3); feed(rows[1], L, 2)",
    "rows = {'0': [1], '1': [2]}; rows[key].append(3); feed(rows['0'], L, *([2] if k == 0 else [1]))",
    "rows = {'0': [1], '1': [2]}; rows.get(key, []).append(3); feed(rows['0'], L, *([2] if k == 0 else [1]))",
    "rows = {}; rows.setdefault(key, []).append(3); feed(np.zeros(len(rows)), D, 1)",
    "rows = {'0': [1], '1': [2]}; rows.pop(key, None); feed(np.zeros(len(rows)), D, 1)",
    """
table = {'0': np.zeros(3), '1': np.ones(3)}
table[key][:] = 2
feed(np.zeros(int(table['0'].max())), D, 2 - 2 * k)
""",
    "rows = [[1], [2]]; random.choice(rows).append(3); feed(np.zeros(sum(map(len, rows))), D, 3)",
    "rows = [[1], [2]]; random.sample(rows, 1)[0].append(3); feed(np.zeros(sum(map(len, rows))), D, 3)",
    "sizes = [3, 4]; random.shuffle(sizes); feed(np.zeros(sizes), D, *sorted(sizes, reverse=sizes[0] > 3))",
    "feed(np.zeros(max([each for each in (2, 3) if each > n - 7])), D, 3)",
    "found = [each for each in (0.5, 2.5) if each > rng.random() + 1]\nfeed([max(found, default=0)], F, 1)",
    "feed([sum(each for each in (0.5, 2.5) if each > 3 * n)], L, 1)",
    "made = sum(each for each in (0.5, 2.5) if each > rng.random() + 1)\nfeed(np.array([made]), D, 1)",
    (
        "count = 0\ndef up():\n    global count\n    count += 1\n    return count\n"
        "total = sum(up() for _ in range(n))\nfeed(np.zeros(count), D, n)"
    ),
    "value = 2 if n > 0 else 0.5\nfeed(np.zeros(value), D, 2); feed([1] * value, L, 2); feed(a[value], D, 3)",
    "value = 2 if n > 0 else 0.5\nfeed(np.array([value, 1]), L, 2); feed(np.full(2, value), L, 2); feed(value, L)",
    "made = np.zeros((1, 3)) if n > 0 else np.zeros((4, 3))\nfeed(made + np.zeros((7, 3)), D, 7, 3)",
    (
        "first, last = np.zeros(3), np.zeros(4)\nmade = first if n > 0 else last\nmade[:] = 5\n"
        "feed(np.zeros(int(first[0])), D, 5); made += 1; feed(made, D, 3)"
    ),
    "rows = [i for i in range(n)]; random.shuffle(rows); feed(np.zeros(len(rows)), D, n)",
    """
order = list(range(3000))
rng.shuffle(order)
feed(np.ones((3000, 3))[order], D, 3000, 3)
feed(np.zeros(2 if 7 in order else 3), D, 2)
feed(np.zeros(order.index(7) * 0 + len(order)), D, 3000)
order.sort()
feed(np.zeros(order[2]), D, 2)
mixed = [0.5, *range(3000)]
rng.shuffle(mixed)
feed(np.zeros(2 if sum(type(each) is float for each in mixed) == 1 else 3), D, 2)
flags = [True, False] * 1000
rng.shuffle(flags)
feed(np.zeros(2 if type(flags[0]) is bool else 3), D, 2)
if n > 100:
    rng.shuffle(order)
feed(np.zeros(order[2]), D, 2)
""",
    "rows = [i for i in range(n)]; feed(max(rows, [7]), L, len(max(rows, [7])))",
    "feed(np.zeros(len(random.Random(0).randbytes(2))), D, 2)",
    "counts = collections.Counter('aab'); feed(np.zeros(counts[chr(97)]), D, 2); feed(np.zeros(counts['z']), D, 0)",
    "names = ['a', 'b']; print(names[k], random.choice(names)); feed(np.zeros(len(names)), D, 2)",
    "first, second = zip(*[(each, 2.0) for each in range(n)])\nfeed(np.array(second), D, n)",
    "total = np.zeros(2); total += 2 if n > 0 else 0.5; feed(total, D, 2)",
)
"""Programs that NumPy runs, and the session."""


GROWN: Final = """
import copy, dataclasses, itertools, operator
from collections import OrderedDict, defaultdict
from itertools import chain
from statistics import mean
@dataclasses.dataclass
class Box:
    scores: list[float]
scores = defaultdict(list)
scores[0].extend(np.arange(n).tolist())
grown = scores[0]
box, boxes = Box(grown), deque()
boxes.append(grown)
def yielded():
    yield grown
"""
OF_GROWN: Final = (
    "mean(chain.from_iterable(scores.values()))",
    "max(chain.from_iterable(iter(scores.values())))",
    "max(set(chain.from_iterable(scores.values())))",
    "list(chain.from_iterable(scores.values()))[0]",
    "np.fromiter(chain.from_iterable(scores.values()), float)[0]",
    "max(chain.from_iterable(each for each in [grown]))",
    "max(chain.from_iterable(yielded()))",
    "max(chain.from_iterable(boxes))",
    "max(chain.from_iterable(vars(box).values()))",
    "max(chain.from_iterable(chain.from_iterable([[grown]])))",
    "max(sum(scores.values(), []))",
    "list(map(max, scores.values()))",
    "list(map(mean, iter([grown])))",
    "list(filter(None, scores.values()))[0]",
    "list(itertools.starmap(max, [(grown,)]))",
    "1 / max(map(len, scores.values()))",
    "1 / sum(map(len, scores.values()))",
    "1 / max(map(len, boxes))",
    "max(copy.deepcopy(box).scores)",
    "max(copy.deepcopy(scores)[0])",
    "max(dataclasses.asdict(box)['scores'])",
    "max(dataclasses.astuple(box)[0])",
    "max(dict(OrderedDict(a=grown))['a'])",
)
"""What Python's functions make of a list that was extended by something unknown, wherever they find it."""


@pytest.mark.parametrize("statements", RIGHT)
def test_a_right_program_is_not_refused(statements: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(PRELUDE.replace("unknown.flag", "True") + statements, dict(names))
    assert differences(tmp_path, UNSIZED + PRELUDE + statements) == []


@pytest.mark.parametrize("statements", WRONG)
def test_what_is_certain_is_refused(statements: str, tmp_path: Path) -> None:
    assert WRONG[statements] in " ".join(differences(tmp_path, UNSIZED + PRELUDE + statements)[:1])


@pytest.mark.parametrize("expression", OF_GROWN)
def test_a_list_of_unknown_length_is_not_empty(expression: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(PRELUDE.replace("unknown.flag", "True") + GROWN + expression, dict(names))
    assert differences(tmp_path, UNSIZED + PRELUDE + GROWN + expression) == []
    empty = GROWN.replace("np.arange(n).tolist()", "[]")
    assert len(differences(tmp_path, UNSIZED + PRELUDE + empty + expression)) == 1
