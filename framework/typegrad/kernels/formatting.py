"""Kernels of `ops/formatting.yaml`. Strings are made one by one: an array of them holds Python's objects."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide

_Writer: TypeAlias = Callable[[Any], bytes]
"""Writes an element."""
_ESCAPED: Final = re.compile(rb"[\x00-\x1f\"'\\\x7f]")
_ESCAPES: Final[Mapping[bytes, bytes]] = {
    b"\n": rb"\n", b"\r": rb"\r", b"\t": rb"\t", b'"': rb"\"", b"'": rb"\'", b"\\": rb"\\",
}  # fmt: skip
"""C's escape sequences; other characters that cannot be seen have octal numbers."""


def as_string(
    xp: Namespace, x: Array, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str
) -> Array:
    """The elements as `printf` of C writes them."""
    notation = "e" if scientific else "g" if shortest else "f"
    texts = _written(xp, wide(x).reshape(-1), notation, precision, max(width, 0), fill)
    return np.fromiter(texts, object, x.size).reshape(x.shape)


def string_format(
    xp: Namespace, inputs: tuple[Array, ...], *, template: str, placeholder: str, summarize: int
) -> Array:
    """The template, with an array in each placeholder."""
    begin, *rest = template.split(placeholder)
    shown = (_shown(wide(x), summarize) + text.encode() for x, text in zip(inputs, rest, strict=True))
    return np.array(begin.encode() + b"".join(shown), object)


def _shown(x: Array, summarize: int) -> bytes:
    """An array as text."""
    ends = min(x.size, summarize) if summarize >= 0 else x.size
    write = _writer(x.dtype)
    return _bracketed(x, ends, write, 1) if x.ndim else write(x.item()) if ends else b"..."


def _bracketed(x: Array, ends: int, write: _Writer, depth: int) -> bytes:
    """The first and last elements of each axis, so many at each end; between them, as much room as there are axes."""

    def shown(rows: Array) -> list[bytes]:
        return [_bracketed(row, ends, write, depth + 1) for row in rows] if x.ndim > 1 else [*map(write, rows.tolist())]

    gap = b"\n" * (x.ndim - 1) + b" " * (depth if x.ndim > 1 else 1)
    is_long = len(x) > 2 * ends
    parts = [*(shown(x[:ends]) or [b""]), b"...", *shown(x[len(x) - ends :])] if is_long else shown(x)
    return b"[%b]" % gap.join(parts)


def _writer(dtype: DType) -> _Writer:
    """What writes an element in as few digits as tell it from others, strings in quotation marks."""
    if dtype.kind == "O":
        return _quoted
    if dtype.kind in "biu":
        return lambda x: b"%d" % x
    is_double = dtype in (np.float64, np.complex128)
    few, many, real = (15, 17, np.float64) if is_double else (6, 9, np.float32)

    def write(x: float) -> bytes:
        if not math.isfinite(x):
            return _not_finite(x, "")
        text = b"%.*g" % (few, x)
        return text if real(float(text)) == x else b"%.*g" % (many, x)

    return write if dtype.kind == "f" else lambda z: b"(%b,%b)" % (write(z.real), write(z.imag))


def _quoted(text: bytes) -> bytes:
    return b'"%b"' % _ESCAPED.sub(lambda found: _ESCAPES.get(found[0], b"\\%03o" % found[0][0]), text)


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
