"""`Handle`: what is known of a variable by its handle, and `AccumulatorHandle`, of an accumulator."""

from __future__ import annotations

from typing import Final

from typegrad.base.shape import Shape
from typegrad.base.types import TType

__all__ = ["AccumulatorHandle", "Handle"]


class Handle:
    """The static value of a handle: the element type and the shape of its variable."""

    __slots__ = ("current", "dtype", "shape")

    dtype: Final[type[TType]]
    """The element type."""
    shape: Final[Shape]
    """The shape that every value fits."""
    current: Final[Shape]
    """The shape of the current value, which is known in a run; before it, `shape`."""

    def __init__(self, dtype: type[TType], shape: Shape, current: Shape | None = None) -> None:
        self.dtype = dtype
        self.shape = shape
        self.current = shape if current is None else current

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[type[TType], Shape, Shape]:
        return self.dtype, self.shape, self.current

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"


class AccumulatorHandle(Handle):
    """The static value of an accumulator's handle: the element type and the shape of its gradients."""

    __slots__ = ()
