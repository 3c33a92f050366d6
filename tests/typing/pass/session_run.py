"""What `run` returns has the element type and shape of its fetch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, assert_type

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math


class Pair(NamedTuple):
    """Two fetches, or their values."""

    first: Any
    second: Any


@dataclass
class Record:
    """Fetches, or their values."""

    one: Any
    many: list[Any]


scope = tg.Scope(tg.Graph())
shape = np.zeros((2, 2)).shape
x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
n = core.Constant.create(scope, [1, 2])
total = core.Sum.create(scope, x)
variable = tg.Variable.create(scope, np.zeros(2))
step = variable.assign_add(scope, [1.0, 1.0])
feeds: tg.Feeds = {x: [[1, 2], [3, 4]]}

with tg.Session(scope.graph) as session:
    assert_type(session.run(x, feeds), np.ndarray[tuple[Any, Any], np.dtype[np.float32]])
    session.run(x, {x: np.ones((2, 2), np.float32), total: 0.5})
    session.run(x, {x: [[1, 2], [3, 4]], n: [3, 4]})
    session.run(x, {x: [session.run(n), np.arange(2)], n: [session.run(n[0]), np.array(1)]})
    several = {x: np.ones((2, 2), np.float32), n: [3, 4], total: 0.5}
    session.run([x, total], several)
    assert_type(session.run(math.Square.create(scope, x), feeds), np.ndarray[tuple[Any, Any], np.dtype[np.float32]])
    assert_type(session.run(total, {x: np.ones((2, 2), np.float32)}), NDArray[np.float32])
    assert_type(session.run(n), NDArray[np.int32])
    assert_type(session.run(variable.read(scope)), NDArray[np.float64])
    assert_type(session.run(core.Constant.create(scope, True)), np.ndarray[tuple[()], np.dtype[np.bool_]])
    assert_type(session.run(core.Constant.create(scope, "a")), np.ndarray[tuple[()], np.dtype[np.object_]])

    session.run(step)
    session.run(step.op)
    values: list[NDArray[Any]] = session.run([total, n], feeds)
    mixed: tuple[Any, ...] = session.run((total, step), feeds)
    steps = [step, total * 2.0]
    both: list[Any] = session.run(steps, feeds)
    named: dict[str, Any] = session.run({"total": total, "step": step}, feeds)
    assert session.value(variable).tolist() == [5.0, 5.0]

    factor = core.PlaceholderWithDefault.create(scope, np.float32(1), ())
    session.run(total * factor, {x: np.ones((2, 2), np.float32), factor: np.float32(2)})

    session.run([x, [n, (step, step.op)], {"n": [n]}, "Sum:0"], {"Placeholder": [[1, 2], [3, 4]]})
    session.run({"pair": Pair(n, total)}, {"Placeholder:0": np.ones((2, 2), np.float32)})
    assert Record(1, [2]) == session.run(Record(n[0], [n[1]]))
    first, second = session.run(Pair(n, n))
    assert_type(session.run(variable), NDArray[np.float64])
    session.assign(variable, [1.0, 2.0])
    session.assign({variable: np.zeros(2)})
    unset = tg.Variable.create(scope, shape=(2, 3), dtype=tg.TFloat32)
    assert_type(unset, tg.Variable[tg.TFloat32])
    session.assign(unset, np.zeros((2, 3), np.float32))

    runner = session.runner().feed(x, [[1.0, 2.0], [3.0, 4.0]]).fetch(total).fetch(n).fetch("Sum").add_target(step)
    assert_type(runner.run(), list[NDArray[Any]])

assert [value.tolist() for value in values] == [10.0, [1, 2]]
assert mixed[1] is None
assert set(named) == {"total", "step"}
