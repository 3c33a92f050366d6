"""Mistakes at run time: each message names the node, the line that made it and the remedy; variables stay as they
were.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, cast

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, nn
from typegrad.session.program import program

HERE = r"test_run_errors\.py:\d+"


def test_an_unfed_placeholder(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(2,))
    y = math.Neg.create(scope.with_name("y"), x)
    message = rf"'x:0' \(Placeholder, float32 \[2\], created at .*{HERE}\) must be fed, because 'y:0' depends on it"
    with pytest.raises(tg.FeedError, match=message):
        tg.Session(scope.graph).run(y)


def test_an_unfed_placeholder_that_is_fetched(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=())
    for fetch in (x, x.op, [math.Neg.create(scope, x), x]):
        with pytest.raises(tg.FeedError, match=r"'x:0' .* must be fed: it is fetched; pass its value with the feeds"):
            tg.Session(scope.graph).run(fetch)


def test_operations_that_an_unfed_placeholder_is_for(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=())
    first = tg.functions.group(scope.with_name("first"), x)
    second = tg.functions.group(scope.with_name("second"), first)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.FeedError, match="must be fed, because 'second' depends on it"):
            session.run(second)
        with pytest.raises(tg.FeedError, match="must be fed, because 'first', 'second' depend on it"):
            session.run([first, second])


def test_what_does_not_depend_on_an_unfed_placeholder_is_not_named(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=())
    y, z = math.Neg.create(scope.with_name("y"), x), core.Constant.create(scope.with_name("z"), 1.0)
    with tg.Session(scope.graph) as session, pytest.raises(tg.FeedError, match="because 'y:0' depends on it; pass"):
        session.run([z, y])


def test_an_initial_value_that_needs_a_feed(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=())
    v = tg.Variable.create(scope.with_name("v"), x)
    with tg.Session(scope.graph) as session:
        for feeds in ({}, {x: 2.0}):
            with pytest.raises(tg.FeedError) as caught:
                session.run(w, feeds)
            assert str(caught.value).endswith(
                "must be fed, because 'v/initialize' depends on it; initial values are made without feeds; "
                "give the variable a value with session.assign"
            )
        session.assign(v, 3.0)
        assert session.run(v + w) == 4.0


def test_what_comes_after_a_placeholder_needs_it_fed(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=())
    after = scope.with_control_dependencies([x])
    y, z = math.Neg.create(after.with_name("y"), core.Constant.create(scope, 1.0)), math.Square.create(after, x)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.FeedError, match="'x:0' .* must be fed, because 'y:0' depends on it"):
            session.run(y)
        assert session.run([y, z], {x: 3.0}) == [-1.0, 9.0]
        assert session.run(y, {x: 3.0}) == -1.0
        assert session.run(x.op, {x: 3.0}) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones(3, np.float32), r"has shape \[3\], which does not fit \[2\]"),
        (np.ones(2, np.complex64), "an array of complex64 is not float32; convert it with astype"),
        ([True, False], r"\[True, False\] is not float32"),
        (["a", "b"], r"\['a', 'b'\] is not float32"),
        ([[1.0], [2.0, 3.0]], "is not a rectangular array"),
    ],
)
def test_a_feed_that_does_not_fit(scope: tg.Scope, value: Any, message: str) -> None:
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(2,))
    with pytest.raises(tg.FeedError, match=rf"the feed of 'x:0' \(Placeholder, .*{HERE}\) .*{message}"):
        tg.Session(scope.graph).run(x, {x: value})


def test_a_float_array_fed_as_integers(scope: tg.Scope) -> None:
    i = core.Placeholder.create(scope, tg.TInt32)
    with pytest.raises(tg.FeedError, match="an array of float64 is not int32"):
        tg.Session(scope.graph).run(i, {i: np.ones(2)})
    with pytest.raises(tg.FeedError, match="2147483648 is beyond int32"):
        tg.Session(scope.graph).run(i, {i: 2**31})


def test_a_feed_that_would_become_infinite(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    with pytest.raises(tg.FeedError, match=r"1e\+300 is beyond float32, which holds up to .* or give inf"):
        tg.Session(scope.graph).run(x, {x: [1.0, 1e300]})


def test_an_array_of_another_float_type(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    with pytest.raises(tg.FeedError, match="an array of float64 is not float32; convert it with astype"):
        tg.Session(scope.graph).run(x, {x: np.ones(2)})


def test_feeding_what_is_no_operand(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    key: Any = 7
    with pytest.raises(tg.FeedError, match="feeds maps operands or their names to values, but a key is int 7"):
        tg.Session(scope.graph).run(x, {key: 1.0})
    value: Any = x
    with pytest.raises(tg.FeedError, match="is an operand; give the array that session.run gave for it"):
        tg.Session(scope.graph).run(x, {x: value})


def test_an_operand_of_another_graph(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    foreign = core.Placeholder.create(tg.Scope(tg.Graph()).with_name("foreign"), tg.TFloat32)
    with pytest.raises(tg.GraphError, match=r"the fed 'foreign:0' .* belongs to another graph than this session; open"):
        tg.Session(scope.graph).run(x, {x: 1.0, foreign: 1.0})
    with pytest.raises(
        tg.GraphError, match=rf"'foreign' \(created at .*{HERE}\) belongs to another graph than this session"
    ):
        tg.Session(scope.graph).run(foreign)


def test_feeding_twice(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    with pytest.raises(tg.FeedError, match="is fed twice"):
        tg.Session(scope.graph).runner().feed(x, 1.0).feed(x, 2.0)


def test_fetching_what_has_no_value(scope: tg.Scope) -> None:
    for wrong in (3, b"x", {1, 2}, tg.TFloat32, object):
        with pytest.raises(tg.FeedError, match="a fetch is an operand, an operation or a name, or a list, .*, not "):
            tg.Session(scope.graph).run(cast("Any", [wrong]))
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(tg.FeedError, match="the fetches are nested too deeply, or contain themselves"):
        tg.Session(scope.graph).run(endless)


def test_shapes_that_only_the_feeds_reveal(scope: tg.Scope) -> None:
    a = core.Placeholder.create(scope.with_name("a"), tg.TFloat32)
    b = core.Placeholder.create(scope.with_name("b"), tg.TFloat32)
    y = linalg.MatMul.create(scope.with_name("y"), a, b)
    with pytest.raises(
        tg.ShapeError,
        match=rf"MatMul 'y' \(created at .*{HERE}\): with these feeds, inner dimensions differ: a is "
        r"\[2, 3\], b is \[4, 5\]",
    ):
        tg.Session(scope.graph).run(y, {a: np.ones((2, 3), np.float32), b: np.ones((4, 5), np.float32)})


def test_a_named_dimension_has_one_size(scope: tg.Scope) -> None:
    a = core.Placeholder.create(scope.with_name("a"), tg.TFloat32, shape=("batch",))
    b = core.Placeholder.create(scope.with_name("b"), tg.TFloat32, shape=("batch",))
    y = math.Add.create(scope, a, b)
    with pytest.raises(tg.FeedError, match="dimension batch is 2 in the feed of 'a:0' .*, but 3 in the feed of 'b:0'"):
        tg.Session(scope.graph).run(y, {a: np.ones(2, np.float32), b: np.ones(3, np.float32)})


def test_values_that_an_operation_refuses(scope: tg.Scope) -> None:
    i = core.Placeholder.create(scope, tg.TInt32, shape=())
    y = math.FloorDiv.create(scope.with_name("y"), core.Constant.create(scope, 7), i)
    with pytest.raises(tg.InvalidArgumentError, match=rf"FloorDiv 'y' \(created at .*{HERE}\): .*\n  x = 'Constant:0'"):
        tg.Session(scope.graph).run(y, {i: 0})


def test_runs_that_compile_at_the_same_time(scope: tg.Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of each names the node, whoever has compiled what it runs."""
    i = core.Placeholder.create(scope, tg.TInt32, shape=())
    session = tg.Session(scope.graph)
    y = math.FloorDiv.create(scope.with_name("y"), 7, i)
    meeting = Barrier(2, timeout=60)

    def compiled(*arguments: Any) -> Any:
        result: Any = program(*arguments)
        run = result.run
        result.run = lambda values: (meeting.wait(), run(values))[1]
        meeting.wait()
        return result

    monkeypatch.setattr("typegrad.session.compiler.program", compiled)
    with ThreadPoolExecutor(2) as pool:
        for failing in [pool.submit(session.run, y, {i: 0}) for _ in range(2)]:
            with pytest.raises(tg.InvalidArgumentError, match="FloorDiv 'y'"):
                failing.result()


