"""The texts of errors about nodes: which node, where it was made, what its inputs are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from typegrad.base.brief import shortened
from typegrad.base.errors import GraphError, InvalidArgumentError, ResourceExhaustedError, TypegradError

if TYPE_CHECKING:
    from typegrad.base.shape import Shape
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.graph.operation import Operation

__all__ = [
    "NO_GRADIENT",
    "describe",
    "foreign",
    "input_lines",
    "is_of_variable",
    "known_as",
    "located",
    "origin",
    "read_from",
]

NO_GRADIENT: Final = "and only floats and complex numbers have gradients"

_LINES: Final = 6
"""Of how many inputs an error tells where they come from."""

_TOO_LARGE: Final = ("array is too big", "iterator is too large", "Maximum allowed dimension exceeded")
"""How NumPy's errors begin about arrays that no memory could hold; they are of class `ValueError`."""


def origin(operand: AnyOperand, shape: Shape | None = None) -> str:
    """What an operand is and where it comes from: "'x:0' (Placeholder, float32 [3, 4], created at model.py:8)".

    A variable's handle and what reads it are the variable to the user.
    """
    op = operand.as_reference().op
    name, kind, dtype, known = operand.name, op.type, operand.dtype, operand.shape if shape is None else shape
    if is_of_variable(op):
        name, kind, dtype, known = op.attrs["shared_name"], "Variable", op.attrs["dtype"], op.attrs["shape"]
    elif (handle := read_from(op)) is not None:
        op, name, kind = handle, handle.attrs["shared_name"], "Variable"
    return f"'{shortened(name, 100)}' ({kind}, {dtype.name} {known}, created at {op.created_at})"


def is_of_variable(op: Operation) -> bool:
    """Whether an operation makes the handle of a `Variable`."""
    return op.type == "VarHandleOp" and op.name.startswith(f"{op.attrs['shared_name']}/handle")


def read_from(op: Operation) -> Operation | None:
    """The operation that makes the handle of the `Variable` that an operation reads; None for any other operation."""
    handle = op.inputs[0].op if op.type == "ReadVariableOp" else None
    return handle if handle is not None and is_of_variable(handle) else None


def known_as(op: Operation) -> tuple[str, str]:
    """The name of an operation and where it was created; of what reads a variable, those of the variable."""
    handle = read_from(op)
    return (op.name, op.created_at) if handle is None else (handle.attrs["shared_name"], handle.created_at)


def input_lines(inputs: Iterable[tuple[str, AnyOperand, Shape | None]], text: str = "") -> str:
    """A line for each named input, as far as they are worth reading: of many, those that the error's `text` names."""
    listed = list(inputs)
    if len(listed) > _LINES:
        listed.sort(key=lambda each: each[0] not in text)
    lines = "".join(f"\n  {name} = {origin(output, shape)}" for name, output, shape in listed[:_LINES])
    return lines if len(listed) <= _LINES else f"{lines}\n  and {len(listed) - _LINES} more"


def describe(op: Operation) -> str:
    """What an operation is and where it was created: "MatMul 'y' (created at model.py:8)"."""
    return f"{op.type} '{shortened(op.name, 100)}' (created at {op.created_at})"


def foreign(what: str, owner: str) -> GraphError:
    """The error for a node of another graph than that of a scope, a session, or whatever `owner` is."""
    remedy = "open one with tg.Session(operand.graph)" if owner == "this session" else "build both on one graph"
    return GraphError(f"{what} belongs to another graph than {owner}; {remedy}")


def located(
    op: Operation, error: Exception, shape_of: Callable[[AnyOutput], Shape | None] = lambda _: None
) -> TypegradError:
    """The same kind of error with the node in front and its inputs behind, whose shapes are known better by `shape_of`.

    An unforeseen error becomes an `InvalidArgumentError`.
    """
    if isinstance(error, TypegradError):
        kind, text = type(error), str(error)
    elif isinstance(error, MemoryError) or str(error).startswith(_TOO_LARGE):
        kind, text = ResourceExhaustedError, f"there is not enough memory: {error}"
    else:
        kind, text = InvalidArgumentError, f"{type(error).__name__}: {error}"
    named = zip(op.input_names(), op.inputs, strict=True)
    return kind(f"{describe(op)}: {text}{input_lines(((name, each, shape_of(each)) for name, each in named), text)}")
