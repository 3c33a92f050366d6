"""Optimizers take a loss and variables."""

from __future__ import annotations

import typegrad as tg
from typegrad.optimizers import GradientDescent
from typegrad.optimizers.optimizer import Optimizer


def optimizers(graph: tg.Graph, scope: tg.Scope, loss: tg.Operand[tg.TFloat32], v: tg.Variable[tg.TFloat32]) -> None:
    GradientDescent(graph)  # E: - / reportCallIssue
    GradientDescent(scope, 0.1)  # E: - / reportArgumentType
    GradientDescent(graph, "0.1")  # E: - / reportArgumentType
    optimizer = GradientDescent(graph, 0.1)
    optimizer.minimize(v)  # E: - / reportArgumentType
    optimizer.minimize(loss, v)  # E: - / reportArgumentType
    optimizer.minimize(loss, [loss])  # E: - / reportArgumentType
    optimizer.apply_gradients([v])  # E: - / reportArgumentType
    optimizer.apply_gradients([(v, loss)])  # E: - / reportArgumentType
    Optimizer(graph)  # E: - / reportAbstractUsage
