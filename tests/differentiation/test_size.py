"""Gradients of large graphs: linear in what lies between y and x, without recursion."""

from __future__ import annotations

import sys
from traceback import walk_stack

import numpy as np

import typegrad as tg
from typegrad.op import core, math

LENGTH = 20_000


def test_a_long_chain_needs_no_deep_stack() -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat64, shape=())
    y: tg.Operand[tg.TFloat64] = x
    for _ in range(LENGTH):
        y = math.Neg.create(scope, y)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300 + len(list(walk_stack(None))))
    try:
        grad = tg.grad(scope, y, x)
        with tg.Session(graph) as session:
            assert session.run(grad, {x: 1.0}) == 1.0
    finally:
        sys.setrecursionlimit(limit)
    assert len(graph) < 2 * LENGTH + 10


def test_a_value_used_by_all_is_summed_once() -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat64, shape=())
    y = math.AddN.create(scope, [math.Neg.create(scope, x) for _ in range(500)])
    grad = tg.grad(scope, y, x)
    with tg.Session(graph) as session:
        assert session.run(grad, {x: 1.0}) == -500.0


def test_only_what_lies_between_is_visited() -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    before: tg.Operand[tg.TFloat64] = core.Constant.create(scope, np.float64(1.0))
    for _ in range(100):
        before = math.Exp.create(scope, before)
    x = core.Constant.create(scope, np.float64(1.0))
    y = x * before
    aside: tg.Operand[tg.TFloat64] = x
    for _ in range(100):
        aside = math.Exp.create(scope, aside)
    size = len(graph)
    tg.grad(scope, y, x)
    assert len(graph) - size < 5


def test_high_orders() -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat64, shape=())
    y: tg.Operand[tg.TFloat64] = math.Exp.create(scope, x * 2.0)
    for _ in range(6):
        y = tg.grad(scope, y, x)
    with tg.Session(graph) as session:
        np.testing.assert_allclose(session.run(y, {x: 0.5}), 64 * np.exp(1.0), rtol=1e-12)


def test_a_value_that_is_also_asked_for_is_summed_once() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat64, shape=())
    h = math.Exp.create(scope, x)
    gradients = tg.gradients(scope, math.Mul.create(scope, h, math.Sin.create(scope, h)), [h, x])
    assert all(gradient is not None for gradient in gradients)
    assert [op.type for op in scope.graph].count("AddN") == 1
