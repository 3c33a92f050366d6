"""Branches of unknown conditions: what depends on the program's state is not told."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER, differences, errors
from dry_run.preludes import BRANCHES

RIGHT: Final = {
    "what a branch does is undone": """
rows, table, made = [], {"n": 8}, set()
class Counter:
    n = 8
counter = Counter()
n = 8
if unknown.flag:
    n = 7
    z = x @ np.zeros((8, 2), np.float32)
    if unknown.other:
        show(right)
x @ np.zeros((len(rows) + 8, 2), np.float32)
x @ np.zeros((table["n"], 2), np.float32)
x @ np.zeros((counter.n, 2), np.float32)
core.Placeholder.create(scope.with_name("z"), F, ())
""",
    "the best so far": """
best, best_loss = None, float("inf")
w = tg.Variable.create(scope, np.zeros(3, np.float32))
for epoch in range(5):
    loss = float(rng.random())
    if loss < best_loss:
        best, best_loss = session.value(w), loss
    else:
        session.assign(w, best)
""",
    "the best so far in an object": """
w = tg.Variable.create(scope, np.zeros(3, np.float32))
class Best:
    def __init__(self):
        self.value, self.loss = np.zeros((0,), np.float32), 1e9
    def update(self, loss):
        if loss < self.loss:
            self.value, self.loss = session.value(w), loss
        else:
            session.assign(w, self.value)
best = Best()
best.update(float(rng.random()))
best.update(float(rng.random()))
""",
    "the best so far in a dict": """
w = tg.Variable.create(scope, np.zeros(3, np.float32))
best = {"loss": 1e9, "value": np.zeros(1, np.float32)}
def update(loss):
    if loss < best["loss"]:
        best["value"], best["loss"] = session.value(w), loss
    else:
        session.assign(w, best["value"])
update(float(rng.random()))
update(float(rng.random()))
""",
    "the best so far in a global name": """
w = tg.Variable.create(scope, np.zeros(3, np.float32))
best_loss, best = 1e9, np.zeros(2, np.float32)
def update(loss):
    global best_loss, best
    if loss < best_loss:
        best_loss, best = loss, np.zeros(3, np.float32)
    else:
        session.assign(w, best)
update(float(rng.random()))
update(float(rng.random()))
""",
    "the last layer of some": """
h, n = right, int(rng.integers(1, 4))
for i in range(n):
    h = h @ np.ones((h.shape[1], 16), np.float32)
    if i == n - 1:
        h = h @ np.ones((16, 2), np.float32)
last = np.ones((8, 2), np.float32)
h = right
for i in range(unknown.n):
    if i == unknown.n - 1:
        h = h @ np.ones((16, 2), np.float32)
    else:
        h = h @ np.ones((h.shape[-1], 16), np.float32)
""",
    "a flag for each of several arrays": """
for array in [np.ones((2, 3)), np.ones((2, 3, 4))]:
    if unknown.is_image(array):
        print(array.mean(axis=2))
for name, array in {"a": np.ones((2, 3)), "b": np.ones((2, 3, 4))}.items():
    if unknown.flags[name]:
        print(array.mean(axis=2))
""",
    "what an unknown function tells of an array": """
def mean(array):
    if unknown.is_image(array):
        return array.mean(axis=2)
    return array.mean(axis=1)
mean(np.ones((2, 3)))
if unknown.is_sparse(right):
    right = right.toarray()
""",
    "objects that were passed to unknown code": """
@dataclass
class Config:
    kind: str = "dense"
    sizes: list = field(default_factory=lambda: [4, 8])
config = Config()
sizes = [4, 8]
unknown.log(config, sizes)
if config.kind == "image":
    print(right.mean(axis=2))
if len(sizes) == 3:
    print(right.mean(axis=2))
""",
    "sizes and numbers that are compared": """
def block(array, width):
    if array.shape[-1] != width:
        return array
    return array + np.ones(4)
block(right, unknown.width)
if len(right) == unknown.rows or x.shape[1] == unknown.width:
    print(right + np.ones((5, 8)), x @ np.ones((7, 2), np.float32))
def padded(array, size):
    if size > unknown.size:
        return array
    return array @ np.ones((size, 2))
padded(right, 7)
""",
    "parts that are known": """
if unknown.flag and right.ndim == 3:
    print(right.mean(axis=2))
if not (unknown.flag or right.ndim == 2):
    print(right.mean(axis=2))
if right.ndim == 3 and unknown.flag:
    print(right.mean(axis=2))
""",
    "an error that is caught": """
import contextlib
try:
    if unknown.flag:
        show(wrong)
except tg.FeedError:
    print("no")
with contextlib.suppress(tg.FeedError):
    if unknown.flag:
        show(wrong)
