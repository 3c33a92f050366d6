"""`session.explain`: what it tells of a run, in numbers and as text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, train


@pytest.fixture
def model() -> tuple[tg.Session, Any, Any]:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(1000, 200))
    w = tg.Variable.create(scope.with_name("w"), np.ones((100, 200), np.float32))
    product = linalg.MatMul.create(scope, x, linalg.Transpose.create(scope, w, [1, 0]))
    y = core.Identity.create(scope, math.Exp.create(scope.with_name("y"), -product * 1.0) + math.Exp.create(scope, 1.0))
    return tg.Session(scope.graph), x, y


def test_the_numbers(model: tuple[tg.Session, Any, Any]) -> None:
    session, x, y = model
    explanation = session.explain(y, [x])
    assert explanation.passes == {
        **dict.fromkeys(["transposes", "unused", "fusion"], 1),
        "constant_folding": 4,
        "simplification": 2,
        **dict.fromkeys(["common_subexpressions", "broadcasts", "sums", "reads"], 0),
    }
    operations = [step.operations for step in explanation.steps]
    assert operations == [("ReadVariableOp",), ("MatMul",), ("Neg", "Exp", "AddV2")]
    assert [step.kernel for step in explanation.steps] == ["typegrad", "typegrad", "fused"]
    assert [step.bytes for step in explanation.steps] == [80_000, 400_000, 400_000]
    assert [step.flops for step in explanation.steps] == [None, 2 * 1000 * 100 * 200, 3 * 1000 * 100]
    assert explanation.flops == 40_300_000 and explanation.bytes == 880_000
    assert explanation.peak_bytes == 800_000 and explanation.constant_bytes == 4
    assert explanation.operations > len(explanation.steps) and explanation.steps[1].outputs == ("float32 [1000, 100]",)


def test_a_read_is_the_variable(model: tuple[tg.Session, Any, Any]) -> None:
    session, x, y = model
    step = session.explain(y, [x]).steps[0]
    (variable,) = session.graph.variables
    assert (step.name, step.line) == ("w", variable.handle.op.created_at)


def test_without_passes(model: tuple[tg.Session, Any, Any]) -> None:
    session, x, y = model
    explanation = tg.Session(session.graph, passes=()).explain(y, {x: np.ones((1000, 200), np.float32)})
    assert not explanation.passes and explanation.operations == len(explanation.steps) + 1  # the handle is not a step
    assert [step.kernel for step in explanation.steps if step.operations == ("Exp",)] == ["numpy.exp"] * 2


@pytest.mark.parametrize(
    ("dtype", "kernel"), [(tg.TFloat32, "numpy.matmul"), (tg.TInt64, "numpy.matmul"), (tg.TFloat16, "typegrad")]
)
def test_products_of_matrices_that_are_one_call_of_numpy(dtype: type[Any], kernel: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, dtype, shape=(2, 2))
    products = [linalg.MatMul.create(scope, x, x), train.BatchMatMul.create(scope, x, x, dtype)]
    with tg.Session(scope.graph) as session:
        assert [step.kernel for step in session.explain(products, [x]).steps] == [kernel] * 2
        transposed = session.explain(linalg.MatMul.create(scope, x, x, transpose_a=True), [x])
        assert [step.kernel for step in transposed.steps] == ["typegrad"]


def test_the_text(model: tuple[tg.Session, Any, Any]) -> None:
    session, _, y = model
    first, head, *rows, last = str(session.explain(y, ["x:0"])).splitlines()
    assert re.fullmatch(r"\d+ operations, 3 steps; passes: constant_folding 4, .*fusion 1", first)
    assert head.split() == ["step", "operations", "kernel", "results", "bytes", "FLOP", "created", "at"]
    assert re.search(r"Neg Exp AddV2 +fused +float32 \[1000, 100\] +400,000 +300,000 +test_explain.py:\d+$", rows[2])
    assert last == (
        "in all: 880,000 bytes, at most 800,000 at one time; constants: 4 bytes; 40,300,000 FLOP that are known"
    )


def test_shapes_that_are_not_known() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("n",))
    explanation = tg.Session(scope.graph).explain([math.Exp.create(scope, -x)], [x])
    assert explanation.bytes is explanation.peak_bytes is explanation.steps[0].flops is None
    assert "unknown bytes" in str(explanation)


def test_errors_are_those_of_a_run(model: tuple[tg.Session, Any, Any]) -> None:
    session, x, y = model
    with pytest.raises(tg.FeedError, match="'x:0'.* must be fed"):
        session.explain(y)
    with pytest.raises(tg.GraphError, match="no operation is called 'z'"):
        session.explain(y, ["z"])
    session.close()
    with pytest.raises(tg.SessionClosedError):
        session.explain(y, [x])
