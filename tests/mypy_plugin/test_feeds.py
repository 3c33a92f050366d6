"""Feeds of `session.run`: they are checked wherever the dict is written, and must agree about named dimensions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import check

SOURCE: Final = """\
from __future__ import annotations
from typing import Any, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
rng = np.random.default_rng(0)
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 3))
ids = core.Placeholder.create(scope, tg.TInt32, shape=(Batch,))
rate = core.Placeholder.create(scope, tg.TFloat32, shape=())
v = tg.Variable.create(scope, np.zeros((2, 4), np.float32))
n = tg.Variable.create(scope, np.zeros(2, np.int32))
data, labels = np.ones((2, 4), np.float32), np.zeros(2, np.int32)
good = {x: np.ones((2, 3), np.float32), ids: np.zeros(2, np.int32)}
mixed = {x: np.ones((2, 3), np.float32), rate: 0.1}
wrong = {x: np.ones((2, 4), np.float32), ids: labels}  # run: the feed of x has shape [2, 4], which does not fit [Batch, 3]
two = {x: np.ones((2, 3), np.float32), ids: np.zeros(3, np.int32)}  # run: dimension Batch is 2 in the feed of x, but 3 in the feed of ids
double = {x: np.ones((2, 3)), ids: labels}  # run: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)
changed = {x: np.ones((2, 4), np.float32), ids: labels}
changed[x] = np.ones((2, 3), np.float32)
again = {x: np.ones((2, 4), np.float32), ids: labels}
again = {x: np.ones((2, 3), np.float32), ids: labels}
table, picked = rng.normal(0, 1, (9, 3)), np.stack(np.meshgrid(labels, labels))
rebound = np.ones((2, 4), np.float32)
rebound = rebound[:, :3]
def swapped(given: Any) -> None:
    session.run(x, {given: x})  # Session.run(): feeds maps operands to values, but the value for given is an operand
class Trainer:
    def __init__(self) -> None:
        self.session = tg.Session(scope.graph)
        self.feeds = {x: np.ones((2, 5), np.float32), ids: labels}  # run: the feed of x has shape [2, 5], which does not fit [Batch, 3]
        self.changed = {x: data, ids: labels}
    def step(self) -> None:
        self.session.run(x, self.feeds)
    def other(self) -> None:
        self.changed[x] = data[:, 1:]
        self.session.run(x, self.changed)
with tg.Session(scope.graph) as session:
    session.run(x, good)
    session.run([x, ids], feed_dict=good)
    session.run(x, mixed)
    session.run(x, wrong)
    session.run(x, two)
    session.run(x, double)
    session.run(x, changed)
    session.run(x, again)
    session.run(x, {x: data[:, 0], ids: labels})  # run: the feed of x has shape [2], which does not fit [Batch, 3]
    session.run(x, {x: data[:, :3], ids: labels})
    session.run(x, {x: data[:1, :3], ids: labels})  # run: dimension Batch is 1 in the feed of x, but 2 in the feed of ids
    session.run(x, {x: rebound, ids: labels})
    session.run(x, {**wrong, x: data[:, 1:]})
    session.run(x, {**good, x: data[:, :2]})  # run: the feed of x has shape [2, 2], which does not fit [Batch, 3]
    session.run(x, {x: data[:, 1:] + 0.1 * np.sin(data[:, :3]), ids: labels})
    session.run(x, {x: rng.standard_normal((2, 3)), ids: labels})  # run: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)
    session.run(ids, {ids: data.mean(axis=1)})  # run: the feed of ids is an array of float32, but must be int32; convert it with astype(np.int32)
    session.run(ids, {ids: data.argmax(axis=1).astype(np.int32)})
    session.run(x, {x: (3 + (table[picked] * table[picked]).sum(1))[1:], ids: labels})  # run: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)
    session.run(x, {x: rng.normal(size=(2, 3)).astype(np.float32), ids: rng.integers(0, 4, 2).astype(np.int32)})
    session.run(x, {x: data[:, 1:], ids: None})  # Session.run(): the feed of ids is None, but must be an array, a number, or a list of such
    session.run(x, {x: {0: 1.0}})  # Session.run(): the feed of x is dict[int, float], but must be an array, a number, or a list of such
    session.run(x, {x: object()})  # Session.run(): the feed of x is object, but must be an array, a number, or a list of such
    session.run(x, {x: len})  # Session.run(): the feed of x is a function, but must be an array, a number, or a list of such
    session.run(x, {x: labels, ids: data[:, 1:]})  # run: the feeds of x and ids are swapped
    arm, reward = core.Placeholder.create(scope, tg.TInt32, ()), core.Placeholder.create(scope, tg.TFloat32, ())
    session.run(reward, {arm: 0.5, reward: 1})  # run: the feed of arm is the Python float 0.5, but must be int32; write an int, or swap it with the feed of reward
    session.run(reward, {arm: 0.5, reward: 1.0})  # run: the feed of arm is the Python float 0.5, but must be int32; write an int
    session.run(reward, {arm: 1, reward: 1})
    inputs, both = {"ids": ids}, [x, x]
    session.run(x, {inputs["ids"]: rng.integers(0, 9, 2)})  # run: the feed of inputs['ids'] is an array of int64, but must be int32; convert it with astype(np.int32)
    session.run(x, {both[0]: data})  # run: the feed of both[0] has shape [2, 4], which does not fit [Batch, 3]
    session.assign({v: labels, n: data})  # assign: the values for v and n are swapped
    session.callable(x, [x, ids])(labels, data[:, 1:])  # run: the feeds of x and ids are swapped
    session.run(x, dict(zip([x, ids], [data[:, 1:], labels])))
    session.run(x, {each: array[:2] for each, array in zip([x, ids], [data[:, 1:], labels])})
    paired = dict(zip((x, ids), (data[:, 1:], labels)))
    session.run(x, paired)
    session.run(x, {**{x: data[:, 1:]}, **{ids: labels}})
    session.run(x, dict.fromkeys([x], data[:, 1:]) | {ids: labels})
    fetched = session.run(x[:, :2], good)
    session.run(x, {x: data[:, 1:] + 0.1 * np.concatenate([fetched, fetched[:, 1:]], axis=1), ids: labels})
    session.run(x, {x: data[:, 1:] + 0.1 * np.stack([fetched[:, 0], data[:, 0], data[:, 1]], 1), ids: labels})
    session.run(x, {x: (np.concatenate([fetched, data], axis=1) * 0.1)[:, :3], ids: labels})
"""


def test_every_wrong_feed_is_an_error_and_no_other_is(tmp_path: Path) -> None:
    lines = SOURCE.splitlines()
    expected = {number: line.split("  # ")[1] for number, line in enumerate(lines, 1) if "  # " in line}
    errors = check(tmp_path, {"feeds.py": SOURCE}).errors("feeds.py")
    assert {error.line: error.text for error in errors} == expected
    assert len(errors) == len(expected)
