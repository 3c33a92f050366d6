"""Gradients of `ops/rounding.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.math import NextAfter
from typegrad.rules.common import F, Gradients


def next_after(scope: Scope, op: NextAfter[F], grad: Output[F]) -> Gradients:
    return grad
