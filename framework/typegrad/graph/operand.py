"""`Operand`, anything that can be the input of an operation, and `Output`, a value that an operation produces."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final, overload

import numpy as np
from typing_extensions import TypeVar

from typegrad.arguments.unknown import Explaining
from typegrad.base.errors import AttributeValueError, DTypeError, ShapeError
from typegrad.base.sameness import Sameness
from typegrad.base.shape import PartialShapeLike, Shape, as_shape, with_rank
from typegrad.base.types import TFloating, TInt32, TInt64, TType, as_element_type, to_expect
from typegrad.graph import later
from typegrad.graph.explain import origin
from typegrad.graph.operators import Operators, S_co
from typegrad.graph.part import Part
from typegrad.graph.refusals import SHAPE_OR_LIKE
from typegrad.shapes.shape import ensured

if TYPE_CHECKING:
    from typegrad.base.size import Dim
    from typegrad.graph.graph import Graph
    from typegrad.graph.operand_like import Size1, Size2, Size3, Size4, SizeLike
    from typegrad.graph.operation import Operation
    from typegrad.graph.scope import Scope
    from typegrad.shapes.view import Value

__all__ = ["AnyOperand", "AnyOutput", "F", "Integer", "Known", "Operand", "Output", "S", "S_co", "T", "with_shape"]

T = TypeVar("T", bound=TType)
"""The element type of an operand. Invariant: float32 with int32 is refused, not joined."""
F = TypeVar("F", bound=TFloating)
"""A floating-point element type."""
S = TypeVar("S", bound=tuple[Any, ...], default=tuple[Any, ...])
"""The static shape in a function's signature, as in NumPy: `tuple[int, int]` is a matrix, `tuple[Any, ...]` any
shape."""
U = TypeVar("U", bound=TType)
_T = TypeVar("_T", bound=TType, default=Any)
_VALUES: Final = (bool, int, float, complex, str, bytes, list, tuple, np.ndarray, np.generic)
"""What may be in the place of an operand."""
"""The element type as a class parameter: `Operand` alone is one of any element type and shape."""

Known: TypeAlias = "tuple[type[Any], tuple[Dim, ...] | None, Value | None]"
"""What is known of an output: its element type, its dimensions and its static value."""


class Operand(Operators[_T, S_co], Part, metaclass=Explaining):
    """A value of element type `T` and shape `S`: an `Output`, or an operation with one output."""

    __slots__ = ()

    if TYPE_CHECKING:
        op: Operation
    else:  # a property, which checkers do not let outputs and operations override by an attribute

        @property
        def op(self):
            """The operation that produces this value; of a variable, the one that produces its handle."""
            return self.as_reference().op

    def __eq__(self, other: object) -> bool:
        """Whether two operands are the same; `math.Equal` compares values."""
        if isinstance(other, Operand):
            return cast("bool", Sameness(hash(self) == hash(other)))  # an operation and its output are the same
        return cast("bool", Sameness(False)) if isinstance(other, _VALUES) else NotImplemented

    def __ne__(self, other: object) -> bool:
        """Whether two operands are different ones; `math.NotEqual` compares values."""
        same = self.__eq__(other)
        return same if same is NotImplemented else cast("bool", Sameness(not same))

    __hash__ = object.__hash__  # tells objects apart

    @abstractmethod
    def as_output(self) -> Output[_T, S_co]:
        """This operand as an `Output`."""

    def output_in(self, scope: Scope) -> Output[_T, S_co]:  # noqa: ARG002  # a variable's needs it
        """`as_output`; an operand that has to add operations to become one output adds them in `scope`."""
        return self.as_output()

    def as_reference(self) -> AnyOutput:
        """The output by which a graph knows this operand, unread: the handle of a variable, or `as_output`."""
        return self.as_output()

    @property
    def dtype(self) -> type[_T]:
        """The element type."""
        return self.as_output().dtype

    @property
    def shape(self) -> Shape:
        """The static shape: what is known before the run."""
        return self.as_output().shape

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is not known before the run."""
        return self.as_output().shape.rank

    @property
    def ndim(self) -> int | None:
        """The rank, by NumPy's name."""
        return self.rank

    @property
    def graph(self) -> Graph:
        """The graph this operand belongs to."""
        return self.as_output().op.graph

    @property
    def name(self) -> str:
        """The operation's name and the index of the output, as in "MatMul:0"."""
        output = self.as_output()
        return f"{output.op.name}:{output.index}"

    @overload
    def expect(self, dtype: type[U]) -> Output[U, S_co]: ...
    @overload
    def expect(self, dtype: type[U], shape: tuple[()]) -> Output[U, tuple[()]]: ...
    @overload
    def expect(self, dtype: type[U], shape: tuple[SizeLike[Size1]]) -> Output[U, tuple[Size1]]: ...
    @overload
    def expect(
        self, dtype: type[U], shape: tuple[SizeLike[Size1], SizeLike[Size2]]
    ) -> Output[U, tuple[Size1, Size2]]: ...
    @overload
    def expect(
        self, dtype: type[U], shape: tuple[SizeLike[Size1], SizeLike[Size2], SizeLike[Size3]]
    ) -> Output[U, tuple[Size1, Size2, Size3]]: ...
    @overload
    def expect(
        self, dtype: type[U], shape: tuple[SizeLike[Size1], SizeLike[Size2], SizeLike[Size3], SizeLike[Size4]]
    ) -> Output[U, tuple[Size1, Size2, Size3, Size4]]: ...
    @overload
    def expect(self, dtype: type[U], shape: PartialShapeLike) -> Output[U]: ...
    @overload
    def expect(self, dtype: type[U], *, like: Operand[Any, S]) -> Output[U, S]: ...

    def expect(
        self, dtype: type[U], shape: PartialShapeLike = None, *, like: Operand[Any, Any] | None = None
    ) -> Output[U, Any]:
        """This operand, narrowed to an element type and a shape: checked now as far as known, otherwise at every run.

        The type checker takes both for granted from here on; with the mypy plugin, the shape as well:
        `x.expect(tg.TFloat32, (Batch, 10))` is an `Output[TFloat32, tuple[Batch, Literal[10]]]`. Where the graph does
        not know the shape, this adds an `EnsureShape`. Of an operand of known rank, `(..., 10)` states the last
        dimension alone. `like=x` states the shape of another operand, also where that is a type variable.

        Raises:
            AttributeValueError: Both `shape` and `like` are given.
            DTypeError: The element type is another.
            ShapeError: The shape can never be this one.
        """
        if self.dtype is not as_element_type(dtype):
            raise DTypeError(f"{origin(self)} is not {dtype.name}, as expected; {to_expect(dtype, self.dtype)}")
        if like is not None and shape is not None:
            raise AttributeValueError(SHAPE_OR_LIKE)
        stated = like.shape if like is not None else as_shape(with_rank(shape, self.shape.rank))
        scope = later.Scope.current(self.graph)
        return with_shape(scope, self.output_in(scope), stated)


