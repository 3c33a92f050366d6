"""What TensorFlow Java's `SessionTest` holds of a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg


@pytest.fixture
def product(graph: tg.Graph) -> tg.Session:
    """Y = transpose(A) X, where A is [[2], [3]]."""
    scope = tg.Scope(graph)
    a = core.Constant.create(scope.with_name("A"), [[2], [3]])
    x = core.Placeholder.create(scope.with_name("X"), tg.TInt32)
    linalg.MatMul.create(scope.with_name("Y"), a, x, transpose_a=True)
    return tg.Session(graph)


def test_feeds_and_fetches_by_the_names_of_operations(product: tg.Session) -> None:
    (value,) = product.runner().feed("X", [[5], [7]]).fetch("Y").run()
    assert value.tolist() == [[31]]


def test_feeds_and_fetches_outputs_of_operations(product: tg.Session) -> None:
    feed, fetch = product.graph.operation("X").output(0), product.graph.operation("Y").output(0)
    (value,) = product.runner().feed(feed, [[5], [7]]).fetch(fetch).run()
    assert value.tolist() == [[31]]


def test_feeds_and_fetches_outputs_of_the_graph(product: tg.Session) -> None:
    x, y = product.graph.output("X"), product.graph.output("Y:0")
    assert product.run(y, {x: [[5], [7]]}).tolist() == [[31]]


def test_feeds_and_fetches_by_the_names_of_outputs(graph: tg.Graph, tf: tg.Ops) -> None:
    first, second = tf.split(0, [1, 2, 3, 4], num_split=2).output
    tf.math.add(first, second)
    session = tg.Session(graph)
    assert session.runner().fetch("Split:1").run()[0].tolist() == [3, 4]
    runner = session.runner().feed("Split:0", [4, 3]).feed("Split:1", [2, 1]).fetch("Add")
    assert runner.run()[0].tolist() == [6, 4]


def test_several_fetches_come_in_the_order_of_the_calls(graph: tg.Graph, tf: tg.Ops) -> None:
    tf.with_name("c1").constant(2718)
    tf.with_name("c2").constant(31415)
    assert tg.Session(graph).runner().fetch("c2").fetch("c1").run() == [31415, 2718]


def test_targets_by_name(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    v = tg.Variable.create(scope.with_name("v"), 1)
    v.assign(scope.with_name("train"), 2)
    with tg.Session(graph) as session:
        assert session.runner().add_target("train").fetch("v").run() == [2]
        assert session.runner().add_target("train").add_target(v).run() == []


def test_a_closed_session_refuses_to_run(graph: tg.Graph) -> None:
    session = tg.Session(graph)
    session.close()
    with pytest.raises(tg.SessionClosedError):
        session.runner().run()


def test_variables_with_and_without_an_initial_value_are_initialized(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    init = scope.with_init_scope()
    first = tg.Variable.create(init, shape=(), dtype=tg.TInt32)
    first.assign(init, core.Constant.create(init, 10))
    second = tg.Variable.create(init, core.Constant.create(init, 20))
    total = first + second
    with tg.Session(graph, auto_init=False) as session:
        session.initialize()
        assert session.runner().fetch(total).run() == [30]


def test_another_session_goes_on_with_what_was_saved(graph: tg.Graph, tf: tg.Ops, tmp_path: Path) -> None:
    scope = tg.Scope(graph)
    for name in "xy":
        tg.Variable.create(scope.with_name(name), tf.random.random_uniform((3, 3), tg.TFloat32))
    with tg.Session(graph) as session, tg.Session(graph) as restored:
        session.save(tmp_path / "checkpoint")
        restored.restore(tmp_path / "checkpoint")
        old, new = (one.runner().fetch("x").fetch("y").run() for one in (session, restored))
    assert np.array_equal(old, new)


def test_the_handle_of_a_variable_is_fetched_as_its_value_without_a_new_operation(graph: tg.Graph) -> None:
    scope = tg.Scope(graph)
    handle = core.VarHandleOp.create(scope, tg.TInt32, shape=())
    assign = core.AssignVariableOp.create(scope, handle, core.Constant.create(scope, 2))
    operations = len(graph)
    assert tg.Session(graph).runner().add_target(assign).fetch(handle).run() == [2]
    assert len(graph) == operations


def test_the_runner_refuses_at_once(graph: tg.Graph, tf: tg.Ops) -> None:
    loss = tf.with_name("loss").constant(1)
    elsewhere = tg.Ops.create(tg.Graph()).with_name("elsewhere").constant(1)
    runner: Any = tg.Session(graph).runner()
    several = core.Split.create(tg.Scope(graph), 0, [1, 2], num_split=2)
    refusals: list[tuple[Callable[[], object], type[tg.TypegradError], str]] = [
        (lambda: runner.fetch("los"), tg.GraphError, r"no operation is called 'los'; did you mean 'loss'\?"),
        (lambda: runner.fetch("loss:2"), tg.GraphError, "has 1 output, counted from 0; 2 is none of them"),
        (lambda: runner.fetch(elsewhere), tg.GraphError, "'elsewhere' .* belongs to another graph than this session"),
        (
            lambda: runner.fetch(loss.op),
            tg.DTypeError,
            "argument `operand` must be an Operand or a string, not Operation",
        ),
        (lambda: runner.fetch(several), tg.DTypeError, "take one output of an operation that has several"),
        (lambda: runner.fetch([loss]), tg.DTypeError, "must be an Operand or a string, not list"),
        (lambda: runner.add_target("los"), tg.GraphError, "no operation is called 'los'"),
        (lambda: runner.add_target(elsewhere), tg.GraphError, "belongs to another graph"),
        (lambda: runner.feed("los", 1), tg.GraphError, "no operation is called 'los'"),
        (lambda: runner.feed(elsewhere, 1), tg.GraphError, "the fed .* belongs to another graph"),
    ]
    for call, error, message in refusals:
        with pytest.raises(error, match=message):
            call()
    assert runner.fetch(loss).run() == [1]
