"""Kernels of `ops/rounding.yaml`."""

from __future__ import annotations

from typing import Any


def floor(xp: Any, x: Any) -> Any:
    """The largest whole number not above x."""
    return xp.floor(x)


def ceil(xp: Any, x: Any) -> Any:
    """The smallest whole number not below x."""
    return xp.ceil(x)


def round(xp: Any, x: Any) -> Any:
    """The nearest whole number, the even one of two."""
    return x if x.dtype.kind == "i" else xp.rint(x)


def rint(xp: Any, x: Any) -> Any:
    """The nearest whole number, the even one of two."""
    return xp.rint(x)
