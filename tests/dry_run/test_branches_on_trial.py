"""Branches of unknown conditions: what is certain in them is told."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences
from dry_run.preludes import BRANCHES

WRONG: Final = {
    "a chance": """
def augmented(array, rate):
    mask = rng.random(2) < rate
    if mask.any():
        return array @ np.ones((5, 3))  # E: matmul
augmented(right, 0.5)
""",
    "an integer of several": """
def cropped(array, most):
    top = random.randint(0, most)
    if top > 0:
        return array @ np.ones((5, 3))  # E: matmul
cropped(right, 2)
""",
    "what has been changed since it was drawn": """
drawn = rng.random(3)
drawn += 1
if drawn.max() > 1:
    right @ np.ones((5, 3))  # E: matmul
""",
    "a feed": """
if rng.random() < 0.5:
    session.run(y, {x: wrong})  # E: does not fit
""",
    "a feed in a function that the branch calls": """
def shown(array):
    session.run(y, {x: array})  # E: does not fit
if unknown.flag:
    shown(wrong)
""",
    "the other branch": """
if a[0, 0] < 0.5:
    print(a)
else:
    show(wrong[:, :1].repeat(8, axis=1).T @ np.ones((5, 8)))  # E: matmul
""",
    "a branch of several": """
if rng.random() < 0.5:
    print(a)
elif rng.random() < 0.2:
    session.run(y, {x: np.ones(8)})  # E: array of float64
""",
    "products of arrays behind a pass that may end": """
for _ in range(unknown.steps):
    if not mask.any():
        continue
    n = len([x, y]) + 3
    np.ones((6, 4)) @ np.ones((n, 4))  # E: matmul
""",
    "arrays": """
inside = a[:, 0] > 0.0
if inside.any():
    print(a + np.ones((10, 2)))  # E: could not be broadcast
""",
    "a mask of another size": """
inside = a[:, 0] > 0.0
if inside.any():
    print(np.ones(4)[inside])  # E: boolean index did not match
""",
    "a mask and an axis too many": """
inside = a[:, 0] > 0.0
for k in range(3):
    if inside.any():
        print(np.ones(10)[:, inside])  # E: too many indices
""",
    "an operation": """
if unknown.flag:
    z = x @ np.zeros((7, 2), np.float32)  # E: inner dimensions differ
""",
    "a graph of its own": """
def build():
    inner = tg.Scope(tg.Graph())
    p = core.Placeholder.create(inner, F, (3,))
    with tg.Session(inner.graph) as own:
        own.run(p, {p: np.zeros(4, np.float32)})  # E: does not fit
if unknown.flag:
    build()
""",
    "in a loop over what is known": """
for array in [right, right]:
    if rng.random() < 0.3:
        session.run(y, {x: array.T})  # E: does not fit
""",
    "in a loop of unknown length": """
position = 0
for _ in range(unknown.n):
    if rng.random() < 0.3:
        session.run(y, {x: np.eye(7)[position][None]})  # E: array of float64
    position = (position + 1) % 7
""",
    "in a method of an object that changes": """
class Agent:
    def __init__(self):
        self.session, self.steps, self.epsilon = session, 0, 0.1
    def act(self, state):
        self.steps += 1
        if rng.random() < self.epsilon:
            return 0
        else:
            return self.session.run(y, {x: state}).argmax()  # E: has shape [8]
agent = Agent()
for _ in range(3):
    agent.act(np.ones(8, np.float32))
""",
    "a buffer that is long enough": """
from collections import deque
buffer = deque(maxlen=100)
for step in range(50):
    buffer.append((rng.random(8).astype(np.float32), 1.0))
    if len(buffer) >= 32:
        states, rewards = zip(*random.sample(list(buffer), 16))
        session.run(y, {x: np.array(rewards, np.float32)})  # E: has shape
""",
    "arrays that are filled": """
class Replay:
    def __init__(self):
        self.state, self.reward, self.size = np.zeros((100, 8), np.float32), np.zeros(100, np.float32), 0
    def push(self, state, reward):
        self.state[self.size % 100], self.reward[self.size % 100] = state, reward
        self.size += 1
    def sample(self, n):
        rows = rng.integers(0, self.size, n)
        return self.state[rows], self.reward[rows]
replay = Replay()
for step in range(50):
    replay.push(rng.random(8), 1.0)
    if replay.size >= unknown.least:
        states, rewards = replay.sample(16)
        session.run(y, {x: states})
        session.run(y, {x: rewards})  # E: has shape [16]
""",
    "within another branch": """
if unknown.flag:
    if unknown.other:
        session.run(y, {x: wrong})  # E: does not fit
""",
    "behind a part of the condition that is true": """
if unknown.flag and right.ndim == 2:
    session.run(y, {x: wrong})  # E: does not fit
""",
    "what comes behind a return": """
def evaluate(array):
    if unknown.flag:
        return None
    array = array * 2
    return session.run(y, {x: array})  # E: does not fit
evaluate(wrong)
""",
    "what comes behind the end of a pass": """
for _ in range(3):
    loss = float(rng.random())
    if loss < 0.5:
        continue
    session.run(y, {x: wrong})  # E: does not fit
""",
    "before the loop is left": """
while True:
    loss = float(rng.random())
    if loss < 0.1:
        session.run(y, {x: wrong})  # E: does not fit
        break
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_certain_in_a_branch_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, BRANCHES + WRONG[name])
