"""Gradients of `ops/ctc.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import GradientError
from typegrad.graph.scope import Scope
from typegrad.op.core import Reshape
from typegrad.op.nn import CtcLoss, CTCLossV2
from typegrad.rules.common import Gradients, OutputGradients


def ctc_loss(scope: Scope, op: CtcLoss[Any] | CTCLossV2, grads: OutputGradients) -> Gradients:
    """The gradient of each loss times what the operation gives along with it."""
    if grads.connected(1):
        raise GradientError(
            f"the output `gradient` of {op.op.name!r} has no gradient: a CTC loss has no second derivative here; wrap "
            "`gradient` in core.StopGradient to take it for a constant"
        )
    return Reshape.create(scope, grads[0], [1, -1, 1]) * op.gradient
