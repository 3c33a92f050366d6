"""Kernels of `ops/complex.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.kernels.namespace import Array, DType, Namespace


def complex_(xp: Namespace, real: Array, imag: Array, *, tout: DType) -> Array:
    """Complex numbers from their parts."""
    real, imag = xp.broadcast_arrays(real, imag)
    # Not real + 1j * imag, which makes nan of an infinite part.
    return xp.stack([real, imag], axis=-1).view(tout)[..., 0]


def real(xp: Namespace, x: Array) -> Array:
    """The real part."""
    return xp.real(x)


def imag(xp: Namespace, x: Array) -> Array:
    """The imaginary part."""
    return xp.imag(x)


def conj(xp: Namespace, x: Array) -> Array:
    """The complex conjugate."""
    return xp.conjugate(x)


def conjugated(xp: Namespace, x: Array) -> Array:
    """The complex conjugate; a real number is its own, without a copy."""
    return xp.conjugate(x) if x.dtype.kind == "c" else x


def over_real(xp: Namespace, x: Array, divisor: Any) -> Array:
    """x, divided by real numbers: an infinite part of a complex number leaves the other."""
    return complex_(xp, x.real / divisor, x.imag / divisor, tout=x.dtype) if x.dtype.kind == "c" else x / divisor


def complex_abs(xp: Namespace, x: Array) -> Array:
    """The distance from 0."""
    return xp.abs(x)


def angle(xp: Namespace, x: Array) -> Array:
    """The angle from the positive real axis."""
    return xp.angle(x)
