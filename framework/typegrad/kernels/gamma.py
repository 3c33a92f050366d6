"""Kernels of the functions around gamma in `ops/transcendental.yaml`, apart from the others because SciPy takes its time to load."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from typegrad.kernels.precision import widened


def lgamma(xp: Any, x: Any) -> Any:
    """The logarithm of the absolute value of the gamma function."""
    return widened(xp, lambda v: xp.where(xp.isinf(v), xp.abs(v), special.gammaln(v)), x)


def digamma(xp: Any, x: Any) -> Any:
    """The derivative of log gamma; nan at its poles."""
    return widened(
        xp, lambda v: xp.where((v <= 0) & (v == xp.floor(v)), xp.full_like(v, np.nan), special.digamma(v)), x
    )


def polygamma(xp: Any, a: Any, x: Any) -> Any:
    """The derivative of order `a` of the digamma function: (-1)^(a+1) a! zeta(a + 1, x); nan for other than whole orders."""
    is_order = (a >= 0) & (a == xp.floor(a))
    sign = xp.where(xp.fmod(a, 2) == 1, 1.0, -1.0)
    higher = sign * special.gamma(a + 1.0) * special.zeta(a + 1.0, x)
    value = xp.where(a == 0, digamma(xp, xp.broadcast_to(x, xp.broadcast_shapes(a.shape, x.shape))), higher)
    return xp.where(is_order, value, np.nan).astype(x.dtype)


def erfc(xp: Any, x: Any) -> Any:
    """1 - erf(x), accurate where that is small."""
    return widened(xp, special.erfc, x)
