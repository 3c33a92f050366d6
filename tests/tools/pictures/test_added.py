"""A graph knows which operations a gradient added, independent of their names."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from tools.pictures.examples import masked
from typegrad.op import core, math
from typegrad.training.optimizers import GradientDescent


def test_they_are_exactly_those_that_gradients_made() -> None:
    example = masked()
    assert len(example.graph.gradient_operations) == 0
    before = len(example.graph)
    tg.grad(example.scope, example.loss, example.w1)
    assert example.graph.gradient_operations == example.graph.operations[before:]


def test_names_do_not_count() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_name("gradients/x"), tg.TFloat32)
    inner = scope.with_sub_scope("gradients")
    y = math.Exp.create(inner, x)
    assert len(scope.graph.gradient_operations) == 0
    gradient = tg.grad(inner, y, x)
    added = {op.name for op in scope.graph.gradient_operations}
    assert gradient.as_output().op.name in added and not added & {"gradients/x", y.op.name}


def test_what_an_optimizer_adds_besides_is_its_own() -> None:
    example = masked()
    step = GradientDescent(example.graph, 0.1).minimize(example.loss)
    added = {op.name for op in example.graph.gradient_operations}
    assert added and all("/gradients/" in name for name in added)
    assert step.op.name not in added


def test_second_derivatives_and_constants_for_their_inputs_count() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3,))
    first = tg.grad(scope, core.Prod.create(scope, x), x)
    before = len(scope.graph)
    tg.grad(scope, first, x)
    assert set(scope.graph.operations[before:]) <= set(scope.graph.gradient_operations)


def test_rows_made_dense_later_count() -> None:
    scope = tg.Scope(tg.Graph())
    table = tg.Variable.create(scope, np.ones((3, 2), np.float32))
    rows = tg.grad(scope, core.Sum.create(scope, table.gather(scope, core.Constant.create(scope, [0, 2]))), table)
    before = len(scope.graph)
    rows.as_output()
    assert scope.graph.operations[before:]
    assert set(scope.graph.operations[before:]) <= set(scope.graph.gradient_operations)
