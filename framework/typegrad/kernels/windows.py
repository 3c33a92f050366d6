"""What kernels with windows that slide over an array share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from typegrad.base.shape import Shape
from typegrad.kernels.namespace import Array
from typegrad.shapes.windows import Window

__all__ = ["Sweep", "padded", "sweeps_of"]


class Sweep(NamedTuple):
    """The movement of a window along one dimension of size `length`."""

    length: int
    positions: int
    """The number of positions of the window."""
    size: int
    """The number of elements under it, one every `dilation`."""
    span: int
    """The distance from its first element to its last, both included."""
    stride: int
    dilation: int
    edges: tuple[int, int]
    """The padding at the two ends."""

    def seen_by(self, element: int) -> slice:
        """The indices under its `element` at every position, counted from the start of the padding."""
        first = element * self.dilation
        return slice(first, first + (self.positions - 1) * self.stride + 1, self.stride)

    def inside(self, element: int, among: slice | None = None) -> tuple[slice, slice]:
        """The positions at which its `element` is inside the dimension, or `among` some indices, and the indices."""
        lowest, highest, _ = (among or slice(None)).indices(self.length)
        start = element * self.dilation - self.edges[0]
        first = max(0, -((start - lowest) // self.stride))
        last = min(self.positions, (highest - 1 - start) // self.stride + 1)
        if last <= first:
            return slice(0), slice(0)
        begin, end = (start + position * self.stride for position in (first, last - 1))
        return slice(first, last), slice(begin, end + 1, self.stride)


def sweeps_of(windows: Iterable[Window], lengths: Iterable[int]) -> list[Sweep]:
    """The sweeps of windows along dimensions of these sizes."""
    return [_pass(window, length) for window, length in zip(windows, lengths, strict=True)]


def _pass(window: Window, length: int) -> Sweep:
    numbers = Shape((window.positions(length), window.size, window.span, window.stride, window.dilation))
    positions, size, span, stride, dilation = numbers.as_ints()
    edges = window.padding
    if edges is None:
        beyond = max((positions - 1) * stride + span - length, 0)
        edges = (beyond // 2, beyond - beyond // 2)
    return Sweep(length, positions, size, span, stride, dilation, edges)


def padded(x: Array, edges: Sequence[tuple[int, int]], outside: Any = 0) -> Array:
    """`x` with so many of this number at the two ends of each dimension; `x` itself if none. Faster than `pad`."""
    if not any(map(any, edges)):
        return x
    inner = tuple(slice(before, before + length) for (before, _), length in zip(edges, x.shape, strict=True))
    result = np.empty([part.stop + after for part, (_, after) in zip(inner, edges, strict=True)], x.dtype)
    result[inner] = x
    for axis, part in enumerate(inner):
        whole = (slice(None),) * axis
        result[(*whole, slice(part.start))] = outside
        result[(*whole, slice(part.stop, None))] = outside
    return result
