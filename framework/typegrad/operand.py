"""`Operand`, anything that can be the input of an operation, and `Output`, a value that an operation produces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, final

from typing_extensions import TypeVar

from typegrad.operators import Operators
from typegrad.shape import Shape
from typegrad.types import TType

if TYPE_CHECKING:
    from typegrad.graph import Graph
    from typegrad.operation import Operation
    from typegrad.shapes.view import Value

__all__ = ["Operand", "Output", "S", "S_co", "T"]

T = TypeVar("T", bound=TType)
"""The element type of an operand. Invariant: float32 with int32 is refused, not joined."""
S = TypeVar("S", bound=tuple[int, ...], default=tuple[Any, ...])
"""The static shape in a function's signature, NumPy's way: `tuple[int, int]` is a matrix, `tuple[Any, ...]` any shape."""
S_co = TypeVar("S_co", bound=tuple[int, ...], default=tuple[Any, ...], covariant=True)
"""The static shape as a class parameter."""


class Operand(Operators[T, S_co], ABC):
    """Anything that stands for one value of element type `T` and shape `S`: an `Output`, or an operation with one output."""

    __slots__ = ()

    @abstractmethod
    def as_output(self) -> Output[T, S_co]:
        """The `Output` that this operand stands for."""

    @property
    def dtype(self) -> type[T]:
        """The element type."""
        return self.as_output()._dtype

    @property
    def shape(self) -> Shape:
        """What is known of the shape before the run."""
        return self.as_output()._shape

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is not known before the run."""
        return self.as_output()._shape.rank

    @property
    def graph(self) -> Graph:
        """The graph this operand belongs to."""
        return self.as_output()._op.graph

    @property
    def name(self) -> str:
        """The operation's name and the index of the output, as in "MatMul:0"."""
        output = self.as_output()
        return f"{output._op.name}:{output._index}"


@final
class Output(Operand[T, S_co]):
    """One output of an operation. Two outputs are equal only if they are the same object."""

    __slots__ = ("_dtype", "_index", "_op", "_shape", "_value")

    def __init__(self, op: Operation, index: int, dtype: type[T], shape: Shape, value: Value | None) -> None:
        """Outputs are made by `Scope.add`, with their operation."""
        self._op = op
        self._index = index
        self._dtype = dtype
        self._shape = shape
        self._value = value

    def as_output(self) -> Output[T, S_co]:
        """This output."""
        return self

    @property
    def op(self) -> Operation:
        """The operation that produces this value."""
        return self._op

    @property
    def index(self) -> int:
        """The position among the operation's outputs."""
        return self._index

    @property
    def static_value(self) -> Value | None:
        """The value as nested tuples where it is known before the run (small integers, for shapes and axes), else None."""
        return self._value

    def __repr__(self) -> str:
        return f"<{self.name} {self._op.definition.name} {self._dtype.__name__} {self._shape}>"
