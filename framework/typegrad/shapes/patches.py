"""Shape functions of `ops/patches.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import times
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, check_ones, slid, steps


def extract_image_patches(op: OpView) -> Shape:
    """[batch, rows, columns, elements]."""
    return _patches(op, "images", ("ksizes", "strides", "rates"), 4)


def extract_volume_patches(op: OpView) -> Shape:
    """[batch, planes, rows, columns, elements]."""
    return _patches(op, "input", ("ksizes", "strides"), 5)


def _patches(op: OpView, name: str, attrs: tuple[str, ...], rank: int) -> Shape:
    numbers = {attr: steps(op, attr, rank) for attr in attrs}
    for attr, values in numbers.items():
        check_ones(attr, values, rank - 1)
    x = op.rank(name, rank)
    batch, *counts, channels = slid(name, x, _windows(numbers, op.attr("padding")))
    return Shape((batch, *counts, times((*numbers["ksizes"][1:-1], channels))))


def _windows(numbers: Mapping[str, tuple[Dim, ...]], padding: str) -> tuple[Window, ...]:
    ksizes = numbers["ksizes"]
    rates = numbers.get("rates", (1,) * len(ksizes))
    edges = (0, 0) if padding == "VALID" else None
    return tuple(Window(*each, edges, may_miss=True) for each in zip(ksizes, numbers["strides"], rates, strict=True))
