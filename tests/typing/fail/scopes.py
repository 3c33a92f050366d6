"""Operations go into a scope."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import math


def scopes(graph: tg.Graph, scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    math.Neg.create(graph, x)  # E: - / reportArgumentType
    math.Neg.create(x)  # E: - / reportCallIssue
    math.Neg.create(scope)  # E: - / reportCallIssue
    math.Neg(scope, x)  # E: - / reportCallIssue
    tg.Scope()  # E: - / reportCallIssue
    tg.Scope(scope)  # E: - / reportArgumentType
    scope.with_name(3)  # E: - / reportArgumentType
    scope.with_control_dependencies(x)
    scope.device = "/cpu:0"
    tg.Session(scope)  # E: - / reportArgumentType
