"""Kernels of `ops/bessel.yaml`. SciPy has these functions, for NumPy's arrays only."""

from __future__ import annotations

from scipy import special

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def bessel_i0(xp: Namespace, x: Array) -> Array:
    """The modified function of order 0."""
    return widened(xp, special.i0, x)


def bessel_i0e(xp: Namespace, x: Array) -> Array:
    """The modified function of order 0, scaled by exp(-|x|)."""
    return widened(xp, special.i0e, x)


def bessel_i1(xp: Namespace, x: Array) -> Array:
    """The modified function of order 1."""
    return widened(xp, special.i1, x)


def bessel_i1e(xp: Namespace, x: Array) -> Array:
    """The modified function of order 1, scaled by exp(-|x|)."""
    return widened(xp, special.i1e, x)
