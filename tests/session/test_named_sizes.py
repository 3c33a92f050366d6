"""Named dimensions get their sizes from feeds, and arithmetic with them must hold for these sizes."""

from __future__ import annotations

from typing import Any, Literal, NewType

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

Batch = NewType("Batch", int)
Time = NewType("Time", int)


def _fed(scope: tg.Scope, name: str, *shape: Any) -> core.Placeholder[tg.TFloat32]:
    return core.Placeholder.create(scope.with_name(name), tg.TFloat32, shape=shape)


def _run(fetch: tg.Operand[Any], feeds: dict[core.Placeholder[tg.TFloat32], tuple[int, ...]]) -> tuple[int, ...]:
    with tg.Session(fetch.graph) as session:
        value = session.run(fetch, {x: np.zeros(sizes, np.float32) for x, sizes in feeds.items()})
    return np.shape(value)


def test_arithmetic_is_compared_with_the_sizes_of_its_names(scope: tg.Scope) -> None:
    x, rows = _fed(scope, "x", Batch, Time, 8), _fed(scope, "rows", tg.Times[Batch, Time], 8)
    y = core.Reshape.create(scope, x, (-1, 8)) + rows
    assert str(y.shape) == "[Batch*Time, 8]"
    assert _run(y, {rows: (6, 8), x: (2, 3, 8)}) == (6, 8)
    with pytest.raises(
        tg.FeedError,
        match=r"dimension 0 of the feed of 'rows:0' .* is 7, but Batch\*Time is 6, since Batch is 2 and Time is 3$",
    ):
        _run(y, {rows: (7, 8), x: (2, 3, 8)})


def test_arithmetic_gives_the_last_name_its_size(scope: tg.Scope) -> None:
    double, half = _fed(scope, "double", tg.Times[Batch, Literal[2]]), _fed(scope, "half", tg.Over[Batch, Literal[2]])
    later = _fed(scope, "later", tg.Minus[Time, Literal[1]])
    y = core.Concat.create(scope, [double, half, later], 0)
    assert _run(y, {double: (8,), half: (2,), later: (5,)}) == (15,)
    with pytest.raises(tg.FeedError, match=r"the feed of 'half:0' .* is 3, but Batch/2 is 2, since Batch is 4$"):
        _run(y, {double: (8,), half: (3,), later: (5,)})
    with pytest.raises(tg.FeedError, match=r"the feed of 'double:0' .* is 7, but 2\*Batch is never 7$"):
        _run(y, {double: (7,), half: (3,), later: (5,)})


def test_arithmetic_with_names_that_no_feed_fixes_must_agree_with_itself(scope: tg.Scope) -> None:
    a, b = _fed(scope, "a", tg.Times[Batch, Time]), _fed(scope, "b", tg.Times[Time, Batch])
    assert _run(a + b, {a: (6,), b: (6,)}) == (6,)
    with pytest.raises(
        tg.FeedError, match=r"dimension Batch\*Time is 6 in the feed of 'a:0' .*, but 7 in the feed of 'b:0'"
    ):
        _run(a + b, {a: (6,), b: (7,)})


def test_sizes_for_which_arithmetic_does_not_hold_are_refused(scope: tg.Scope) -> None:
    x = _fed(scope, "x", Batch, Time)
    later, first, halves = x[:, 5:], x[:1], core.Split.create(scope, 1, x, num_split=2).output[0]
    assert [str(each.shape) for each in (later, first, halves)] == ["[Batch, Time - 5]", "[1, Time]", "[Batch, Time/2]"]
    assert _run(later, {x: (2, 5)}) == (2, 0)
    with pytest.raises(
        tg.ShapeError, match=r"the result has shape \[2, 0\], but in the graph \[Batch, Time - 5\], where Time is 3"
    ):
        _run(later, {x: (2, 3)})
    with pytest.raises(tg.ShapeError, match=r"the result has shape \[0, 3\], but in the graph \[1, Time\]"):
        _run(first, {x: (0, 3)})
    with pytest.raises(tg.ShapeError, match="cannot be split into 2 equal parts"):
        _run(halves, {x: (2, 3)})


def test_a_range_that_may_be_clipped_is_not_known(scope: tg.Scope) -> None:
    x = _fed(scope, "x", Batch, Time)
    for part in (x[:5], x[2:4], x[-3:], x[-3:-1], x[::-2]):
        assert part.shape == (None, "Time")
    assert _run(x[:5], {x: (3, 2)}) == (3, 2)