if unknown.flag:
    try:
        show(wrong)
    except tg.FeedError:
        print("no")
""",
    "an error of the program": """
if unknown.flag:
    raise ValueError("flag")
if unknown.flag:
    sys.exit(1)
if unknown.flag:
    assert right.shape == (2, 2)
    show(wrong)
""",
    "versions and platforms": """
if sys.version_info >= (3, 13):
    np.new_function(right)
if np.__version__ > unknown.version:
    print(np.lib.no_such_name)
""",
    "a loop that grows an array": """
points = np.zeros((0, 2))
for _ in range(unknown.n):
    if rng.random() < 0.5 and len(points) > 2:
        print(points[0] + np.ones(2))
    points = np.concatenate([points, rng.random((1, 2))])
""",
    "a return where there is nothing yet": """
class History:
    def __init__(self):
        self.rows = []
    def last(self):
        if not unknown.is_ready(self):
            return None
        return self.rows[-1] + np.ones(2)
    def mean(self):
        if len(self.rows) < unknown.least:
            return 0.0
        return np.stack(self.rows).mean(axis=1)
    def add(self, row):
        self.rows.append(row)
history = History()
history.last(), history.mean()
history.add(np.ones(2))
history.last(), history.mean()
""",
    "names of other functions": """
count = 8
def grow():
    if unknown.flag:
        global count
        count = 7
        show(right)
    total = 8
    def inner():
        if unknown.flag:
            nonlocal total
            total = 7
            show(right)
    inner()
    if count == total:
        return x @ np.zeros((8, 2), np.float32)
grow()
def last():
    if unknown.flag:
        return None
    global count
    count = 8
    return x @ np.zeros((count, 2), np.float32)
last()
""",
    "arrays that get other shapes": """
class Grown:
    def __init__(self):
        self.a, self.b, self.c = np.zeros((4, 7), np.float32), np.zeros((4, 7)), np.zeros((4, 7))
    def grow(self):
        self.a.resize((4, 8), refcheck=False)
        self.b = np.zeros((4, 8))
        self.c.shape = (7, 4)
    def look(self):
        if unknown.is_grown:
            return session.run(y, {x: self.a}), self.b + np.ones((4, 8)), self.c + np.ones((7, 4))
grown = Grown()
grown.look()
grown.grow()
grown.look()
""",
    "a chance that is none": """
RATES = {"train": 0.5, "test": 0.0}
def augmented(array, rate, extra):
    if random.random() < rate:
        array = array @ np.ones((extra, 3))
    if random.random() < RATES["test"]:
        array = array + np.zeros(5)
    return array
augmented(right, 0.0, 0)
""",
    "what is drawn, where only one number may be": """
rng = np.random.default_rng()
def augmented(array, rate, most):
    flip, mask, kept = rng.random() < rate, rng.random(2) < rate, np.random.rand(90, 90) >= rate
    if flip or mask.any() or not kept.all() or rng.random() > 1 - rate:
        array = array @ np.ones((5, 3))
    if rng.binomial(1, rate) or rng.poisson(rate) or rng.choice([False, True], p=[1 - rate, rate]):
        array = array @ np.ones((5, 3))
    if random.choices([False, True], weights=[1 - rate, rate])[0] or random.choices([0, 1], cum_weights=[1, 1])[0]:
        array = array @ np.ones((5, 3))
    if rng.integers(most + 1) or random.randint(-most, most) or int(random.random() * (most + 1)):
        array = array @ np.ones((5, 3))
    if np.abs(rng.normal(0, most, 3)).max() > 0 or random.gauss(0, most) or abs(rng.uniform(-most, most)) > 0:
        array = array @ np.ones((5, 3))
    if random.randrange(100) >= 100 or random.getrandbits(3) == 8 or rng.geometric(1 - rate) != 1:
        array = array @ np.ones((5, 3))
    return array
augmented(right, 0.0, 0)
""",
    "a chance that is none in each pass": """
for step in range(300):
    rate = 0.0 * (1 - step / 300)
    if random.random() < rate:
        right @ np.ones((5, 3))
for rate in np.zeros(300):
    if random.random() < rate:
        right @ np.ones((5, 3))
""",
    "what a branch changes besides lists": """
import collections
groups, chain = collections.defaultdict(list), collections.ChainMap({}, {"a": 1})
if unknown.flag:
    groups["a"], chain.get("b")
    chain["b"] = 2
    sys.exit(1)
x @ np.zeros((8 + len(groups), 2), np.float32)
x @ np.zeros((7 + len(chain), 2), np.float32)
""",
    "state of another name": """
