"""Kernels of `ops/formatting.yaml`. Strings are made one by one: an array of them holds Python's objects."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide


def as_string(
    xp: Namespace, x: Array, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str
) -> Array:
    """The elements as `printf` of C writes them."""
    notation = "e" if scientific else "g" if shortest else "f"
    texts = _written(xp, wide(x).reshape(-1), notation, precision, max(width, 0), fill)
    return np.fromiter(texts, object, x.size).reshape(x.shape)


def _written(xp: Namespace, x: Array, notation: str, precision: int, width: int, fill: str) -> list[bytes]:
    """The elements of a vector."""
    kind, elements = x.dtype.kind, x.tolist()
    if kind == "b":
        return [b"true" if each else b"false" for each in elements]
    if kind == "O":
        end = precision if width and precision >= 0 else None
        return [_aligned(each[:end], width, fill) for each in elements]
    if kind in "iu":
        flag = fill.strip("+ ") if kind == "u" else fill  # C has no signs of unsigned numbers
        return _formatted(_template(flag, width, "d"), elements)
    digits = "" if precision < 0 else f".{precision}"
    finite = _template(fill, width, f"{digits}{notation}")
    if kind == "f" and xp.isfinite(x).all():
        return _formatted(finite, elements)

    def write(x: float) -> bytes:
        return finite % x if math.isfinite(x) else _aligned(_not_finite(x, fill), width, fill)

    return [write(each) if kind == "f" else b"(%b,%b)" % (write(each.real), write(each.imag)) for each in elements]


def _formatted(template: bytes, numbers: list[Any]) -> list[bytes]:
    """`template % number` for each of them, faster."""
    return ((template + b"\n") * len(numbers) % tuple(numbers)).splitlines()


def _template(flag: str, width: int, rest: str) -> bytes:
    return f"%{flag}{width or ''}{rest}".encode()


def _aligned(text: bytes, width: int, fill: str) -> bytes:
    return text.ljust(width) if fill == "-" else text.rjust(width)


def _not_finite(x: float, fill: str) -> bytes:
    """nan or infinity, which C writes with a sign, and without leading zeros."""
    sign = "-" if math.copysign(1, x) < 0 else fill.strip("0-#")
    return f"{sign}{'nan' if math.isnan(x) else 'inf'}".encode()
