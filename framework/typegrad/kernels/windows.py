"""What kernels with windows that slide over an array share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window

__all__ = ["Pass", "checked", "passes"]


class Pass(NamedTuple):
    """A window's way along one dimension, of size `length`."""

    length: int
    places: int
    """How many places it stands in."""
    size: int
    """How many elements it looks at, `dilation` apart."""
    span: int
    """How many lie between its first and its last, both included."""
    stride: int
    dilation: int
    edges: tuple[int, int]
    """How far it reaches over the two ends."""

    def seen_by(self, element: int) -> slice:
        """What its `element` looks at from all of the places, counted from where it first reaches over the edge."""
        first = element * self.dilation
        return slice(first, first + (self.places - 1) * self.stride + 1, self.stride)

    def inside(self, element: int) -> tuple[slice, slice]:
        """In which of the places its `element` is inside the dimension, and at which positions."""
        start = element * self.dilation - self.edges[0]
        first = max(0, -(start // self.stride))
        last = min(self.places, (self.length - 1 - start) // self.stride + 1)
        if last <= first:
            return slice(0), slice(0)
        begin, end = (start + place * self.stride for place in (first, last - 1))
        return slice(first, last), slice(begin, end + 1, self.stride)


def passes(windows: Iterable[Window], lengths: Iterable[int]) -> list[Pass]:
    """The ways of windows along dimensions of these sizes."""
    return [_pass(window, length) for window, length in zip(windows, lengths, strict=True)]


def _pass(window: Window, length: int) -> Pass:
    places, size, span, stride = Shape((window.places(length), window.size, window.span, window.stride)).as_ints()
    edges = window.padding
    if edges is None:
        beyond = max((places - 1) * stride + span - length, 0)
        edges = (beyond // 2, beyond - beyond // 2)
    return Pass(length, places, size, span, stride, window.dilation, edges)


def checked(function: Callable[[OpView], Shape], attrs: Mapping[str, Any], **inputs: Any) -> tuple[int, ...]:
    """The shape that an operation's shape function finds for these arrays; what it refuses is an `InvalidArgumentError`."""
    shapes = {name: Shape(array.shape) for name, array in inputs.items()}
    values = {name: tuple(array.tolist()) for name, array in inputs.items() if array.ndim == 1}
    try:
        return function(OpView(shapes, values, attrs)).as_ints()
    except ShapeError as error:
        raise InvalidArgumentError(str(error)) from None