def test_an_uninitialized_variable(scope: tg.Scope) -> None:
    w = tg.Variable.create(scope.with_name("w"), 1.0)
    y = w.read(scope.with_name("y"))
    with tg.Session(scope.graph, auto_init=False) as session:
        with pytest.raises(
            tg.FailedPreconditionError,
            match=rf"ReadVariableOp 'y' \(created at .*{HERE}\): variable 'w' has no value yet; call "
            r"session.initialize\(\)",
        ):
            session.run(y)
        session.initialize()
        assert session.run(y) == 1.0


def test_a_closed_session(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 1.0)
    with tg.Session(scope.graph) as session:
        assert session.run(x) == 1.0
    with pytest.raises(tg.SessionClosedError, match="this session is closed; open another one"):
        session.run(x)


def test_a_failing_run_leaves_variables_as_they_were(scope: tg.Scope) -> None:
    divisor = core.Placeholder.create(scope, tg.TInt32, shape=())
    w = tg.Variable.create(scope.with_name("w"), np.arange(3, dtype=np.int32))
    add = w.assign_add(scope, np.ones(3, np.int32))
    scatter = core.ResourceScatterAdd.create(
        scope, w.handle, core.Constant.create(scope, [0, 0]), core.Constant.create(scope, [10, 10])
    )
    failing = math.FloorDiv.create(scope.with_control_dependencies([add, scatter]), w.read(scope), divisor)
    with tg.Session(scope.graph) as session:
        session.run(scatter)
        before = session.value(w)
        for fetches in ([failing, add, scatter], [scatter, failing]):
            with pytest.raises(tg.InvalidArgumentError):
                session.run(fetches, {divisor: 0})
            np.testing.assert_array_equal(session.value(w), before)
        session.run([add, scatter])
        np.testing.assert_array_equal(session.value(w), before + [21, 1, 1])


