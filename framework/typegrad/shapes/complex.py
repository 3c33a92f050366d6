"""Shape functions of `ops/complex.yaml`."""

from __future__ import annotations

from typing import Final

from typegrad.base import shape as shapes
from typegrad.base.errors import DTypeError
from typegrad.base.shape import Shape
from typegrad.base.types import TComplex64, TComplex128, TFloat32, TFloat64
from typegrad.shapes.view import OpView

PART: Final = {TComplex64: TFloat32, TComplex128: TFloat64}


def part(op: OpView) -> Shape:
    """The input's shape; `tout` must be the type of its parts."""
    _check(op, "T", "tout")
    return op.shape(op.names[0])


def made(op: OpView) -> Shape:
    """The shapes of both parts broadcast; `T` must be the type of the result's parts."""
    _check(op, "tout", "T")
    return shapes.broadcast(op.shape("real"), op.shape("imag"))


def _check(op: OpView, whole: str, part: str) -> None:
    expected, actual = PART[op.attr(whole)], op.attr(part)
    if actual is not expected:
        raise DTypeError(f"the parts of {op.attr(whole).name} are {expected.name}, but `{part}` is {actual.name}")
