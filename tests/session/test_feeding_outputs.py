"""A fed output of an operation that runs for its other outputs keeps the fed value."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad.op import core, math


def test_the_fed_value_is_not_overwritten() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(4,))
    first, second = core.Split.create(scope, 0, x, num_split=2).output
    both = math.Sub.create(scope, first, second)
    with tg.Session(scope.graph, passes=()) as session:
        values = session.run(
            [both, first, second], {x: np.arange(4, dtype=np.float32), first: np.array([10.0, 20.0], np.float32)}
        )
    assert [value.tolist() for value in values] == [[8.0, 17.0], [10.0, 20.0], [2.0, 3.0]]
