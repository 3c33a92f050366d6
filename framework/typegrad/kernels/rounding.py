"""Kernels of `ops/rounding.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace


def floor(xp: Namespace, x: Array) -> Array:
    """The largest whole number not above x."""
    return xp.floor(x)


def ceil(xp: Namespace, x: Array) -> Array:
    """The smallest whole number not below x."""
    return xp.ceil(x)


def round(xp: Namespace, x: Array) -> Array:
    """The nearest whole number; a tie goes to the even one."""
    return x if x.dtype.kind == "i" else xp.rint(x)


def rint(xp: Namespace, x: Array) -> Array:
    """The nearest whole number; a tie goes to the even one."""
    return xp.rint(x)


def next_after(xp: Namespace, x1: Array, x2: Array) -> Array:
    """The next number after x1 in the direction of x2."""
    return xp.nextafter(x1, x2)
