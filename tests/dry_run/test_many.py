"""Lists of an unknown number of items: where these are alike, arrays of them have a known element type and rank."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from dry_run.following import UNSIZED, differences

ITERTOOLS: Final = "import itertools\nrows = [0.5 for _ in range(n)]\n"
RIGHT: Final = (
    """
order = list(np.random.permutation(n))
feed(np.zeros((n, 4))[order], D, None, 4)
feed(np.zeros((9, 4))[order[:2]], D, None, 4)
feed(np.zeros((9, 4))[order[0]], D, 4)
feed(np.array(order), L, None)
feed(np.stack([row for _, row in enumerate(b)]), D, None, 3) if len(b) else None
feed(np.array([*order, 1]), L, None)
order.append(0.5)
feed(np.array(order), D, None)
mixed = [np.array(0.5), np.float64(0.5)] + [np.float64(each) for each in range(n)]
for each in mixed[1:]: feed(each, F)
""",
    """
rows = [(i, 2 * i) for i in range(n)]
feed(np.array([*rows, (1, 2)], np.int32), I, None, 2)
feed(np.array([*rows, *((b, a) for a, b in rows)], np.int32), I, None, 2)
feed(np.array([*rows, (1.5, 2)]), D, None, 2)
feed(np.array((*rows, (1, 2)), np.int32), I, None, 2)
more = [(1, 2)]
more += rows
more.extend(rows)
feed(np.array(more, np.int32), I, None, 2)
more += [(1.5, 2)]
feed(np.array(more), D, None, 2)
more.clear()
more += [(1, 2, 3)]
feed(np.array(more, np.int32), I, None, 3)
pairs = [[1, 2]]
pairs += [[i, i] for i in range(n)]
pairs[0].append(3)
for pair in pairs[1:]: pair.append(3)
feed(np.array(pairs, np.int32), I, None, 3)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
rows.append([1, 2])
feed(np.array(rows, np.int32), I, None, 2)
rows.append([1.5, 2])
feed(np.array(rows), D, None, 2)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
for r in rows:
    r.append(3)
feed(np.array(rows, np.int32), I, None, 3)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
rows[0].append(3); rows[1].append(3)
for r in list(rows)[2:]: r.append(3)
feed(np.array(rows, np.int32), I, None, 3)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
[r.append(3) for r in rows]
feed(np.array(rows, np.int32), I, None, 3)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
if n > 0:
    rows.clear()
    rows.append([1.5])
feed(np.array(rows), D, None, 1)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
more = rows
more += [[1.5, 1.0]]
feed(np.array(rows), D, None, 2)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
def grow(r):
    for e in r: e.append(1)
grow(rows)
feed(np.array(rows), L, None, 3)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
rows[:] = [[1.5]]
feed(np.array(rows), D, 1, 1)
""",
    """
rows = [[i, 2 * i] for i in range(n)]
del rows[:]
feed(np.array(rows), D, None)
""",
    """
rows = [i for i in range(n) if i > 100]
feed(np.array(rows), D, None)
feed(np.array(rows, np.int64), L, None)
""",
    """
rows = [[i, i] for i in range(n) if i > 100]
feed(np.array(rows, np.float32), F, None)
""",
    """
mixed = [w for w in (1, 2.5) if w > rng.random() + 1]
feed(np.array(mixed), D, None)
""",
    """
mixed = [w for w in (1, 2.5) if w < rng.random() + 1]
feed(np.array(mixed), L, None)
""",
    """
sizes = [k for k in (3, 4) if k > rng.random() + 3]
feed(np.zeros(sizes), D, 4)
""",
    """
count = 0
def up():
    global count
    count += 1
    return count
ups = [up() for _ in range(n)]
feed(np.zeros((count, 2)), D, None, 2)
feed(np.array(ups), L, None)
""",
    """
log = []
vals = [log.append(np.zeros(3)) or rng.random(2) for _ in range(n)]
feed(np.stack(log), D, None, 3)
feed(np.stack(vals), D, None, 2)
""",
    """
vs = [tg.Variable.create(scope, np.zeros((2, 2), np.float32)) for _ in range(n)]
total = vs[0].value() if hasattr(vs[0], "value") else vs[0] + 0.0
for v in vs[1:]: total = total + v
session.run(total)
""",
    """
