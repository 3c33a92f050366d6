"""Kernels of `ops/complex.yaml`."""

from __future__ import annotations

from typing import Any


def complex_(xp: Any, real: Any, imag: Any, *, tout: Any) -> Any:
    """Complex numbers from their parts."""
    real, imag = xp.broadcast_arrays(real, imag)
    # Not real + 1j * imag, which makes nan of an infinite part.
    return xp.stack([real, imag], axis=-1).view(tout)[..., 0]


def real(xp: Any, x: Any) -> Any:
    """The real part."""
    return xp.real(x)


def imag(xp: Any, x: Any) -> Any:
    """The imaginary part."""
    return xp.imag(x)


def conj(xp: Any, x: Any) -> Any:
    """The complex conjugate."""
    return xp.conjugate(x)


def complex_abs(xp: Any, x: Any) -> Any:
    """The distance from 0."""
    return xp.abs(x)


def angle(xp: Any, x: Any) -> Any:
    """The angle from the positive real axis."""
    return xp.angle(x)