@final
class Output(Operand[_T, S_co]):
    """One output of an operation. Two outputs are equal only if they are the same object."""

    __slots__ = ("_shape", "index", "known", "op")

    op: Operation
    """The operation that produces this value."""
    index: Final[int]
    """The position among the operation's outputs."""
    known: Final[Known]
    """Element type, dimensions and static value, as what follows from them is kept."""

    def __init__(self, op: Operation, index: int, inferred: tuple[Known, Shape]) -> None:
        """Outputs are made by `Scope.add`, with their operation."""
        self.op = op
        self.index = index
        self.known, self._shape = inferred

    def as_output(self) -> Output[_T, S_co]:
        """This output."""
        return self

    @property
    def static_value(self) -> Value | None:
        """The value as nested tuples where it is known before the run (small integers, for shapes and axes)."""
        return self.known[2]

    @property
    def dtype(self) -> type[_T]:
        """The element type."""
        return self.known[0]

    @property
    def shape(self) -> Shape:
        """The static shape: what is known before the run."""
        return self._shape

    @property
    def graph(self) -> Graph:
        """The graph this operand belongs to."""
        return self.op.graph

    def __repr__(self) -> str:
        return f"<{self.name} {self.op.definition.name} {self.dtype.__name__} {self.shape}>"


AnyOperand: TypeAlias = Operand[Any, Any]
"""An operand of any element type and shape."""
AnyOutput: TypeAlias = Output[Any, Any]
"""An output of any element type and shape."""
Integer: TypeAlias = int | np.signedinteger[Any] | Operand[TInt32, tuple[()]] | Operand[TInt64, tuple[()]]
"""An integer of a list, such as a size: a number, or a scalar operand, whose value is known in a run."""


def with_shape(scope: Scope, output: AnyOutput, shape: Shape) -> AnyOutput:
    """`output` with at least the static shape `shape`: itself, or an `EnsureShape` of it.

    Raises:
        ShapeError: The shape can never be this one.
    """
    if output.shape.dims == shape.dims:
        return output
    with suppress(ShapeError):
        if ensured(output.shape, shape) == output.shape:
            return output
    return later.core.EnsureShape.create(scope, output, shape=shape).as_output()
