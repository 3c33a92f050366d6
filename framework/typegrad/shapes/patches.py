"""Shape functions of `ops/patches.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.base.size import times
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, steps


def extract_image_patches(op: OpView) -> Shape:
    """[batch, rows, columns, elements]."""
    return _patches(op, "images", ("ksizes", "strides", "rates"), 4)


def extract_volume_patches(op: OpView) -> Shape:
    """[batch, planes, rows, columns, elements]."""
    return _patches(op, "input", ("ksizes", "strides"), 5)


def _patches(op: OpView, name: str, attrs: tuple[str, ...], rank: int) -> Shape:
    numbers = {attr: steps(op, attr, rank) for attr in attrs}
    for attr, values in numbers.items():
        if (values[0], values[-1]) != (1, 1):
            raise ShapeError(f"`{attr}` must be 1 for the batch and the channels, but is {list(values)}")
    x = op.rank(name, rank)
    batch, *space, channels = x.known()
    rates = numbers.get("rates", (1,) * rank)
    padding = (0, 0) if op.attr("padding") == "VALID" else None
    windows = [
        Window(size, stride, rate, padding)
        for size, stride, rate in zip(numbers["ksizes"], numbers["strides"], rates, strict=True)
    ]
    counts = [_positions(name, x, *pair) for pair in zip(space, windows[1:-1], strict=True)]
    return Shape((batch, *counts, times((*numbers["ksizes"][1:-1], channels))))


def _positions(name: str, x: Shape, length: Dim, window: Window) -> Dim:
    """The number of positions, which may be none if the window nearly fits."""
    if not isinstance(length, int) or window.padding is None:
        return window.positions(length)
    assert isinstance(window.span, int) and isinstance(window.stride, int)
    room = length - window.span
    if room <= -2 * window.stride:
        raise ShapeError(
            f"a window over {window.span} does not fit into {length} elements of `{name}` {x}; make it smaller"
        )
    return max(room // window.stride + 1, 0)
