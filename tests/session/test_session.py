"""What a run returns, and that nobody can change a graph or a session by writing to it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math


def test_one_fetch_gives_an_array(scope: tg.Scope) -> None:
    value = tg.Session(scope.graph).run(core.Constant.create(scope, 2.5))
    assert type(value) is np.ndarray and value.shape == () and value.dtype == np.float32 and value == 2.5


def test_fetches_come_back_as_they_were_asked_for(scope: tg.Scope) -> None:
    x, y = core.Constant.create(scope, 1), core.Constant.create(scope, 2)
    session = tg.Session(scope.graph)
    assert session.run([x, y]) == [1, 2]
    assert session.run((y, x)) == (np.array(2), np.array(1))
    assert session.run({"a": x, "b": y}) == {"a": 1, "b": 2}
    assert session.run([]) == []


def test_an_operation_gives_none(scope: tg.Scope) -> None:
    x, done = core.Constant.create(scope, 1), core.NoOp.create(scope)
    session = tg.Session(scope.graph)
    result: Any = session.run(done)
    assert result is None
    assert session.run([x, done, done.op]) == [1, None, None]


def test_the_runner_of_tensorflow_java(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    w = tg.Variable.create(scope, 0.0)
    with tg.Session(scope.graph) as session:
        runner = session.runner().feed(x, 2.0).fetch(x * 3.0).fetch(x).add_target(w.assign(scope, 5.0))
        assert runner.run() == [6.0, 2.0]
        assert session.value(w) == 5.0


def test_any_operand_can_be_fed(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 2.0)
    y = math.Square.create(scope, x)
    z = math.Neg.create(scope, y)
    session = tg.Session(scope.graph)
    assert session.run([x, y, z]) == [2.0, 4.0, -4.0]
    assert session.run([x, y, z], {y: 9.0}) == [2.0, 9.0, -9.0]
    assert session.run([x, y, z], {x: 3.0}) == [3.0, 9.0, -9.0]


def test_one_output_of_several_can_be_fed(scope: tg.Scope) -> None:
    first, second = core.Unstack.create(scope, core.Constant.create(scope, [1.0, 2.0]), num=2).output
    assert tg.Session(scope.graph).run([first, second], {first: 7.0}) == [7.0, 2.0]


def test_python_numbers_and_lists_become_arrays_of_the_operands_type(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat64)
    value = tg.Session(scope.graph).run(x, {x: [[1, 2.5], [3, 4.5]]})
    assert value.dtype == np.float64 and value.tolist() == [[1.0, 2.5], [3.0, 4.5]]


def test_results_belong_to_the_caller(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    constant = core.Constant.create(scope, np.ones(3, np.float32))
    w = tg.Variable.create(scope, np.ones(3, np.float32))
    copies = [core.Identity.create(scope, operand) for operand in (x, constant, w.read(scope))]
    fed = np.ones(3, np.float32)
    with tg.Session(scope.graph) as session:
        for value in session.run([x, constant, *copies, *copies], {x: fed}):
            assert (value == 1).all()
            value[...] = 5.0
        assert (fed == 1).all()
        assert all((value == 1).all() for value in session.run(copies, {x: fed}))


def test_a_constant_does_not_see_later_changes_of_its_array(scope: tg.Scope) -> None:
    array = np.zeros(2, np.float32)
    constant = core.Constant.create(scope, array)
    array[:] = 9
    assert tg.Session(scope.graph).run(constant).tolist() == [0, 0]


def test_a_graph_may_grow_while_a_session_is_open(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, 2.0)
    session = tg.Session(scope.graph)
    assert session.run(x) == 2.0
    w = tg.Variable.create(scope, 3.0)
    assert session.run(x * w.read(scope)) == 6.0


def test_a_named_dimension_accepts_any_size(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("batch", 2))
    y = linalg.MatMul.create(scope, x, core.Constant.create(scope, np.ones((2, 1), np.float32)))
    assert y.shape == tg.Shape.of("batch", 1)
    session = tg.Session(scope.graph)
    for size in (0, 1, 5):
        assert session.run(y, {x: np.ones((size, 2), np.float32)}).shape == (size, 1)


def test_only_what_is_needed_runs(scope: tg.Scope) -> None:
    unfed = core.Placeholder.create(scope, tg.TFloat32)
    math.Neg.create(scope, unfed)
    assert tg.Session(scope.graph).run(core.Constant.create(scope, 1.0)) == 1.0


def test_names_and_constants_never_become_code(scope: tg.Scope) -> None:
    text = "');import os;('"
    named = scope.with_name("a/b>c\\d-e.f")
    assert tg.Session(scope.graph).run(core.Identity.create(named, core.Constant.create(scope, text))) == text.encode()


def test_threads_share_a_session(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TInt64, shape=())
    w = tg.Variable.create(scope, np.int64(0).reshape(()))
    add = w.assign_add(scope, x)
    pair = [w.read(scope), w.read(scope)]
    torn: list[Any] = []
    session = tg.Session(scope.graph)

    def work() -> None:
        for _ in range(100):
            session.run(add, {x: 1})
            a, b = session.run(pair)
            if a != b:
                torn.append((a, b))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not torn and session.value(w) == 800
