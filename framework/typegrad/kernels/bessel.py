"""Kernels of `ops/bessel.yaml`. SciPy has these functions, for NumPy's arrays only."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

_NEAR: Final = 1e-310
"""Where the function K1 is infinite; SciPy's is nan at the least number above 0."""


def bessel_i0(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 0."""
    return widened(xp, special.i0, x)


def bessel_i0e(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 0, scaled by exp(-|x|)."""
    return widened(xp, special.i0e, x)


def bessel_i1(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 1."""
    return widened(xp, special.i1, x)


def bessel_i1e(xp: Namespace, x: Array) -> Array:
    """The modified function of the first kind of order 1, scaled by exp(-|x|)."""
    return widened(xp, special.i1e, x)


def bessel_j0(xp: Namespace, x: Array) -> Array:
    """The function of the first kind of order 0."""
    return widened(xp, special.j0, x)


def bessel_j1(xp: Namespace, x: Array) -> Array:
    """The function of the first kind of order 1."""
    return widened(xp, special.j1, x)


def bessel_y0(xp: Namespace, x: Array) -> Array:
    """The function of the second kind of order 0."""
    return widened(xp, lambda v: xp.where(v < 0, -np.inf, special.y0(v)).astype(v.dtype), x)


def bessel_y1(xp: Namespace, x: Array) -> Array:
    """The function of the second kind of order 1."""
    return widened(xp, lambda v: xp.where(v < 0, -np.inf, special.y1(v)).astype(v.dtype), x)


def bessel_k0(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 0."""
    return widened(xp, lambda v: xp.where(v < 0, np.inf, special.k0(v)).astype(v.dtype), x)


def bessel_k0e(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 0, scaled by exp(x)."""
    return widened(xp, lambda v: xp.where(v < 0, np.inf, special.k0e(v)).astype(v.dtype), x)


def bessel_k1(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 1."""
    return widened(xp, lambda v: xp.where(v < 0, np.inf, special.k1(v)).astype(v.dtype), x)


def bessel_k1e(xp: Namespace, x: Array) -> Array:
    """The modified function of the second kind of order 1, scaled by exp(x)."""
    return widened(xp, lambda v: xp.where(v < 0, np.inf, special.k1e(xp.maximum(v, _NEAR))).astype(v.dtype), x)
