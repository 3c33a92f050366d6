"""Operations whose only output is a list are that list: it is unpacked, indexed, counted and gone through."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def test_rows_are_gone_through(scope: tg.Scope) -> None:
    rows = [row * 2 for row in core.Unstack.create(scope, ROWS, 3)]
    with tg.Session(scope.graph) as session:
        assert [value.tolist() for value in session.run(rows)] == (ROWS * 2).tolist()


def test_parts_are_unpacked_and_indexed(scope: tg.Scope) -> None:
    parts = core.Split.create(scope, 1, ROWS, 2)
    left, right = parts
    assert len(parts) == 2 and [left, right] == parts.output
    assert parts[1] is right and parts[-1] is right
    assert parts[1:] == (right,) and parts[::-1] == (right, left)


def test_an_index_out_of_range(scope: tg.Scope) -> None:
    with pytest.raises(IndexError):
        core.Split.create(scope, 1, ROWS, 2)[2]


def test_a_list_is_taken_where_operands_are_listed(scope: tg.Scope) -> None:
    swapped = core.Concat.create(scope, [*core.SplitV.create(scope, ROWS, [1, 1], 1, 2)][::-1], 1)
    sizes = core.ShapeN.create(scope, [swapped, ROWS])
    with tg.Session(scope.graph) as session:
        assert session.run(swapped).tolist() == ROWS[:, ::-1].tolist()
        assert [value.tolist() for value in session.run(list(sizes))] == [[3, 2], [3, 2]]
