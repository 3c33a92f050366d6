"""Gradients of `ops/creation.yaml`. Sizes known before the run become constants; others are computed in the run."""

from __future__ import annotations

from typing import Any

from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Fill, Sum
from typegrad.rules.common import Gradients


def fill(scope: Scope, op: Fill[Any], grad: Output[Any]) -> Gradients:
    """Every element is the value, so the gradients of all add up."""
    return Sum.create(scope, grad)
