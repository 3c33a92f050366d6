"""Objects that the program's code, which is not followed, may have changed: what it assigns nowhere stays known."""

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
class Player:
    def __init__(self, session):
        self.session, self.n, self.sizes, self.other = session, 5, [5], [8]
        self.done, self.best, self.rows, self.made = False, None, [], right
    def act(self):
        self.step()
        return unknown.flag
    def step(self):
        self.done = True
        self.rows.append(right)
        self.made = wrong
    def keep(self, other):
        other.append(3)
    def learn(self, array):
        self.session.run(y, {x: array})
    def loss(self, weights):
        value, rest = self.session.run([y, y], {x: right})
        rest = rest + weights
        self.done = True
        return float(np.mean(value)), rest.ravel().astype(np.float64), [self.n * 2, weights]
player = Player(session)
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
)
WRONG: Final = {
    "a method in an unknown loop": """
done = False
while not done:
    done = player.act()
player.session.run(y, {x: wrong})  # E: does not fit
""",
    "a method in an unknown branch": """
if unknown.flag:
    player.act()
player.session.run(y, {x: np.ones((player.n, 8))})  # E: array of float64
""",
    "a method of what a loop binds": """
for each in [player, Player(session)]:
    while unknown.flag:
        each.act()
player.session.run(y, {x: np.ones((player.n, 8))})  # E: array of float64
""",
    "a part of an object that is passed to unknown code": """
while unknown.flag:
    unknown.show(player.sizes)
player.session.run(y, {x: wrong})  # E: does not fit
""",
    "a method that unknown code calls": """
unknown.minimize(player.loss)
player.session.run(y, {x: np.ones((player.n, 8))})  # E: array of float64
""",
    "a function that unknown code calls": """
def train(some):
    def loss(weights):
        return some.loss(weights)[0] if weights else 0.0
    def gradient(weights):
        show = lambda value: some
        return np.concatenate([weights, some.loss(weights)[1]])
    unknown.minimize({"loss": gradient}, callback=lambda weights: print(some.n))
    player.session.run(y, {x: np.ones((some.n, 8))})  # E: array of float64
train(player)
""",
}
RIGHT: Final = {
    "what its methods assign": """
while unknown.flag:
    player.act()
five(4 if player.done else 5)
player.learn(player.made)
player.best = player.rows[0] if player.rows else None
""",
    "what its methods change": """
if unknown.flag:
    player.act()
five(len(player.rows) + 4)
""",
    "what a method changes that is passed on": """
if unknown.flag:
    player.keep(player.other)
five(len(player.other) + 3)
""",
    "what other code assigns": """
def reset(some):
    some.n = 5
player.n = 4
if unknown.flag:
    player.act()
    reset(player)
five(player.n)
""",
    "attributes whose names only a run knows": """
def restore(some, state):
    for name, value in state.items():
        setattr(some, name, value)
player.n = 4
if unknown.flag:
    restore(player, {"n": 5})
five(player.n)
""",
    "an object that is passed to unknown code": """
player.n = 4
if unknown.flag:
    unknown.change(player)
five(player.n)
""",
    "what a method assigns that unknown code calls": """
def five_later(some):
    five(5 if some.done else 4)
unknown.minimize(player.loss)
five_later(player)
""",
    "objects that functions give to unknown code": """
class Box:
    def __init__(self):
        self.n = 4
    def get(self):
        return self
    def get_first(self):
        both = self, 5
        return both[0]
    def yielded(self):
        yield self
    def found(self):
        for each in [self]:
            found = each
        return found
    def listed(self):
        found = []
        found.append(self)
        return found
boxes = [Box() for _ in range(8)]
a, b, c, d, e, f, g, h = boxes
unknown.change(a.get, b.get_first, c.yielded, d.found, h.listed, lambda: e, lambda: f.get(), lambda: {"box": g})
for box in boxes:
    five(box.n)
""",
    "an object whose method unknown code may call": """
class Holder:
    count = []
    def __init__(self):
        self.n = 4
    def grow(self):
        Holder.count.append(1)
holder = Holder()
if unknown.flag:
    holder.grow()
five(len(Holder.count) + 4)
""",
    "operators that change": """
class Sum:
    total = [4]
    def __add__(self, n):
        self.total.append(n)
        return self
class Owner:
    def __init__(self):
        self.sum = Sum()
    def add(self):
        return self.sum + 5
owner = Owner()
while unknown.flag:
    owner.add()
five(Sum.total[-1])
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_assigned_nowhere_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_what_may_have_changed_is_not(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
