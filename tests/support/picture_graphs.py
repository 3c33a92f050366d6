"""Graphs for tests of pictures."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.tools.pictures import Options

__all__ = ["chain", "lattice", "layers", "two_losses"]


def two_losses() -> tuple[tg.Graph, Options]:
    """A loss with StopGradient on one side, and its gradient: marks of every kind; and variables in scopes."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(None, 2))
    learned, teacher = (
        tg.Variable.create(scope.with_name(name), np.ones((2, 1), np.float32)) for name in ("learned", "given")
    )
    target = core.StopGradient.create(scope, linalg.MatMul.create(scope.with_name("Target"), x, teacher.read(scope)))
    difference = linalg.MatMul.create(scope, x, learned.read(scope)) - target
    loss = math.Mean.create(scope.with_name("Loss"), math.Square.create(scope, difference))
    tg.gradients(scope, loss, [learned])
    with_first = scope.with_sub_scope("report").with_control_dependencies([loss])
    core.NoOp.create(with_first.with_name("done"))
    core.Identity.create(with_first.with_name("loss"), loss)
    return graph, Options(y=loss, x=[learned, teacher])


def layers(count: int) -> tuple[tg.Graph, tg.Operand[tg.TFloat32]]:
    """Dense layers one after the other, each in a scope of its own with two variables in inner scopes."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    value: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 4))
    for number in range(count):
        inner = scope.with_sub_scope(f"layer{number}")
        weights = tg.Variable.create(inner.with_name("weights"), np.ones((4, 4), np.float32))
        bias = tg.Variable.create(inner.with_name("bias"), np.ones(4, np.float32))
        product = linalg.MatMul.create(inner, value, weights.read(inner))
        value = math.Tanh.create(inner, math.Add.create(inner, product, bias.read(inner)))
    return graph, value


def chain(count: int) -> tg.Graph:
    """Operations one after the other, without scopes."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    value: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 5))
    while len(graph) < count:
        value = math.Neg.create(scope, value)
    return graph


def lattice(count: int) -> tg.Graph:
    """Operations without scopes that each take two recent ones: many wires, many of them long."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    numbers = np.random.default_rng(0)
    values: list[tg.Operand[tg.TFloat32]] = [core.Placeholder.create(scope, tg.TFloat32, shape=(3, 5))]
    while len(graph) < count:
        near, far = (values[-int(numbers.integers(1, min(len(values), reach) + 1))] for reach in (6, 30))
        values.append(math.Add.create(scope, near, far))
    return graph
