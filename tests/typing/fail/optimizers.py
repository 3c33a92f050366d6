"""Optimizers take a loss and variables."""

from __future__ import annotations

import typegrad as tg
from typegrad.training.optimizers import GradientDescent
from typegrad.training.optimizers.optimizer import Optimizer


def optimizers(graph: tg.Graph, scope: tg.Scope, loss: tg.Operand[tg.TFloat32], v: tg.Variable[tg.TFloat32]) -> None:
    GradientDescent(scope, 0.1)  # E: arg-type / reportArgumentType
    GradientDescent(graph, "0.1")  # E: arg-type / reportArgumentType
    optimizer = GradientDescent(graph, 0.1)
    optimizer.minimize(0.5)  # E: arg-type / reportArgumentType
    optimizer.minimize(loss, v)  # E: arg-type / reportArgumentType
    optimizer.minimize(loss, [loss])  # E: list-item / reportArgumentType
    optimizer.apply_gradients([v])  # E: list-item / reportArgumentType
    optimizer.apply_gradients([(v, loss)])  # E: list-item / reportArgumentType
    optimizer.apply_gradients([(loss, v, v)])  # E: list-item / reportArgumentType
    optimizer.apply_gradients([[1.0, v]])  # E: list-item / reportArgumentType
    optimizer.apply_gradients(zip([v], [loss], strict=True))  # E: list-item / reportArgumentType
    optimizer.apply_gradients(zip([v], tg.gradients(scope, loss, [v]), strict=True))  # E: arg-type / reportArgumentType
    Optimizer(graph)  # E: abstract, call-arg / reportAbstractUsage, reportCallIssue
