"""Right programs in which something is uncertain: what code that may run has changed, and what depends on values.

`five(n)` is right for 5 alone, and `bad()` is always wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import functools, os, sys
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
def bad(n=4):
    return five(n)
flag = unknown.flag
session = tg.Session(scope.graph)
rng = np.random.default_rng(0)
"""

PROGRAMS: Final = {
    "integers of NumPy": """
labels = rng.integers(0, 5, 200)
five(labels.max() + 1)
five(np.random.choice([5, 5]))
five(len(range(labels.max())))
five(session.run(core.Shape.create(scope, x), {x: np.zeros((2, 8), np.float32)})[0])
""",
    "sizes of what values choose": """
labels = rng.integers(0, 9, 200)
five(len(labels[labels > 2]))
five(len(np.unique(labels)))
five(np.where(labels > 2)[0].size)
five(int((labels > 2).sum()))
""",
    "numbers that are compared": """
losses = [float(rng.normal()) for _ in range(6)]
five(5 if losses.index(min(losses)) == 1 else 5)
five(4 if sorted(losses) == losses or sum(losses) == 1.0 or losses[0].is_integer() else 5)
1 / (losses[0] - losses[1])
""",
    "values as keys": """
labels = rng.integers(0, 5, 4)
seen = {labels[0], labels[1]}
five(len(seen))
counts = {unknown.a: 1, unknown.b: 2}
five(len(counts))
""",
    "a run that may fail": """
try:
    session.restore("none.safetensors")
    n = 4
except (OSError, tg.CheckpointError):
    n = 5
five(n)
try:
    session.run(x, {x: np.zeros((2, 8), np.float32)})
except tg.TypegradError:
    pass
else:
    bad()
""",
    "an unpacking that may fail": """
pair = unknown.pair
try:
    rows, columns = pair
    n = 4
except ValueError:
    n = 5
five(n)
""",
    "an array that is written in one of two values": """
a = np.full(1, 4)
b = np.add(a, 1, out=a) if flag else a
five(int(a[0]))
a = np.full(1, 4)
b = flag and np.add(a, 1, out=a)
five(int(a[0]))
a = np.full(1, 4)
b = a.fill(5) if flag else 1
five(int(a[0]))
""",
    "an import that may fail": """
try:
    import unknown_backend as backend
    n = 4
except ImportError:
    backend, n = None, 5
five(n)
""",
    "a manager that catches errors": """
class Expected:
    def __init__(self, kind):
        self.kind = kind
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.kind)
with Expected(tg.ShapeError):
    bad()
""",
    "what threads and libraries call": """
import threading
done, total = [], 4
def work(n):
    global total
    done.append(n)
    total = n
thread = threading.Thread(target=work, args=(5,))
thread.start()
thread.join()
five(done[0])
five(total)
box = []
threading.Timer(0.1, box.append, (5,)).start()
five(box[0])
""",
    "callbacks of the training loop": """
from typegrad.training import fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import Adam
w = tg.Variable.create(scope, np.zeros((8, 1), np.float32))
step = Adam(scope.graph, 0.1).minimize(math.Mean.create(scope, x @ w))
seen = []
fit(session, step, Dataset.from_arrays(np.zeros((8, 8), np.float32)).batch(4), (x,), epochs=5, after_epoch=seen.append)
five(len(seen))
import functools
import heapq
queue, times = [4], 4
def push(queue, progress):
    global times
    times += 1
    heapq.heappush(queue, times)
    setattr(Sizes, "m", Sizes.m + 1)
class Sizes:
    n = m = 4
sizes = Sizes()
fit(session, step, Dataset.from_arrays(np.zeros((8, 8), np.float32)).batch(4), (x,), epochs=5,
    after_step=functools.partial(push, queue))
five(times)
five(queue[-1])
five(Sizes.m)
later = [4]
if unknown.flag:
    heapq.heappush(later, 1)
five(later[0] + 1)
def change(progress):
    if progress.epoch == 3:
        sizes.n = 5
last = fit(session, step, Dataset.from_arrays(np.zeros((8, 8), np.float32)).batch(4), (x,), epochs=5, after_step=change)
five(sizes.n)
five(last.step)
class Best:
    epoch = 0
best, counts, last, total = Best(), {"all": 4}, [4], 4
def count():
    global total
    total += 1
def main():
    number = 4
    def after(progress):
        nonlocal number
        number += 1
        best.epoch += 1
        counts["all"] += 1
        last[0] += 1
        count()
    data = Dataset.from_arrays(np.zeros((8, 8), np.float32)).batch(4)
    fit(session, step, data, (x,), epochs=5, after_epoch=after)
    five(number)
main()
five(best.epoch + 4)
five(counts["all"])
five(last[0])
five(total)
""",
    "attributes by other names": """
class Options:
    def __init__(self, **options):
        self.n = 4
        self.__dict__.update(options)
five(Options(n=5).n)
class Strict:
    def __setattr__(self, name, value):
        super().__setattr__(name, value)
strict = Strict()
strict.n = 5
strict.n
setattr(strict, unknown.name, 4)
five(strict.n)
""",
    "properties with setters": """
class Layer:
    def __init__(self):
        self._n = 4
    @property
    def n(self):
        return self._n
    @n.setter
    def n(self, value):
        self._n = value
layer = Layer()
layer.n = 5
five(layer.n)
""",
    "the program's own names by texts": """
n = 4
globals().update(n=5)
five(n)
""",
    "the end of the program": """
def guard():
    sys.exit(0)
guard()
bad()
""",
    "options that the parser refuses": """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int, required=True)
try:
    parser.parse_args(["--n", "x"])
except SystemExit:
    pass
else:
    bad()
five(parser.parse_args().n)
""",
    "what a text of an object does": """
class Noisy:
    def __repr__(self):
        global n
        n = 5
        return "noisy"
n = 4
print(Noisy())
five(n)
""",
    "a return in another statement": """
def width():
    try:
        return int(os.environ["WIDTH"])
    except KeyError:
        return 5
def first(items):
    for item in items:
        if flag:
            return item
five(width())
five(4 if first([1, 2]) is None else 5)
""",
    "a pass that may end early": """
def build(target):
    if target == unknown.size:
        return x
    return five(target)
build(4)
layers = []
for n in (4, 5):
    if n == unknown.size:
        continue
    layers.append(n)
    five(n)
five(len(layers) + 3)
""",
    "a generator that may end early": """
def sizes():
    yield 5
    if flag:
        return
    yield 4
for n in sizes():
    five(n)
""",
    "an error under a condition": """
n = 5
try:
    if flag:
        raise ValueError
    n = 4
except ValueError:
    pass
five(n)
""",
    "errors of unknown values": """
def fails(use):
    try:
        use()
        bad()
    except (TypeError, ValueError):
        pass
def tests(array):
    if array:
        pass
fails(lambda: -unknown)
fails(lambda: unknown < 3)
fails(lambda: tests(rng.integers(0, 9, 20)[rng.random(20) > 0.5]))
""",
    "expressions that are not evaluated": """
done = []
def add(n):
    done.append(n)
    return n
flag and add(5)
add(5) if flag else add(4)
[add(n) for n in range(3) if flag]
list(map(done.append, unknown.items))
five(done[-1])
""",
    "aliases in a branch": """
rows = [[4], [4]]
options = {"a": {"n": 4}}
if flag:
    for row in rows:
        row.append(5)
    inner = options["a"]
    inner["n"] = 5
five(rows[0][-1])
five(options["a"]["n"])
""",
    "aliases that are passed on in a branch": """
class Rows:
    def __init__(self):
        self.sizes, self.other, self.session = [[4], [4]], [[4]], session
    def grow(self, row):
        row.append(5)
    def run(self):
        for other in self.other if flag else []:
            print(other)
            self.grow(other)
        if flag:
            for row in self.sizes:
                self.session.run(x, {x: np.zeros((len(row), 8), np.float32)})
                list.append(row, 5)
rows = Rows()
rows.run()
five(rows.sizes[0][-1])
five(rows.other[0][-1])
""",
    "views of an array": """
sizes = np.full(6, 4)
view, other = sizes[:], sizes[:2]
view[0] = unknown.size
five(int(other[0]))
result = np.zeros(3)
np.add(rng.integers(5, 6, 3), 0, result)
five(int(result[0]))
""",
    "validators of records": """
import attrs
@attrs.define
class Config:
    n: int = attrs.field(default=4, converter=lambda n: n + 1)
    m: int = attrs.field(default=4, validator=attrs.validators.gt(0))
    k: int = 4
five(Config().n)
""",
    "functions with a setting before": """
config = {"n": 4}
def plan():
    return five(config["n"])
def main():
    config["n"] = 5
    plan()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + PROGRAMS[name])
