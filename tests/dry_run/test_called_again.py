"""What is known behind functions that are called any number of times, such as callbacks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from dataclasses import dataclass, field
from typegrad.training import fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import Adam
w = tg.Variable.create(scope, np.zeros((8, 1), np.float32))
loss = math.Mean.create(scope, x @ w)
step = Adam(scope.graph, 0.1).minimize(loss)
rows = np.zeros((9, 8), np.float32)
data = Dataset.from_arrays(rows).batch(3)
session = tg.Session(scope.graph)
def trained(after):
    fit(session, step, data, (x,), epochs=5, after_epoch=after)
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
STOPPING: Final = """
@dataclass
class Stopping:
    saver: object
    feeds: object
    best: object = None
    losses: list = field(default_factory=list)
    def __call__(self, progress):
        self.losses.append(session.run(loss, self.feeds))
        if len(self.losses) > 2:
            self.best = np.zeros(5)
        return len(self.losses) > 3
"""

WRONG: Final = {
    "feeds behind an object": """
rest = {x: rows[0]}
trained(Stopping(unknown.saver, {x: rows}))
session.run(loss, rest)  # E: has shape [8], which does not fit [Batch, 8]
""",
    "feeds that it holds": """
feeds = {x: rows[0]}
def after(progress):
    return len(feeds)
trained(after)
trained(Stopping(unknown.saver, {x: rows}))
session.run(loss, feeds)  # E: has shape [8], which does not fit [Batch, 8]
""",
    "the loop itself": """
stopping = Stopping(unknown.saver, {x: rows})
fit(session, step, data, (x, x), epochs=5, after_epoch=stopping)  # E: is fed to 2 operands
""",
    "the loop with a function of which nothing is known": """
fit(session, step, data.map(lambda row: row[:, :5]), (x,), epochs=5, after_epoch=unknown.after)  # E: has shape [3, 5]
""",
}
RIGHT: Final = {
    "an attribute of an object": """
stopping = Stopping(unknown.saver, {x: rows})
trained(stopping)
stopping.best @ np.zeros((5, 2))
""",
    "lists that later calls change": """
losses, sizes = [], [4]
def after(progress):
    losses.append(1)
    if len(losses) > 1:
        grow(sizes)
def grow(items):
    items.append(5)
trained(after)
five(sizes[-1])
""",
    "names that later calls assign": """
losses, size = [], 4
def after(progress):
    losses.append(1)
    if len(losses) > 1:
        grow()
def grow():
    global size
    size = 5
trained(after)
five(size)
""",
    "objects that later calls change": """
class Best:
    size = 4
    def update(self, size):
        self.size = size
@dataclass
class After:
    best: Best
    feeds: dict
    count: int = 0
    def __call__(self, progress):
        self.count += 1
        if self.count > 1:
            self.best.update(5)
            self.feeds[x] = rows
feeds, best = {}, Best()
trained(After(best, feeds))
five(best.size)
session.run(loss, feeds)
""",
    "attributes that there are none of at first": """
class After:
    def __init__(self):
        self.losses = []
    def __call__(self, progress):
        self.losses.append(1)
        if len(self.losses) > 1:
            self.last = 8
after = After()
trained(after)
x @ np.zeros((after.last, 2), np.float32)
""",
    "a training that stops": """
def after(progress):
    losses.append(1)
    return len(losses) > 1
y = core.Placeholder.create(scope, tg.TFloat32, (4, 8))
step, losses = Adam(scope.graph, 0.1).minimize(math.Mean.create(scope, y @ w)), []
fit(session, step, Dataset.from_arrays(rows).batch(4), (y,), epochs=5, after_step=after)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + STOPPING + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_not(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + STOPPING + RIGHT[name])
