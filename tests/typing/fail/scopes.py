"""Operations go into a scope."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import math


def scopes(graph: tg.Graph, scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    math.Neg.create(graph, x)  # E: arg-type / reportArgumentType
    math.Neg.create(x)  # E: arg-type, call-arg / reportCallIssue
    math.Neg.create(scope)  # E: call-arg / reportCallIssue
    math.Neg(scope, x)  # E: arg-type, call-arg / reportCallIssue
    tg.Scope()  # E: call-arg / reportCallIssue
    tg.Scope(scope)  # E: arg-type / reportArgumentType
    scope.with_name(3)  # E: arg-type / reportArgumentType
    scope.with_control_dependencies(x)  # E: arg-type / reportArgumentType
    scope.device = "/cpu:0"  # E: misc / reportAttributeAccessIssue
    tg.Session(scope)  # E: arg-type / reportArgumentType
