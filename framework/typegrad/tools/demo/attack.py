"""Adversarial examples: inputs with small changes in the direction in which the loss increases fastest."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math
from typegrad.tools.demo.network import Floats

__all__ = ["fast_gradient_sign"]


def fast_gradient_sign(scope: tg.Scope, images: Floats, loss: Floats, size: float) -> Floats:
    """Move each pixel of `images` by `size` up or down to increase `loss`, clipped to between 0 and 1.

    The gradient is part of the graph, so each run computes the examples from the current weights. StopGradient makes
    them data: training on them does not differentiate through the attack. (The gradient of the sign is zero, which cuts
    this path, too; with other attacks, only StopGradient cuts it.)

    Source: Goodfellow, Shlens and Szegedy, "Explaining and harnessing adversarial examples" (2015).
    """
    with scope.with_sub_scope("attack") as scope:
        direction = math.Sign.create(scope, tg.grad(scope, loss, images))
        moved = core.ClipByValue.create(scope, images + direction * size, 0.0, 1.0)
        return core.StopGradient.create(scope, moved)