LOG = []
class Holder:
    def __init__(self, n):
        self.n, self.rows, self.log = n, [[1], [2]], LOG
    def grow(self):
        for row in self.rows:
            row.append(3)
        append = self.log.append
        append(1)
        self.__init__(8)
    def look(self):
        if unknown.is_grown:
            show(np.ones((2, self.n), np.float32))
            show(np.ones((2, 6 + len(self.rows[0])), np.float32))
            show(np.ones((2, 7 + len(self.log)), np.float32))
holder = Holder(7)
holder.look()
holder.grow()
holder.look()
""",
    "state of functions around": """
def made():
    size = 7
    def grow():
        nonlocal size
        size = 8
    def get():
        return size
    return grow, get
grow, get = made()
width = 7
def look():
    if unknown.is_grown:
        show(np.ones((2, get()), np.float32))
        show(np.ones((2, width), np.float32))
look()
grow()
width = 8
look()
""",
    "what Python keeps of objects": """
class Short:
    n = 7
class Long(Short):
    n = 8
def width(n=8):
    return n
def change(function, made):
    function.__defaults__, made.__class__ = (7,), Short
def main(made):
    if unknown.flag:
        change(width, made)
        sys.exit(1)
    show(np.ones((2, width()), np.float32))
    show(np.ones((2, made.n), np.float32))
main(Long())
""",
    "lists and names that functions read": """
import functools
WIDTHS, known, total = [7], {"width": 7}, 7
@functools.lru_cache
def remembered():
    return WIDTHS[0]
class Reader:
    @functools.lru_cache
    def width(self):
        return WIDTHS[0]
def last():
    return WIDTHS[0]
def look(reader):
    if unknown.is_grown:
        show(np.ones((2, last()), np.float32))
        show(np.ones((2, remembered()), np.float32))
        show(np.ones((2, reader.width()), np.float32))
    if unknown.is_known:
        show(np.ones((2, known["width"]), np.float32))
        show(np.ones((2, total), np.float32))
reader = Reader()
last(), remembered(), reader.width()
look(reader)
WIDTHS.insert(0, 8)
remembered.cache_clear(), Reader.width.cache_clear()
known.__setitem__("width", 8)
globals().update(total=8)
look(reader)
""",
    "what a function remembers of a branch": """
import functools
WIDTHS = [8]
@functools.cache
def width():
    return WIDTHS[0]
if unknown.flag:
    WIDTHS[0] = 7
    width()
    sys.exit(1)
show(np.ones((2, width()), np.float32))
""",
    "an attribute that each new object changes": """
class Counted:
    width = 7
    def __init__(self):
        Counted.width = 8
    def again(self):
        type(self)()
counted = Counted.__new__(Counted)
if unknown.flag:
    counted.again()
show(np.ones((2, Counted.width), np.float32))
""",
    "a closed session": """
other = tg.Session(scope.graph)
if unknown.flag:
    other.close()
other.run(y, {x: right})
""",
    "an iterator": """
steps = iter([np.zeros((8, 2), np.float32)] * 3)
if unknown.flag:
    for each in steps:
        print(each)
    next(steps)
""",
    "a variable without a value": """
late = tg.Session(scope.graph, auto_init=False)
v = tg.Variable.create(scope, np.zeros(3, np.float32))
def value():
    if unknown.is_initialized:
        return late.run(v)
    return None
value()
late.initialize()
""",
    "a scope in which nothing is made": """
with scope.with_sub_scope("a") as inner:
    if unknown.flag:
        with inner.with_sub_scope("b"):
            print(right)
""",
    "a cached property": """
from functools import cached_property
class Model:
    @cached_property
    def out(self):
        return x * 3.0
model = Model()
if unknown.flag:
    print(model.out)
session.run(model.out + 1.0, {x: right})
""",
    "a variable of the same name": """
if unknown.flag:
    w = tg.Variable.create(scope.with_name("w"), np.zeros(3, np.float32))
    session.run(w)
else:
    w = tg.Variable.create(scope.with_name("w"), np.zeros(3))
    session.run(w)
session.restore("file")
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, BRANCHES + RIGHT[name])


def test_nor_what_depends_on_the_state_of_another_module(tmp_path: Path) -> None:
    other = "WIDTHS, width = [7], 7\ndef get():\n    return WIDTHS[0], width\n"
    other += "def grow():\n    global width\n    width = WIDTHS[0] = 8\n"
    program = """
import widths
def look():
    if unknown.is_grown:
        show(np.ones((2, widths.get()[0]), np.float32))
    if unknown.is_known:
        show(np.ones((2, widths.get()[1]), np.float32))
look()
widths.grow()
look()
"""
    assert not errors(tmp_path, {"program": HEADER + BRANCHES + program, "widths": other})
