"""Adversarial examples: inputs changed a little, in the direction in which the loss grows fastest."""

from __future__ import annotations

import typegrad as tg
from typegrad.demo.network import Floats
from typegrad.op import core, math

__all__ = ["fast_gradient_sign"]


def fast_gradient_sign(scope: tg.Scope, images: Floats, loss: Floats, size: float) -> Floats:
    """`images`, each pixel moved by `size` up or down to raise `loss`, and kept between 0 and 1.

    The gradient is a part of the graph like any other, so the examples are made anew in each run, from the weights of that moment.
    StopGradient makes them data: a loss on them trains the network to classify what it is shown, and never differentiates the
    making of the examples.

    Source: Goodfellow, Shlens and Szegedy, "Explaining and harnessing adversarial examples" (2015).
    """
    direction = math.Sign.create(scope, tg.grad(scope, loss, images))
    step = math.Mul.create(scope, direction, core.Constant.create(scope, size))
    zero, one = core.Constant.create(scope, 0.0), core.Constant.create(scope, 1.0)
    moved = math.Add.create(scope, images, step)
    clipped = math.Minimum.create(scope, math.Maximum.create(scope, moved, zero), one)
    return core.StopGradient.create(scope, clipped)
