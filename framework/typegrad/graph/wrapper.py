"""The base classes of the generated wrappers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from typegrad.arguments.calls import explained
from typegrad.arguments.unknown import unknown_attribute
from typegrad.base.errors import GraphError
from typegrad.base.pickling import Unpicklable
from typegrad.base.types import TType
from typegrad.graph.definition import OpDef
from typegrad.graph.operand import AnyOutput, Operand, Output, S_co, T
from typegrad.graph.operation import Operation

__all__ = ["ElementType", "Op", "OpInputs", "OperandOp", "Wrapper", "list_input", "unwrap"]

ElementType: TypeAlias = type[TType]
"""An element type as the value of an attribute. It has a name because an attribute may itself be called `type`."""


class Wrapper(Unpicklable):
    """A typed view of one `Operation`."""

    __slots__ = ("op",)

    OP_NAME: ClassVar[str]
    """TensorFlow's name of the operation."""
    op: Operation
    """The node in the graph."""
    if not TYPE_CHECKING:
        __getattr__ = unknown_attribute

    def __init__(self, operation: Operation) -> None:
        """Wrap a node of the right type; `create` makes a new node, `of` checks the type of an existing one."""
        self.op = operation

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "create" in vars(cls):
            create: staticmethod[..., Any] = vars(cls)["create"]
            type.__setattr__(cls, "create", staticmethod(explained(create.__func__)))

    def __repr__(self) -> str:
        outputs = ", ".join(f"{output.dtype.__name__} {output.shape}" for output in self.op.outputs)
        return f"<{type(self).__name__} {self.op.name!r} {outputs or 'no output'}>"


class Op(Wrapper):
    """An operation that does not have exactly one output, and so is no operand."""

    __slots__ = ()


class OperandOp(Wrapper, Operand[T, S_co]):
    """An operation with exactly one output, which can be used as an operand.

    It is no `Op`, so that type checkers see at once which form of `Session.run` fetches it.
    """

    __slots__ = ()

    def as_output(self) -> Output[T, S_co]:
        """The only output."""
        return self.op.outputs[0]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OperandOp):
            return other.op is self.op
        return other is self.op.outputs[0] or NotImplemented

    def __hash__(self) -> int:
        return hash(self.op.outputs[0])


class OpInputs:
    """Typed access to the inputs and attributes of one operation."""

    __slots__ = ("_op",)

    def __init__(self, operation: Operation) -> None:
        self._op = operation


def unwrap(definition: OpDef, operation: Operation) -> Operation:
    """`operation` if it is of this definition, else a `GraphError`."""
    if not isinstance(operation, Operation):
        raise GraphError(f"{definition.class_name}.of wraps an Operation, not {type(operation).__name__} {operation!r}")
    if operation.definition.name != definition.name:
        raise GraphError(
            f"{definition.class_name}.of wraps a {definition.name} node, but '{operation.name}' "
            f"(created at {operation.created_at}) is a {operation.type}"
        )
    return operation


def list_input(operation: Operation, index: int) -> list[AnyOutput]:
    """The operands of the list input at position `index` of the definition."""
    group = operation.input_groups()[index]
    return list(group) if isinstance(group, Sequence) else [group]
