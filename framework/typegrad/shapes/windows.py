"""Windows that slide over the dimensions of an array: the number of their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError, TypegradError
from typegrad.base.shape import Dim, Shape, merge
from typegrad.base.size import floored, minus, plus, times
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView

__all__ = ["Window", "agreed", "channel_axis", "check_ones", "check_steps", "paddings", "sizes", "slid", "steps"]


class Window(NamedTuple):
    """A window along one dimension."""

    size: Dim
    """The number of elements under it."""
    stride: Dim
    """How far it moves at a time."""
    dilation: Dim
    """The distance between these elements."""
    padding: tuple[int, int] | None
    """How far it may reach over the edges; None: just as far as makes it start at every `stride`-th element (SAME)."""
    may_miss: bool = False
    """Whether a window that does not fit, by less than two strides, has no position, instead of being an error."""

    @property
    def span(self) -> Dim:
        """The distance from its first element to its last, both included."""
        if isinstance(self.size, int) and isinstance(self.dilation, int):
            return (self.size - 1) * self.dilation + 1
        return plus((times((minus(self.size, 1), self.dilation)), 1))

    def positions(self, length: Dim) -> Dim:
        """The number of positions along a dimension of this length; a `ShapeError` if the window does not fit."""
        if self.padding is None:
            if self.stride == 1:
                return length
            if isinstance(length, int) and isinstance(self.stride, int):
                return -(-length // self.stride)
            return floored(minus(plus((length, self.stride)), 1), self.stride)
        span, added = self.span, sum(self.padding)
        if self.stride == 1 and added + 1 == span:
            return length
        room = minus(length, minus(span, added))
        if not isinstance(room, int):
            return plus((floored(room, self.stride), 1))
        if self.may_miss and isinstance(self.stride, int) and -2 * self.stride < room < 0:
            return 0
        if room < 0 and (isinstance(self.stride, int) or added + 1 != span):  # it fits with a stride of 1
            over = f" and {added} of padding" if added else ""
            raise ShapeError(f"a window over {span} does not fit into {length}{over}; make it smaller, or pad more")
        return room // self.stride + 1 if isinstance(self.stride, int) else None


def channel_axis(op: OpView) -> int:
    """The dimension of the channels."""
    data_format: str = op.attr("data_format")
    return 1 if data_format.startswith("NC") else len(data_format) - 1


def steps(op: OpView, name: str, rank: int = 4) -> tuple[Dim, ...]:
    """An attribute that holds a positive number for each dimension; the mypy plugin may not know some of them."""
    numbers: tuple[Dim, ...] = op.attr(name)
    check_steps(name, numbers, rank, AttributeValueError)
    return numbers


def check_steps(name: str, numbers: Sequence[Dim], rank: int = 4, error: type[TypegradError] = ShapeError) -> None:
    """Refuse anything but positive numbers, one for each dimension."""
    if len(numbers) != rank or any(isinstance(number, int) and number < 1 for number in numbers):
        is_unknown = len(numbers) != rank and None in numbers
        actual = f"has {counted(len(numbers), 'element')}" if is_unknown else f"is {Shape(tuple(numbers))}"
        raise error(f"`{name}` must be {rank} positive numbers, one for each dimension, but {actual}")


def check_ones(name: str, numbers: Sequence[Dim], channel: int) -> None:
    """Refuse steps over batch or channels."""
    if any(numbers[axis] not in (1, None) for axis in (0, channel)):
        raise AttributeValueError(
            f"`{name}` is {Shape(tuple(numbers))}, but must be 1 for the batch (dimension 0) "
            f"and the channels (dimension {channel})"
        )


def paddings(op: OpView, explicit: tuple[int, ...] = (), rank: int = 4) -> tuple[tuple[int, int] | None, ...]:
    """The padding of each dimension, before and after; `explicit` is attribute `explicit_paddings`; None for SAME."""
    padding: str = op.attr("padding")
    if padding != "EXPLICIT":
        if explicit:
            raise AttributeValueError(
                f"`explicit_paddings` is {list(explicit)}, but must be left out where `padding` is {padding}"
            )
        return ((0, 0) if padding == "VALID" else None,) * rank
    if len(explicit) != 2 * rank or min(explicit) < 0:
        raise AttributeValueError(
            f"`explicit_paddings` must be {2 * rank} numbers from 0 up, before and after each of the {rank} "
            f"dimensions, but is {list(explicit)}"
        )
    pairs = tuple(zip(explicit[::2], explicit[1::2], strict=True))
    channel = channel_axis(op)
    if any(pairs[0] + pairs[channel]):
        raise AttributeValueError(
            f"`explicit_paddings` is {list(explicit)}, but must be 0 for the batch (dimension 0) "
            f"and the channels (dimension {channel})"
        )
    return pairs


def slid(name: str, shape: Shape, windows: tuple[Window, ...]) -> tuple[Dim, ...]:
    """The number of positions of windows along each dimension of input `name`."""
    counts: list[Dim] = []
    for axis, (dim, window) in enumerate(zip(shape.known(), windows, strict=True)):
        try:
            counts.append(window.positions(dim))
        except ShapeError as error:
            raise ShapeError(f"along dimension {axis} of `{name}` {shape}, {error}") from None
    return tuple(counts)


def sizes(op: OpView, name: str, rank: int = 4) -> Shape:
    """The shape of this rank whose sizes input `name` holds."""
    shape = shape_from(op, name)
    if shape.dims is None:
        return Shape((None,) * rank)
    if len(shape.dims) != rank:
        raise ShapeError(f"`{name}` must have {counted(rank, 'element')}, but has {len(shape.dims)}")
    return shape


def agreed(op: OpView, name: str, expected: Shape, meaning: str = "") -> Shape:
    """The shape of input `name`, which must be `expected`, as far as both are known; `meaning` says why."""
    shape = op.rank(name, len(expected.known()))
    try:
        return merge(shape, expected)
    except ShapeError:
        raise ShapeError(f"`{name}` {shape} must have shape {expected}{meaning}") from None