def test_named_sizes_reach_shapes_that_are_computed_from_them(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("batch", 2))
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    flat = core.Reshape.create(scope, y, core.Shape.create(scope, x))
    total = math.Add.create(scope, flat, x)
    session = tg.Session(scope.graph)
    ones = np.ones((3, 2), np.float32)
    assert session.run(total, {x: ones, y: np.ones(6, np.float32)}).shape == (3, 2)
    with pytest.raises(tg.ShapeError, match="Reshape .* with these feeds"):
        session.run(total, {x: ones, y: np.ones(5, np.float32)})


def test_feeds_that_are_no_mapping(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    wrong: Any = [1.0]
    with pytest.raises(tg.FeedError, match=r"feeds maps operands to values, but is list \[1.0\]"):
        tg.Session(scope.graph).run(x, wrong)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.0, 0.0, 0.0], "the weights of the classes must be finite and not negative, and one must be positive"),
        ([0.0, 1.0, 0.0], "`num_sampled` is 2, but the number of classes that can be drawn is 1"),
    ],
)
def test_weights_of_classes_that_are_zero(scope: tg.Scope, weights: list[float], message: str) -> None:
    sampler = nn.FixedUnigramCandidateSampler.create(
        scope, [[1]], num_true=1, num_sampled=2, unique=True, range_max=3, unigrams=weights
    )
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError, match=message):
        session.run(sampler.sampled_candidates)
