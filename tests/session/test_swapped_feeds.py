"""Two arrays that are fed in each other's place are told as such, whether their types or their shapes are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

SCOPE = tg.Scope(tg.Graph())
X = core.Placeholder.create(SCOPE.with_name("x"), tg.TFloat32, (None, 3))
Y = core.Placeholder.create(SCOPE.with_name("y"), tg.TInt64, (None,))
Z = core.Placeholder.create(SCOPE.with_name("z"), tg.TFloat32, (None,))
M = core.Placeholder.create(SCOPE.with_name("m"), tg.TInt32, ())
N = core.Placeholder.create(SCOPE.with_name("n"), tg.TFloat32, ())
FLOATS, INTS, ROW = np.ones((4, 3), np.float32), np.zeros(4, np.int64), np.ones(4, np.float32)

CASES: Final[dict[str, tuple[list[tg.Operand[Any]], list[Any], str]]] = {
    "of other types": ([X, Y], [INTS, FLOATS], r"^the feeds of 'x:0' \(.*\) and 'y:0' \(.*\) are swapped$"),
    "of other shapes": ([X, Z], [ROW, FLOATS], r"^the feeds of 'x:0' \(.*\) and 'z:0' \(.*\) are swapped$"),
    "two of three": ([X, Y, Z], [ROW, INTS, FLOATS], r"^the feeds of 'x:0' \(.*\) and 'z:0' \(.*\) are swapped$"),
    "of no right type": ([X, Y], [INTS, FLOATS.astype(float)], "int64 is not float32"),
    "one that is wrong": ([X, Y], [FLOATS, ROW], "float32 is not int64"),
    "numbers": ([M, N], [0.5, 1], r"; write an int, or swap it with the feed of 'n:0' \(.*\)$"),
    "numbers the other way round": ([N, M], [1, 0.5], r"; write an int, or swap it with the feed of 'n:0' \(.*\)$"),
    "one number": ([M, N], [0.5, 1.0], "; write an int$"),
    "lists": ([X, Y], [[0, 1], [[1.0, 2.0, 3.0]]], "has shape|does not fit"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("is_known", [False, True])
def test_what_is_said(case: str, is_known: bool) -> None:
    operands, values, error = CASES[case]
    fetches = [core.Shape.create(SCOPE, each) for each in operands]
    with tg.Session(SCOPE.graph) as session:
        if is_known:
            right: dict[Any, Any] = {X: FLOATS, Y: INTS, Z: ROW, M: 1, N: 0.5}
            for _ in range(3):
                session.run(fetches, {each: right[each] for each in operands})
        with pytest.raises(tg.FeedError, match=error):
            session.run(fetches, feeds(operands, values))


def feeds(operands: Sequence[tg.Operand[Any]], values: Sequence[Any]) -> dict[tg.Operand[Any], Any]:
    return dict(zip(operands, values, strict=True))
