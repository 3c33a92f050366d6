"""Kernels of `ops/sign_descent.yaml`: steps that depend on whether gradient and momentum agree in sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.updating import Step, whole


def _sign_descent(scale: Callable[[Namespace, Array, Array], Array]) -> Any:
    """The kernel whose step is the gradient times a function of a number and of the agreement of the signs."""

    def step(
        xp: Namespace, var: Array, m: Array, lr: Array, number: Array, sign_decay: Array, beta: Array, grad: Array
    ) -> tuple[Array, ...]:
        m = m * beta + grad * (1 - beta)
        agreement = sign_decay * (xp.sign(grad) * xp.sign(m))
        return var - lr * scale(xp, number, agreement) * grad, m

    kernel: Step = step
    return whole(kernel)


resource_apply_add_sign = _sign_descent(lambda xp, alpha, agreement: alpha + agreement)
resource_apply_power_sign = _sign_descent(lambda xp, logbase, agreement: xp.exp(logbase * agreement))
