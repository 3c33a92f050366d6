"""`OpView`: what a shape function sees of an operation that is being added to a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from typegrad.base.errors import ShapeError
from typegrad.base.handle import Handle
from typegrad.base.shape import Shape
from typegrad.base.size import Size

__all__ = ["OpView", "Value", "WatchedView"]

Value: TypeAlias = Any
"""A value known while the graph is built: a number or bool for a scalar, nested tuples of them otherwise, a `Handle`
for the handle of a variable.

An element of a vector may also be a dimension's name, arithmetic with names, or None where only the other elements are
known."""


class OpView:
    """Input shapes, constant input values and attributes of one operation, by name.

    The runtime makes one from operands, the mypy plugin from the types of expressions.
    """

    __slots__ = ("_attrs", "_shapes", "_values")

    def __init__(
        self,
        shapes: Mapping[str, Shape | tuple[Shape, ...]],
        values: Mapping[str, Value],
        attrs: Mapping[str, Any],
    ) -> None:
        self._shapes = shapes
        self._values = values
        self._attrs = attrs

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return tuple(self._shapes)

    def shape(self, name: str) -> Shape:
        """The shape of input `name`."""
        shape = self._shapes[name]
        if isinstance(shape, tuple):
            raise KeyError(f"{name} is a list input: use shapes({name!r})")
        return shape

    def like(self, name: str) -> Shape:
        """The shape of input `name`, for an output that takes it over whatever it is: nothing is checked."""
        return OpView.shape(self, name)

    def shapes(self, name: str) -> tuple[Shape, ...]:
        """The shapes of the operands in list input `name`."""
        shapes = self._shapes[name]
        return shapes if isinstance(shapes, tuple) else (shapes,)

    def value(self, name: str) -> Value | None:
        """The value of input `name` (a tuple of values for a list input), or None if it is not known."""
        return self._values.get(name)

    @property
    def attrs(self) -> Mapping[str, Any]:
        """The attributes, type attributes included."""
        return self._attrs

    def attr(self, name: str) -> Any:
        """Attribute `name`, type attributes included."""
        return self._attrs[name]

    def rank(self, name: str, expected: int) -> Shape:
        """The shape of input `name`, which must have this rank (or unknown rank: then all dimensions are unknown)."""
        shape = self.shape(name)
        if shape.dims is None:
            return Shape((None,) * expected)
        if len(shape.dims) != expected:
            is_less = len(shape.dims) < expected
            hint = "; core.ExpandDims adds a dimension" if is_less else ""
            hint = "; write [x] for one" if expected == 1 and not shape.dims else hint
            raise ShapeError(f"`{name}` must have rank {expected}, but has shape {shape}{hint}")
        return shape

    def at_least(self, name: str, rank: int) -> Shape:
        """The shape of input `name`, which must have at least this rank (or unknown rank)."""
        shape = self.shape(name)
        if shape.dims is not None and len(shape.dims) < rank:
            raise ShapeError(
                f"`{name}` must have rank {rank} or more, but has shape {shape}; core.ExpandDims adds a dimension"
            )
        return shape


class WatchedView(OpView):
    """A view that knows whether its answers were complete: if so, the shape function has proved that the inputs fit."""

    __slots__ = ("is_exact",)

    def __init__(
        self,
        shapes: Mapping[str, Shape | tuple[Shape, ...]],
        values: Mapping[str, Value],
        attrs: Mapping[str, Any],
    ) -> None:
        """Nothing was asked yet."""
        super().__init__(shapes, values, attrs)
        self.is_exact = True

    def shape(self, name: str) -> Shape:
        """The shape of input `name`."""
        shape = super().shape(name)
        self.is_exact = self.is_exact and shape.is_static
        return shape

    def shapes(self, name: str) -> tuple[Shape, ...]:
        """The shapes of the operands in list input `name`."""
        shapes = super().shapes(name)
        self.is_exact = self.is_exact and all(shape.is_static for shape in shapes)
        return shapes

    def value(self, name: str) -> Value | None:
        """The value of input `name`, or None if it is not known."""
        value = super().value(name)
        self.is_exact = self.is_exact and _is_complete(value)
        return value


def _is_complete(value: Value | None) -> bool:
    """Whether every element is known, and none depends on a dimension's name."""
    if isinstance(value, tuple):
        return all(map(_is_complete, value))
    if isinstance(value, Handle):
        return value.current.is_static
    return not (value is None or isinstance(value, (str, Size)))