layers = [8] + [4 for _ in range(n)]
y = x
for i, o in zip(layers, layers[1:]):
    y = linalg.MatMul.create(scope, y, np.zeros((i, o), np.float32))
session.run(y, {x: np.zeros((2, 8), np.float32)})
""",
    """
batch = [(rng.random(3), i) for i in range(n)]
states, acts = zip(*batch)
feed(np.stack(states), D, None, 3)
feed(np.array(acts, np.int32), I, None)
""",
    """
batch = [(rng.random(3), i) for i in range(n)]
feed(np.stack([s for s, _ in batch]), D, None, 3)
feed(np.array([s for s, _ in batch], np.float32), F, None, 3)
""",
    """
ragged = [rng.random(int(rng.integers(1, 4))) for _ in range(n)]
feed(np.concatenate(ragged), D, None)
longest = max(len(r) for r in ragged)
feed(np.stack([np.pad(r, (0, longest - len(r))) for r in ragged]), D, None, None)
feed(np.array([len(r) for r in ragged], np.int32), I, None)
obj = np.array(ragged, dtype=object)
""",
    """
try:
    stacked = np.stack([rng.random(3) for k in range(n - 6)])
except ValueError:
    stacked = np.zeros((0,), np.float32)
feed(stacked, F, None)
""",
    """
total = sum([rng.random() for _ in range(n)])
feed(total, F)
feed(max([float(rng.random()) for _ in range(n)]), F)
feed([rng.random() for _ in range(n)], F, None)
feed([[i, i] for i in range(n)], L, None, 2)
""",
    """
names = [str(i) for i in range(n)]
lookup = {name: i for i, name in enumerate(names)}
feed(np.array([lookup[e] for e in names], np.int32), I, None)
""",
    """
steps = iter(range(100))
firsts = [next(steps) for _ in range(n)]
feed(np.zeros(next(steps)), D, 4)
feed(np.array(firsts), L, None)
""",
    """
pairs = [np.array([i, i + 1]) for i in range(n)]
pairs[0] = pairs[0].reshape(2)
for p in pairs: p.shape = (1, 2)
feed(np.stack(pairs), L, None, 1, 2)
""",
    """
xs = [i for i in range(n)]
xs.sort(); xs.reverse()
feed(np.array(xs), L, None)
feed(np.eye(6)[xs], D, None, 6)
feed(a[[i for i in range(n)]], D, None, 3)
""",
    """
ws = [w for w in words if len(w) > 1]
feed(np.array([len(w) for w in ws], np.int32), I, None)
feed(np.array([w[0] for w in words], np.int32), I, 4)
flat = [t for w in words for t in w]
feed(np.array(flat, np.int32), I, None)
lens = [len(w) for w in words]
pad = np.full((len(words), max(lens)), -1, np.int64)
for r, w in zip(pad, words): r[:len(w)] = w
feed(pad, L, 4, None)
""",
    """
class Replay:
    def __init__(self): self.rows = []
    def add(self, row): self.rows.append(row)
    def sample(self, k):
        picked = [self.rows[i] for i in rng.integers(0, len(self.rows), k)]
        return np.stack([p[0] for p in picked]), np.array([p[1] for p in picked], np.int32)
replay = Replay()
for step in range(n): replay.add((rng.random(4), step))
s, c = replay.sample(8)
feed(s, D, None, 4); feed(c, I, 8)
""",
    """
y = [t for t in [x, x] if n > 0][0]
session.run(y, {x: np.zeros((2, 8), np.float32)})
outs = [session.run(x * 2.0, {x: np.zeros((2, 8), np.float32)}) for _ in range(n)]
feed(np.concatenate(outs), F, None, 8)
""",
    """
def gen():
    for i in range(n): yield rng.random(3)
feed(np.stack(list(gen())), D, None, 3)
feed(np.stack([g for g in gen()]), D, None, 3)
""",
    """
grid = [[j for j in range(i + 1)] for i in range(n)]
feed(grid[-1], L, None)
feed(np.concatenate([np.array(g) for g in grid]), L, None)
tri = [[0.0] * n for _ in range(n)]
feed(np.array(tri), D, None, None)
tri2 = [[0.0 for _ in range(n)] for _ in range(n)]
feed(np.array(tri2), D, None, None)
""",
    f"""{ITERTOOLS}
