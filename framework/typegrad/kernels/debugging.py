"""Kernels of `ops/debugging.yaml`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from time import time
from typing import Final

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide
from typegrad.shapes.debugging import FILE

_LEVELS: Final[Mapping[str, int]] = {
    "log(info)": logging.INFO,
    "log(warning)": logging.WARNING,
    "log(error)": logging.ERROR,
}
"""The levels of logs."""


def check_numerics_v2(xp: Namespace, tensor: Array, *, message: str) -> Array:
    """The input, unchanged, if it is finite."""
    x = wide(tensor)
    is_finite = xp.isfinite(x)
    if not is_finite.all():
        kinds = {"nan": xp.isnan(x), "inf": x == xp.inf, "-inf": x == -xp.inf}
        counts = {name: int(xp.sum(which)) for name, which in kinds.items()}
        listed = " and ".join(f"{count} {name}" for name, count in counts.items() if count)
        first = [int(places[0]) for places in xp.nonzero(~is_finite)] if x.ndim else []
        raise InvalidArgumentError(
            f"{message}: `tensor` has {listed}, the first at {first}; its shape is {list(x.shape)}"
        )
    return tensor


def assert_that(xp: Namespace, condition: Array, data: tuple[Array, ...], *, summarize: int) -> tuple[()]:
    """Nothing, if the condition is true."""
    if not condition:
        shown = ", ".join(_summary(value, summarize) for value in data)
        raise InvalidArgumentError(f"assertion failed: `condition` is false; `data`: {shown}")
    return ()


def _summary(value: Array, count: int) -> str:
    """Some elements of a value, in one line."""
    elements = value.reshape(-1).tolist()
    if not value.ndim:
        return str(elements[0])
    if count < 0 or len(elements) <= count:
        return str(elements)
    return f"[{', '.join(map(str, elements[:count]))}{', ' if count else ''}...] of shape {list(value.shape)}"


def print_v2(xp: Namespace, text: Array, *, output_stream: str, end: str) -> tuple[()]:
    """Write a string to a stream, a log or a file."""
    message = text.item().decode(errors="backslashreplace")
    if output_stream.startswith(FILE):
        _append(output_stream.removeprefix(FILE), message + end)
    elif output_stream.startswith("log"):
        logging.getLogger("typegrad").log(_LEVELS[output_stream], "%s", message)
    else:
        stream = sys.stdout if output_stream == "stdout" else sys.stderr
        stream.write(message + end)
        stream.flush()
    return ()


def _append(path: str, text: str) -> None:
    try:
        with Path(path).open("a", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise InvalidArgumentError(f"cannot print to {path!r}: {error.strerror}") from error


def timestamp(xp: Namespace) -> Array:
    """The time of the system's clock."""
    return xp.asarray(time())
