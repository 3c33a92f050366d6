"""`session.assign`: values for variables, all or none, without touching the graph."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.interrupting import ctrl_c, interrupted
from typegrad.op import core


@pytest.fixture
def v(scope: tg.Scope) -> tg.Variable[tg.TFloat32, tuple[int]]:
    return tg.Variable.create(scope.with_name("v"), np.array([1, 2], np.float32))


@pytest.fixture
def w(scope: tg.Scope) -> tg.Variable[tg.TInt32, tuple[()]]:
    return tg.Variable.create(scope.with_name("w"), 3)


def test_one_and_several(scope: tg.Scope, v: tg.Variable[Any, Any], w: tg.Variable[Any, Any]) -> None:
    operations = len(scope.graph)
    array = np.array([4, 5], np.float32)
    with tg.Session(scope.graph) as session:
        session.assign(v, array)
        array[:] = 0
        assert session.value(v).tolist() == [4, 5] and session.value(w) == 3 and array.flags.writeable
        session.assign({v: [6, 7], w: 8})
        assert session.value(v).tolist() == [6, 7] and session.value(w) == 8
        session.assign({})
    assert len(scope.graph) == operations


def test_all_or_nothing(scope: tg.Scope, v: tg.Variable[Any, Any], w: tg.Variable[Any, Any]) -> None:
    session = tg.Session(scope.graph)
    for wrong in (1.5, [1, 2], 2**40, np.int64(3).reshape(1), None, v, "a"):
        values: dict[tg.Variable[Any, Any], Any] = {v: [9, 9], w: wrong}
        with pytest.raises(tg.FeedError, match="the value for variable 'w' "):
            session.assign(values)
    assert session.value(v).tolist() == [1, 2] and session.value(w) == 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones(2), "the value for variable 'v' does not fit: an array of float64 is not float32; convert it"),
        ([1, 2, 3], r"the value for variable 'v' has shape \[3\], which does not fit \[2\]"),
        (None, "the value for variable 'v' does not fit: None"),
    ],
)
def test_what_does_not_fit(scope: tg.Scope, v: tg.Variable[Any, Any], value: Any, message: str) -> None:
    with pytest.raises(tg.FeedError, match=message):
        tg.Session(scope.graph).assign(v, value)


def test_a_variable_that_is_made_of_the_numbers_of_its_shape(scope: tg.Scope) -> None:
    w, session = tg.Variable.create(scope.with_name("w"), [2, 1], tg.TFloat32), tg.Session(scope.graph)
    wrong = r"the value for variable 'w' has shape \[{}, 1\], which does not fit \[2\]"
    with pytest.raises(tg.FeedError, match=wrong.format(2) + r"; variable 'w' was made of the values \(2, 1\)"):
        session.assign(w, np.ones((2, 1), np.float32))
    with pytest.raises(tg.FeedError, match=wrong.format(3) + "$"):
        session.assign(w, np.ones((3, 1), np.float32))
    session.assign(w, np.ones(2, np.float32))


def test_wrong_arguments(scope: tg.Scope, v: tg.Variable[Any, Any]) -> None:
    session = tg.Session(scope.graph)
    call: Any = session.assign
    told = r"'v' \(Variable, .*\) belongs to another graph than this session; open one with tg.Session"
    with pytest.raises(tg.GraphError, match=told):
        tg.Session(tg.Graph()).assign(v, [1, 2])
    with pytest.raises(tg.FeedError, match="takes a variable and its value, or a mapping alone"):
        call({v: [1, 2]}, 3)
    with pytest.raises(tg.FeedError, match="session.assign gives variables their values, not str 'v'"):
        call({"v": [1, 2]})
    with pytest.raises(
        tg.GraphError, match=r"must be a Variable or a mapping, not list .*; write {x: value, y: value} "
    ):
        call([v], [[1, 2]])
    with pytest.raises(tg.FeedError, match="the value for variable 'v' is an operand; give the array"):
        call({v: core.Constant.create(scope, [1.0, 2.0])})
    session.close()
    with pytest.raises(tg.SessionClosedError):
        session.assign(v, [1, 2])


def test_what_is_assigned_is_not_initialized_any_more(
    scope: tg.Scope, v: tg.Variable[Any, Any], w: tg.Variable[Any, Any]
) -> None:
    with tg.Session(scope.graph) as session:
        session.assign(w, 7)
        assert session.run([v, w])[1] == 7 and session.run(v).tolist() == [1, 2]
    with tg.Session(scope.graph, auto_init=False) as session:
        session.assign(v, [0, 0])
        assert session.run(v).tolist() == [0, 0]
        with pytest.raises(tg.FailedPreconditionError, match="variable 'w' has no value yet"):
            session.run(w)
        session.initialize()
        assert session.run(v).tolist() == [0, 0] and session.run(w) == 3


def test_an_interrupt_at_any_moment_leaves_all_or_none(
    scope: tg.Scope, v: tg.Variable[Any, Any], w: tg.Variable[Any, Any]
) -> None:
    session = tg.Session(scope.graph)
    seen = set()
    moment = 0
    goes_on = True
    while goes_on:
        session.assign({v: [0, 0], w: 0})
        moment += 7
        with suppress(KeyboardInterrupt):
            goes_on = interrupted(lambda: session.assign({v: [1, 1], w: 1}), moment, ctrl_c)
        result = (*session.value(v).tolist(), session.value(w).item())
        assert result in {(0, 0, 0), (1, 1, 1)}
        seen.add(result)
    assert len(seen) == 2
