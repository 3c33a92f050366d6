"""Graphs to draw."""

from __future__ import annotations

import numpy as np
from attrs import frozen

import typegrad as tg
from typegrad.op import core, linalg, math


@frozen
class Masked:
    """`w1` learns from `w2`, which lies behind a StopGradient."""

    graph: tg.Graph
    scope: tg.Scope
    x: tg.Operand[tg.TFloat32]
    w1: tg.Variable[tg.TFloat32, tuple[int, int]]
    w2: tg.Variable[tg.TFloat32, tuple[int, int]]
    loss: tg.Operand[tg.TFloat32]


def masked() -> Masked:
    """loss = mean((x w1 - stop(x w2))^2), with two sub-scopes and a named dimension."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=("Batch", 2))
    w1 = tg.Variable.create(scope.with_name("w1"), np.zeros((2, 1), np.float32))
    w2 = tg.Variable.create(scope.with_name("w2"), np.ones((2, 1), np.float32))
    student, teacher = scope.with_sub_scope("student"), scope.with_sub_scope("teacher")
    learned = linalg.MatMul.create(student, x, w1.read(student))
    target = core.StopGradient.create(teacher, linalg.MatMul.create(teacher, x, w2.read(teacher)))
    square = math.Square.create(scope.with_name("square"), learned - target)
    return Masked(scope.graph, scope, x, w1, w2, math.Mean.create(scope.with_name("loss"), square))
