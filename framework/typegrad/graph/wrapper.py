"""The base classes of the generated wrappers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias, TypeVar, cast, overload

from typegrad.arguments.calls import explained, made_by
from typegrad.arguments.unknown import Explaining, unknown_attribute
from typegrad.base.brief import described
from typegrad.base.errors import GraphError, OptionError
from typegrad.base.types import TType
from typegrad.graph.definition import OpDef
from typegrad.graph.explain import describe
from typegrad.graph.operand import AnyOutput, Operand, Output, S_co, T
from typegrad.graph.operation import Operation
from typegrad.graph.part import Part

if TYPE_CHECKING:
    from typegrad.graph.graph import Graph

__all__ = ["ElementType", "ListOp", "Op", "OpInputs", "OperandOp", "Wrapper", "list_input", "named_outputs", "unwrap"]

_E_co = TypeVar("_E_co", covariant=True)

ElementType: TypeAlias = type[TType]
"""An element type as the value of an attribute. It has a name because an attribute may itself be called `type`."""


class Wrapper(Part, metaclass=Explaining):
    """A typed view of one `Operation`."""

    __slots__ = ("op",)

    OP_NAME: ClassVar[str]
    """TensorFlow's name of the operation."""
    op: Operation
    """The node in the graph."""
    if not TYPE_CHECKING:
        __getattr__ = unknown_attribute

    if TYPE_CHECKING:

        def __init__(self, operation: Operation) -> None:
            """Wrap a node of the right type; `create` makes a new node, `of` checks the type of an existing one."""
    else:

        def __init__(self, operation=None, *others, **options) -> None:
            if type(operation) is not Operation or others or options:
                cls = type(self)
                remedy = made_by(cls) if hasattr(cls, "create") else "core.NoOp.create and others make operations"
                raise OptionError(f"{cls.__name__}() wraps a node that is there already; {remedy}")
            self.op = operation

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in vars(cls).keys() & {"create", "of"}:
            method: staticmethod[..., Any] | classmethod[Any, ..., Any] = vars(cls)[name]
            type.__setattr__(cls, name, type(method)(explained(method.__func__)))

    def __repr__(self) -> str:
        outputs = ", ".join(f"{output.dtype.__name__} {output.shape}" for output in self.op.outputs)
        return f"<{type(self).__name__} {self.op.name!r} {outputs or 'no output'}>"


def outputs_of(source: Op | Operation) -> str:
    """Where to find the outputs of what is not an operand."""
    if isinstance(source, Operation):
        return _one_of([f".outputs[{place}]" for place in range(len(source.outputs))])
    return named_outputs(source.op.definition)


def named_outputs(definition: OpDef) -> str:
    """Where to find the outputs of an operation that does not have exactly one."""
    return _one_of([f".{output.name}{'[0]' if output.count else ''}" for output in definition.outputs])


def _one_of(outputs: Sequence[str]) -> str:
    return f"take one of its outputs: {', '.join(outputs)}" if outputs else "it has no output"


class Op(Wrapper):
    """An operation that does not have exactly one output, and so is not an operand."""

    __slots__ = ()
    if not TYPE_CHECKING:

        def _refuse(self, *_: object) -> NoReturn:
            what = f"is not an operand; {outputs_of(self)}" if self.op.outputs else "has no output"
            raise TypeError(f"{self!r} {what}")

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __matmul__ = _refuse
        __getitem__ = __iter__ = __len__ = __neg__ = _refuse


class ListOp(Op, Sequence[_E_co]):
    """An operation whose only output is a list: it is unpacked, indexed, iterated and passed on like that list."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.op.outputs)

    @overload
    def __getitem__(self, index: int) -> _E_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_E_co, ...]: ...
    def __getitem__(self, index: int | slice) -> _E_co | tuple[_E_co, ...]:
        return cast("_E_co | tuple[_E_co, ...]", self.op.outputs[index])

    def __iter__(self) -> Iterator[_E_co]:
        return cast("Iterator[_E_co]", iter(self.op.outputs))


class OperandOp(Wrapper, Operand[T, S_co]):
    """An operation with exactly one output, which can be used as an operand.

    It is not an `Op`, so that type checkers see at once which form of `Session.run` fetches it.
    """

    __slots__ = ()

    if TYPE_CHECKING:
        create: ClassVar[Callable[..., OperandOp[Any, Any]]]
        """Create the operation of one of several classes, as of those in `{"relu": nn.Relu, "tanh": math.Tanh}`."""

    def as_output(self) -> Output[T, S_co]:
        """The only output."""
        return self.op.outputs[0]

    @property
    def graph(self) -> Graph:
        """The graph this operand belongs to."""
        return self.op.graph

    def __hash__(self) -> int:
        return hash(self.op.outputs[0])


class OpInputs:
    """Typed access to the inputs and attributes of one operation."""

    __slots__ = ("_op",)
    if not TYPE_CHECKING:
        __getattr__ = unknown_attribute

    def __init__(self, operation: Operation) -> None:
        self._op = operation


def unwrap(definition: OpDef, operation: Operation) -> Operation:
    """`operation` if it is of this definition, else a `GraphError`."""
    if not isinstance(operation, Operation):
        raise GraphError(f"{definition.class_name}.of wraps an Operation, not {described(operation)}")
    if operation.definition.name != definition.name:
        raise GraphError(f"{definition.class_name}.of wraps a {definition.name} node, not {describe(operation)}")
    return operation


def list_input(operation: Operation, index: int) -> list[AnyOutput]:
    """The operands of the list input at position `index` of the definition."""
    group = operation.input_groups()[index]
    return list(group) if isinstance(group, Sequence) else [group]
