"""Adversarial examples: inputs changed a little, in the direction in which the loss grows fastest."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math
from typegrad.tools.demo.network import Floats

__all__ = ["fast_gradient_sign"]


def fast_gradient_sign(scope: tg.Scope, images: Floats, loss: Floats, size: float) -> Floats:
    """`images`, each pixel moved by `size` up or down to raise `loss`, and kept between 0 and 1.

    The gradient is part of the graph like anything else, so each run makes the examples anew, from the weights of that moment.
    StopGradient makes them data: whoever trains on them learns to classify what is shown, and does not differentiate through the
    attack. (The sign, being flat, would cut that path by itself; an attack by another rule is cut by StopGradient alone.)

    Source: Goodfellow, Shlens and Szegedy, "Explaining and harnessing adversarial examples" (2015).
    """
    with scope.with_sub_scope("attack") as scope:
        direction = math.Sign.create(scope, tg.grad(scope, loss, images))
        moved = core.ClipByValue.create(scope, images + direction * size, 0.0, 1.0)
        return core.StopGradient.create(scope, moved)
