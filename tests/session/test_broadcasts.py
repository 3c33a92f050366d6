"""Broadcasts that operations do by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.session.plan import Plan
from typegrad.session.state import Resources

CASES: Final[dict[str, tuple[Callable[..., Any], list[str]]]] = {
    "one of two inputs": (lambda s, x, y: x * y, ["Mul"]),
    "one of three": (lambda s, x, y: math.AddN.create(s, [x, y, x]), ["AddN"]),
    "not the one that makes the shape": (lambda s, x, y: y * 2.0, ["BroadcastTo", "Mul"]),
    "not both": (lambda s, x, y: y * core.BroadcastTo.create(s, x[:1], [3, 4]), ["BroadcastTo"] * 2 + ["Mul"]),
    "not one that more than a ufunc takes": (
        lambda s, x, y: linalg.MatMul.create(s, x, y, transpose_b=True),
        ["BroadcastTo", "MatMul"],
    ),
    "not one that is fetched": (lambda s, x, y: [x * y, y], ["BroadcastTo", "Mul"]),
}


@pytest.mark.parametrize("what", CASES)
def test_broadcasts_that_go(what: str) -> None:
    build, expected = CASES[what]
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 4))
    column = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 1))
    result = build(scope, x, core.BroadcastTo.create(scope, column, [3, 4]))
    fetches = result if isinstance(result, list) else [result]
    plan = Plan([each.as_output() for each in fetches], (), [x.as_output(), column.as_output()], Resources())
    assert [
        op.type for step in plan.lowered(frozenset()) for op in step.operations if op.type != "StridedSlice"
    ] == expected
    feeds = {x: np.arange(12, dtype=np.float32).reshape(3, 4), column: np.ones((3, 1), np.float32)}
    sessions = [tg.Session(scope.graph, passes=passes) for passes in (None, ())]
    for _ in range(3):  # the first run is not compiled
        results = [session.run(fetches, feeds) for session in sessions]
        for one, other in zip(*results, strict=True):
            assert one.tobytes() == other.tobytes() and one.strides == other.strides


def test_shapes_that_are_known_only_in_the_run_are_checked_there() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 4))
    column = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 1))
    session = tg.Session(scope.graph)
    y = x * core.BroadcastTo.create(scope, column, [3, 4])
    feeds = {x: np.ones((3, 4), np.float32)}
    for _ in range(3):
        session.run(y, feeds | {column: np.ones((3, 1), np.float32)})
        with pytest.raises(tg.ShapeError, match=r"^BroadcastTo 'BroadcastTo'"):
            session.run(y, feeds | {column: np.ones((2, 1), np.float32)})
