"""Runs and callables that go to their program directly: which ones do, and that nobody can tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, random
from typegrad.session.call import Call
from typegrad.session.direct import is_direct
from typegrad.session.plan import Plan
from typegrad.session.state import Resources

X: Final = np.arange(6, dtype=np.float32).reshape(2, 3)

VALUES: Final[dict[str, Any]] = {
    "the same": X,
    "another shape": np.ones((1, 3), np.float32),
    "columns first": np.asfortranarray(X),
    "another byte order": X.astype(">f4"),
    "a list": X.tolist(),
    "read-only": np.broadcast_to(np.float32(1), (2, 3)),
    "a subclass": np.ma.masked_array(X),
}

FETCHES: Final[dict[str, tuple[bool, Callable[[tg.Scope, Any], Any]]]] = {
    "a ufunc": (True, lambda _, x: x + x),
    "several ufuncs": (True, lambda scope, x: [x + x, {"of": math.Sigmoid.create(scope, x)}]),
    "others in between": (True, lambda scope, x: linalg.MatMul.create(scope, x + x, -x, transpose_b=True) * 2.0),
    "nothing": (True, lambda _, __: []),
    "a feed": (True, lambda _, x: [x, x + x]),
    "a view of a feed": (True, lambda scope, x: core.Reshape.create(scope, x, (-1,))),
    "a matrix product of a feed": (True, lambda scope, x: linalg.MatMul.create(scope, x, x, transpose_b=True)),
    "a scalar": (True, lambda scope, x: core.Sum.create(scope, x + x) * 2.0),
    "one value twice": (True, lambda _, x: 2 * [x + x]),
    "equal values": (True, lambda _, x: [x + x, x + x]),
    "a constant": (True, lambda scope, x: [x + x, core.Constant.create(scope, X)]),
    "parts of a feed": (True, lambda scope, x: core.Split.create(scope, 1, x, num_split=3).output),
    "a random number": (False, lambda scope, x: x + 0.0 * random.RandomUniform.create(scope, (1,), tg.TFloat32)),
    "a variable": (False, lambda scope, x: tg.Variable.create(scope, X[0]) + x),
    "an assignment": (False, lambda scope, x: tg.Variable.create(scope, X[0]).assign_add(scope, x[0]).op),
}


Prepare = Callable[[tg.Session, Any, Sequence[Any]], Callable[..., Any]]


def repeated_run(session: tg.Session, fetches: Any, operands: Sequence[Any]) -> Callable[..., Any]:
    return lambda *values: session.run(fetches, dict(zip(operands, values, strict=True)))


@pytest.fixture(params=[tg.Session.callable, repeated_run], ids=["callable", "run"])
def prepare(request: pytest.FixtureRequest) -> Prepare:
    """Prepares a call of some fetches: a function of the values to feed."""
    function: Prepare = request.param
    return function


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.fixture
def x(scope: tg.Scope) -> core.Placeholder[tg.TFloat32]:
    return core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))


def takes_the_direct_way(graph: tg.Graph, fetches: Any, feeds: list[Any]) -> bool:
    call = Call(graph, fetches, feeds)
    outputs = [fetch for fetch in call.requested if not isinstance(fetch, tg.Operation)]
    targets = [fetch for fetch in call.requested if isinstance(fetch, tg.Operation)]
    return is_direct(Plan(outputs, targets, call.outputs, Resources()))


@pytest.mark.parametrize("case", FETCHES)
def test_results_are_those_of_a_first_run(
    scope: tg.Scope, x: core.Placeholder[tg.TFloat32], prepare: Prepare, case: str
) -> None:
    is_expected, make = FETCHES[case]
    fetches = make(scope, x)
    assert takes_the_direct_way(scope.graph, fetches, [x]) == is_expected
    with tg.Session(scope.graph) as session:
        call = prepare(session, fetches, [x])
        for _ in range(3):
            for name, value in VALUES.items():
                with tg.Session(scope.graph) as other:
                    np.testing.assert_equal(call(value), other.run(fetches, {x: value}), name)


@pytest.mark.parametrize("case", FETCHES)
def test_results_and_feeds_have_memory_of_their_own(
    scope: tg.Scope, x: core.Placeholder[tg.TFloat32], prepare: Prepare, case: str
) -> None:
    fed = X.copy()
    with tg.Session(scope.graph) as session:
        call = prepare(session, FETCHES[case][1](scope, x), [x])
        earlier = [arrays_in(call(fed)) for _ in range(3)]
    every = [array for arrays in earlier for array in arrays]
    assert all(array.flags.writeable for array in every)
    for array in every:
        array[...] = -7
    assert sum(np.count_nonzero(array != -7) for array in every) == 0
    assert not any(np.shares_memory(a, b) for n, a in enumerate(every) for b in [fed, *every[:n]])
    np.testing.assert_array_equal(fed, X)


def arrays_in(results: Any) -> list[np.ndarray[Any, Any]]:
    if isinstance(results, dict):
        results = list(results.values())
    if isinstance(results, list):
        return [array for each in results for array in arrays_in(each)]
    return [] if results is None else [results]


def test_feeds_come_in_their_order(scope: tg.Scope, x: core.Placeholder[tg.TFloat32], prepare: Prepare) -> None:
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(3,))
    with tg.Session(scope.graph) as session:
        call = prepare(session, x - y, [y, x])
        for _ in range(2):
            np.testing.assert_array_equal(call(X[0], X), X - X[0])


def test_an_error_names_the_operation(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32)
    y = math.Add.create(scope.with_name("y"), x, [[1.0, 2.0]])
    with tg.Session(scope.graph) as session:
        call = session.callable(-(y + y), [x])
        for good in (np.ones(2, np.float32), np.ones((3, 2), np.float32)):
            call(good)
        with pytest.raises(tg.ShapeError, match="'y'"):
            call(np.ones(3, np.float32))
        with pytest.raises(tg.FeedError, match=r"a value for each of \['x:0'\] is needed.*there are 2"):
            call(np.ones(2, np.float32), np.ones(2, np.float32))


def test_an_error_in_a_run_names_the_operation(scope: tg.Scope, prepare: Prepare) -> None:
    indices = core.Placeholder.create(scope, tg.TInt32, shape=(1,))
    rows = core.Gather.create(scope.with_name("rows"), X, indices + indices, 0) * 2.0
    assert takes_the_direct_way(scope.graph, rows, [indices])
    with tg.Session(scope.graph) as session:
        call = prepare(session, rows, [indices])
        for _ in range(3):
            np.testing.assert_array_equal(call(np.zeros(1, np.int32)), 2 * X[:1])
            with pytest.raises(tg.InvalidArgumentError, match="'rows'"):
                call(np.ones(1, np.int32))


def test_strings_are_checked(scope: tg.Scope, prepare: Prepare) -> None:
    x = core.Placeholder.create(scope, tg.TString, shape=(2,))
    equal = math.Equal.create(scope, x, x)
    assert not takes_the_direct_way(scope.graph, equal, [x])
    with tg.Session(scope.graph) as session:
        call = prepare(session, equal, [x])
        assert call(np.array([b"a", b"b"], object)).all()
        with pytest.raises(tg.FeedError):
            call(np.array([b"a", 1], object))


def test_floating_point_errors_warn_nobody(scope: tg.Scope, x: core.Placeholder[tg.TFloat32], prepare: Prepare) -> None:
    with tg.Session(scope.graph) as session, np.errstate(all="raise"):
        call = prepare(session, x / (x - x), [x])
        for _ in range(3):
            assert np.isinf(call(X[1:])).all()


def test_a_closed_session_runs_nothing(scope: tg.Scope, x: core.Placeholder[tg.TFloat32], prepare: Prepare) -> None:
    session = tg.Session(scope.graph)
    call = prepare(session, x + x, [x])
    for _ in range(3):
        call(X)
    session.close()
    with pytest.raises(tg.SessionClosedError):
        call(X)


def test_new_variables_are_initialized_first(
    scope: tg.Scope, x: core.Placeholder[tg.TFloat32], prepare: Prepare
) -> None:
    with tg.Session(scope.graph) as session:
        call = prepare(session, x + x, [x])
        for _ in range(3):
            call(X)
        tg.Variable.create(scope, X)
        call(X)
        assert [state.is_initialized for state in session.inspect(list)] == [True]


def test_a_trace_has_its_steps(
    scope: tg.Scope, x: core.Placeholder[tg.TFloat32], tmp_path: Path, prepare: Prepare
) -> None:
    with tg.Session(scope.graph) as session:
        call = prepare(session, x + x, [x])
        for _ in range(3):
            call(X)
        with session.trace(tmp_path / "steps.json"):
            call(X)
        call(X)
    events = json.loads((tmp_path / "steps.json").read_text())["traceEvents"]
    assert [event["name"] for event in events] == ["run 0", "AddV2"]
