"""Gradients of `ops/graph.yaml`."""

from __future__ import annotations

from typegrad.gradients.common import Gradient, OutputGradients
from typegrad.op.core import IdentityN
from typegrad.scope import Scope


def identity_n(scope: Scope, op: IdentityN, grads: OutputGradients) -> list[Gradient]:
    """Each output's gradient is that of its input."""
    return [grads[i] if grads.connected(i) else None for i in range(len(grads))]
