"""Gradients of `ops/creation.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.graph.operand import AnyOutput
from typegrad.graph.scope import Scope
from typegrad.op.core import Fill, Sum
from typegrad.rules.common import Gradients


def fill(scope: Scope, op: Fill[Any], grad: AnyOutput) -> Gradients:
    return Sum.create(scope, grad)
