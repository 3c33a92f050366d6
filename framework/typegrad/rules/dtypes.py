"""Gradients of `ops/dtypes.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.graph.operand import AnyOutput
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Cast
from typegrad.rules.common import Gradients


def cast(scope: Scope, op: Cast[Any, Any], grad: AnyOutput) -> Gradients:
    """Cast back. A complex gradient of a real number keeps its real part."""
    return Cast.create(scope, grad, op.inputs.x.dtype)
