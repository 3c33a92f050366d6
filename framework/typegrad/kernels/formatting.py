"""Kernels of `ops/formatting.yaml`. Strings are made one by one: an array of them holds Python's objects."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide

_Writer: TypeAlias = Callable[[Any], bytes]
"""Writes one element."""


def as_string(
    xp: Namespace, x: Array, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str
) -> Array:
    """The elements as `printf` of C writes them."""
    numbers = wide(x)
    notation = "e" if scientific else "g" if shortest else "f"
    write = _writer(numbers.dtype.kind, notation, precision, max(width, 0), fill)
    texts = xp.full(x.shape, b"", object)
    texts.reshape(-1)[:] = [write(element) for element in numbers.reshape(-1).tolist()]
    return texts


def _writer(kind: str, notation: str, precision: int, width: int, fill: str) -> _Writer:
    """What writes elements of a kind of element types."""
    if kind == "b":
        return lambda x: b"true" if x else b"false"
    if kind == "O":
        end = precision if width and precision >= 0 else None
        return lambda x: _aligned(x[:end], width, fill)
    if kind in "iu":
        flag = fill.strip("+ ") if kind == "u" else fill  # C has no signs of unsigned numbers
        return _template(flag, width, "d").__mod__
    digits = "" if precision < 0 else f".{precision}"
    finite = _template(fill, width, f"{digits}{notation}")

    def write(x: float) -> bytes:
        return finite % x if math.isfinite(x) else _aligned(_not_finite(x, fill), width, fill)

    return write if kind == "f" else lambda x: b"(%b,%b)" % (write(x.real), write(x.imag))


def _template(flag: str, width: int, rest: str) -> bytes:
    return f"%{flag}{width or ''}{rest}".encode()


def _aligned(text: bytes, width: int, fill: str) -> bytes:
    return text.ljust(width) if fill == "-" else text.rjust(width)


def _not_finite(x: float, fill: str) -> bytes:
    """nan or infinity, which C writes with a sign, and without leading zeros."""
    sign = "-" if math.copysign(1, x) < 0 else fill.strip("0-#")
    return f"{sign}{'nan' if math.isnan(x) else 'inf'}".encode()
