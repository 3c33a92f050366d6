"""Reads that protect what they read from later updates, and those that need not."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math

Build = Callable[[tg.Scope, Any], Any]


def _write(scope: tg.Scope, handle: Any, by: Any = 1.0) -> Any:
    return core.ResourceScatterAdd.create(scope, handle, [0], by * np.ones((1, 2), np.float32))


def _between(scope: tg.Scope, table: Any) -> list[Any]:
    """Rows that are taken after a write, of the value before."""
    read = table.read(scope)
    return [_write(scope, table.handle), core.Gather.create(scope, read, [0])]


def _before(scope: tg.Scope, table: Any) -> list[Any]:
    rows = core.Gather.create(scope, table.read(scope), [0])
    return [rows, _write(scope, table.handle, rows)]


CASES: Final[dict[str, tuple[Build, int]]] = {
    "rows before a write": (_before, 1),
    "a product before a write": (
        lambda s, v: [linalg.MatMul.create(s, (r := v.read(s)), r), _write(s, v.handle)],
        1,
    ),
    "rows after a write": (_between, 0),
    "what is fetched": (lambda s, v: [v.read(s), _write(s, v.handle)], 0),
    "a view": (lambda s, v: [core.Reshape.create(s, v.read(s), [4]), _write(s, v.handle)], 0),
    "what a ufunc takes": (lambda s, v: [math.Neg.create(s, v.read(s)), _write(s, v.handle)], 0),
    "a run that writes nothing": (lambda s, v: [core.Gather.create(s, v.read(s), [0])], 0),
}


@pytest.mark.parametrize("what", CASES)
def test_values_are_those_at_the_read(what: str) -> None:
    build, borrowed = CASES[what]
    results: list[list[bytes]] = []
    for passes in (None, ()):
        scope = tg.Scope(tg.Graph(seed=1))
        table = tg.Variable.create(scope, np.array([[1, 2], [3, 4]], np.float32))
        fetches = build(scope, table)
        session = tg.Session(scope.graph, passes=passes)
        if passes is None:
            assert session.explain(fetches).passes["reads"] == borrowed
        runs = [session.run(fetches) for _ in range(4)]
        results.append([np.asarray(each).tobytes() for run in runs for each in run if each is not None])
        results[-1].append(session.value(table).tobytes())
    assert results[0] == results[1]


def test_an_update_of_rows_copies_only_these() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    table = tg.Variable.create(scope, np.zeros((100_000, 2), np.float32))
    rows = core.Gather.create(scope, table.read(scope), [3, 5])
    step = core.ResourceScatterAdd.create(scope, table.handle, [3, 5], rows + 1.0)
    session = tg.Session(scope.graph)
    for _ in range(3):  # from the second run on, plans are compiled
        session.run(step)
    tracemalloc.start()
    session.run(step)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000  # the table has 800,000 bytes
    np.testing.assert_array_equal(session.value(table)[[3, 5, 6], 0], [15, 15, 0])
