"""`Initializer`: what all initializers of floating-point variables share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from typegrad.base.shape import Shape, as_shape
from typegrad.graph.operand import F, Operand
from typegrad.graph.scope import Scope

__all__ = ["Initializer", "sizes"]


class Initializer(ABC):
    """A function that makes initial values. Some accept element types other than floating point.

    An initial value of your own is an array or an operand; it needs no class.
    """

    @abstractmethod
    def __call__(self, scope: Scope, shape: Sequence[int], dtype: type[F]) -> Operand[F]:
        """The initial value.

        Args:
            scope: Where in the graph the operations go. Random numbers depend on the graph's seed and this scope's
                name, unless the initializer has a seed of its own.
            shape: The sizes of the value.
            dtype: Its element type.

        Raises:
            ShapeError: The initializer makes no values of this shape.
        """


def sizes(shape: Sequence[int] | Shape) -> tuple[int, ...]:
    """`shape`, checked: an initial value has no unknown dimension."""
    return as_shape(shape).as_ints()