feed(np.array(list(itertools.accumulate(rows, lambda a, b: [1]))[1:]), L, n - 1, 1)
feed(np.array(list(itertools.accumulate([1 for _ in range(n)], initial=0.5))), D, n + 1)
feed(np.array(list(itertools.accumulate(rows))), D, n)
feed(np.array(list(itertools.chain(rows, [1], [0.5]))), D, n + 2)
feed(np.array(list(itertools.islice(rows, 1, None))), D, n - 1)
feed(np.array(list(itertools.pairwise(rows))), D, n - 1, 2)
""",
    """
best = session.run(math.ArgMax.create(scope, core.Constant.create(scope, [1.0, 5.0]), 0))
feed([best], I, 1); feed([best, 2], F, 2); feed((np.arange(3), rng.integers(0, 9, 3)), I, 2, 3)
feed([rng.integers(0, 9, 3) for _ in range(n)], I, None, 3)
feed([rng.integers(0, 9, n), rng.integers(0, 9, n)], I, 2, None)
feed([len(word) for word in words] + [best], I, None)
""",
)
"""Programs that NumPy runs, and the session."""
WRONG: Final = {
    "feed(np.array([row for row in range(n)], np.int32), L, None)": "int32 is not int64",
    "feed(np.array([[row, 2 * row] for row in range(n)], np.int32), L, None, 2)": "int32 is not int64",
    "feed(np.array([[row, 2 * row] for row in range(n)], np.int32), I, None, 3)": "has shape [?, 2], which",
    "feed(np.array([len(word) for word in words if len(word) > 1], np.int32), L, None)": "int32 is not int64",
    "feed(np.array([[0.0 for _ in range(n)] for _ in range(n)], np.float32), D, None, None)": "float32 is not float64",
    "feed(np.array([letter for word in words for letter in word], np.int32), L, None)": "int32 is not int64",
    "feed(np.array([*[(i, i) for i in range(n)], (1, 2)], np.int32), I, None, 3)": "has shape [?, 2], which",
    "rows = [(1, 2)]; rows += [(i, i) for i in range(n)]; feed(np.array(rows, np.int32), I, None, 3)": "[?, 2], which",
    "rows = [(1, 2)]; rows.extend([(i, i) for i in range(n)]); feed(np.array(rows, np.int32), I, None, 3)": "[?, 2], w",
    "feed(np.stack([rng.random(3) for _ in range(n)]), F, None, 3)": "an array of float64 is not float32",
    "feed([rng.random(3), rng.random(3)], F, 2, 3)": "a list of arrays of float64 is not float32; convert it with np",
    f"{ITERTOOLS}feed(np.array(list(itertools.accumulate(rows))), F, None)": "float64 is not float32",
    f"{ITERTOOLS}feed(np.array(list(itertools.chain(rows, [0.5], rows))), F, None)": "float64 is not float32",
    f"{ITERTOOLS}feed(np.array(list(itertools.islice(rows, 2))), F, None)": "float64 is not float32",
    f"{ITERTOOLS}feed(np.array(list(itertools.pairwise(rows))), D, None, 3)": "has shape [?, 2], which",
    "feed(np.stack([rng.random(3) for _ in range(n)]), D, None, 4)": "has shape [?, 3], which does not fit [?, 4]",
    "feed(np.zeros((n, 4))[list(np.random.permutation(n))], D, None, 3)": "has shape [?, 4], which does not fit [?, 3]",
    "feed(np.stack([row for _, row in enumerate(b)]), D, None, 4)": "has shape [?, 3], which does not fit [?, 4]",
    "for row, i in zip(b, rng.permutation(n)): feed(row, D, 4)": "has shape [3], which does not fit [4]",
    "feed(np.concatenate([rng.random(int(rng.integers(1, 4))) for _ in range(n)]), D, None, 1)": "has shape [?], which",
}
"""Programs, and what is refused in them."""


@pytest.mark.parametrize("statements", RIGHT)
def test_a_right_program_is_not_refused(statements: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(statements, dict(names))
    assert differences(tmp_path, UNSIZED + statements) == []


@pytest.mark.parametrize("statement", WRONG)
def test_an_array_of_another_type_or_rank_is_refused(statement: str, tmp_path: Path) -> None:
    assert WRONG[statement] in differences(tmp_path, UNSIZED + statement)[0]
