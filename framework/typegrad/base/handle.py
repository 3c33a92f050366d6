"""`Handle`: what is known of a variable by its handle."""

from __future__ import annotations

from attrs import Factory, frozen

from typegrad.base.shape import Shape
from typegrad.base.types import TType

__all__ = ["Handle"]


@frozen(slots=True)
class Handle:
    """The static value of a handle: the element type and the shape of its variable."""

    dtype: type[TType]
    """The element type."""
    shape: Shape
    """The shape that every value fits."""
    current: Shape = Factory(lambda handle: handle.shape, takes_self=True)
    """The shape of the current value, which is known in a run; before it, `shape`."""
