"""What operations cost: `Session.profile`, `Session.trace`."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.base.location import frame
from typegrad.op import core, linalg, math, random
from typegrad.session import program

ONES = np.ones((4, 3), np.float32)


class Model:
    """A product and its sum; a step that adds 1 to a count."""

    def __init__(self) -> None:
        scope = tg.Scope(tg.Graph(seed=1))
        self.x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (None, 3))
        self.line = frame().f_lineno + 1
        self.product = linalg.MatMul.create(scope.with_name("product"), self.x, np.ones((3, 2), np.float32))
        self.loss = core.Sum.create(scope.with_name("loss"), self.product, (0, 1))
        self.count = tg.Variable.create(scope, np.zeros((), np.float32))
        self.step = self.count.assign_add(scope, 1.0)
        self.noise = math.AddN.create(scope, [random.RandomUniform.create(scope, (2,), tg.TFloat32)] * 2)
        self.graph = scope.graph
        self.session = tg.Session(scope.graph)


@pytest.fixture(params=["compiled", "loop"])
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Model:
    if request.param == "loop":
        monkeypatch.setattr(program, "COMPILED", 0)
    return Model()


def events(path: Path, kind: str) -> list[dict[str, Any]]:
    return [event for event in json.loads(path.read_text())["traceEvents"] if event["cat"] == kind]


# Profile


def test_each_operation_has_its_cost(model: Model) -> None:
    profile = model.session.profile([model.loss, model.noise], {model.x: ONES}, runs=3)
    costs = {cost.op.name: cost for cost in profile.costs}
    assert {"product", "loss"} < costs.keys()
    assert sum(cost.share for cost in profile.costs) == pytest.approx(1)
    assert [cost.seconds for cost in profile.costs] == sorted((each.seconds for each in profile.costs), reverse=True)
    product = costs["product"]
    assert (product.shape, product.bytes, product.flops) == ("[4, 2]", 4 * (12 + 6 + 8), 48)
    assert product.gflops == 48 / product.seconds / 1e9
    assert profile.by_operation[model.product.op] is product
    assert profile.seconds >= sum(cost.seconds for cost in profile.costs) * 0.5


def test_the_runs_are_real_and_one_is_not_counted(model: Model) -> None:
    profile = model.session.profile(model.step, runs=4)
    assert profile.runs == 4 and model.session.value(model.count) == 5


def test_the_table_names_operations_and_the_lines_that_made_them(model: Model) -> None:
    text = str(model.session.profile(model.loss, {model.x: ONES}, runs=1))
    title, head, _, *rows = text.splitlines()
    assert re.fullmatch(r"2 operations, [\d.]+ (us|ms) a run, median of 1", title)
    assert head.split() == ["time", "share", "GFLOP/s", "MiB", "operation", "shape", "name", "created", "at"]
    (row,) = (row for row in rows if "MatMul" in row)
    assert re.search(rf"MatMul +\[4, 2\] +product +test_profile\.py:{model.line}$", row)


def test_what_reads_a_variable_is_the_variable(model: Model) -> None:
    doubled = math.Mul.create(tg.Scope(model.graph), model.count, 2.0)
    text = str(model.session.profile(doubled, runs=1))
    assert re.search(rf"(?m)ReadVariableOp +\[\] +Variable +test_profile\.py:{model.line + 2}$", text)


def test_a_long_table_ends_with_the_rest(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, ())
    y: tg.Operand[tg.TFloat32] = x
    for _ in range(23):
        y = math.Tanh.create(scope, y)
    lines = str(tg.Session(scope.graph).profile(y, {x: 1.0}, runs=1)).splitlines()
    assert len(lines) == 3 + 20 + 1
    assert lines[-1].endswith("3 more")


def test_nothing_to_run() -> None:
    assert str(tg.Session(tg.Graph()).profile([])).startswith("0 operations")


def test_what_is_not_fed_is_an_error(model: Model) -> None:
    with pytest.raises(tg.FeedError, match="'x:0'.*must be fed"):
        model.session.profile(model.loss)


def test_runs_must_be_positive(model: Model) -> None:
    with pytest.raises(tg.OptionError, match="runs, the number of runs to measure, is 1 or more; got 0"):
        model.session.profile(model.loss, {model.x: ONES}, runs=0)
    assert model.session.value(model.count) == 0


# Trace


def test_a_trace_has_an_event_for_each_run_and_each_step(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    with model.session.trace(path):
        for _ in range(2):
            model.session.run(model.loss, {model.x: ONES})
    model.session.run(model.loss, {model.x: ONES})
    runs, steps = events(path, "run"), events(path, "operation")
    assert [run["name"] for run in runs] == ["run 0", "run 1"]
    assert [step["name"] for step in steps] == ["MatMul", "Sum"] * 2
    for step, run in zip(steps, (runs[0], runs[0], runs[1], runs[1]), strict=True):
        assert step["ph"] == "X"
        assert run["ts"] <= step["ts"] and step["ts"] + step["dur"] <= run["ts"] + run["dur"]
    details = steps[0]["args"]
    assert details.pop("GFLOP/s") >= 0
    assert details == {
        "name": "product",
        "inputs": "[4, 3], [3, 2]",
        "outputs": "[4, 2]",
        "bytes": 4 * (12 + 6 + 8),
        "flops": 48,
        "created at": f"{__file__}:{model.line}",
    }


def test_a_trace_is_of_one_session_and_one_thread(model: Model, tmp_path: Path) -> None:
    path, other = tmp_path / "trace.json", tg.Session(model.graph)
    with model.session.trace(path):
        other.run(model.loss, {model.x: ONES})
        thread = threading.Thread(target=model.session.run, args=(model.loss, {model.x: ONES}))
        thread.start()
        thread.join()
    assert events(path, "run") == []


def test_a_failing_run_is_traced_and_undone(model: Model, tmp_path: Path) -> None:
    path, scope = tmp_path / "trace.json", tg.Scope(model.graph)
    index = core.Placeholder.create(scope, tg.TInt32, ())
    picked = core.Gather.create(scope.with_control_dependencies([model.step]), model.product, index)
    feeds: dict[tg.Operand[Any, Any], Any] = {model.x: ONES, index: 9}
    with pytest.raises(tg.InvalidArgumentError, match="Gather") as expected:
        model.session.run((model.step, picked), feeds)
    with model.session.trace(path), pytest.raises(tg.InvalidArgumentError) as error:
        model.session.run((model.step, picked), feeds)
    assert str(error.value) == str(expected.value)
    assert len(events(path, "run")) == 1
    assert model.session.value(model.count) == 0


def test_the_file_of_a_trace_must_be_writable(model: Model, tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), model.session.trace(tmp_path):
        model.session.run(model.step)
    assert model.session.value(model.count) == 0


def test_results_are_those_of_a_run(model: Model, tmp_path: Path) -> None:
    fetches, feeds = (model.loss, model.step, model.product), {model.x: ONES + 1}
    plain = model.session.run(fetches, feeds)
    with model.session.trace(tmp_path / "trace.json"):
        traced = model.session.run(fetches, feeds)
    np.testing.assert_array_equal(traced[0], plain[0])
    assert traced[1] is None and model.session.value(model.count) == 2
    np.testing.assert_array_equal(traced[2], plain[2])
