"""Shape functions of `ops/debugging.yaml`."""

from __future__ import annotations

from typing import Final

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.shapes.view import OpView

STREAMS: Final = ("stdout", "stderr", "log(info)", "log(warning)", "log(error)")
FILE: Final = "file://"
"""The beginning of a stream that is a file."""


def assert_that(op: OpView) -> tuple[()]:
    """No outputs; the condition is a scalar, and there are values to show."""
    condition = op.shape("condition")
    if condition.dims:
        raise ShapeError(f"`condition` must be a scalar, but has shape {condition}; core.All makes one of it")
    if not op.shapes("data"):
        raise ShapeError("`data` must have one value or more to show where the condition is false")
    return ()


def print_v2(op: OpView) -> tuple[()]:
    """No outputs; the string is a scalar, and the stream is known."""
    stream = op.attr("output_stream")
    if stream not in STREAMS and not stream.startswith(FILE):
        raise AttributeValueError(f"`output_stream` is {stream!r}, but must be {', '.join(STREAMS)}, or {FILE}PATH")
    text = op.shape("input")
    if text.dims:
        raise ShapeError(f"`input` must be a scalar, but has shape {text}; functions.print prints arrays")
    return ()
