"""What operations result in: the element types and shapes of operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from typegrad.base.shape import Shape, shared
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.wrapper import Op

__all__ = ["OperandValue", "Value", "common", "operands_in", "value_of"]


class OperandValue(NamedTuple):
    """An operand."""

    dtype: str
    shape: Shape

    def __str__(self) -> str:
        return f"{self.dtype} {'[...]' if self.shape.dims is None else self.shape}"


Value: TypeAlias = "OperandValue | tuple[Value | None, ...]"
"""An operand, or such of what a container or an operation holds."""


def value_of(value: Any) -> Value | None:
    """The operands in a value; None if there are none."""
    if isinstance(value, Operand):
        return OperandValue(value.dtype.name, value.shape)
    if isinstance(value, Op):
        value = value.op.outputs
    if type(value) is dict:
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        parts = tuple(map(value_of, value))
        return parts if any(part is not None for part in parts) else None
    return None


def operands_in(value: Any) -> Iterator[AnyOperand]:
    """The operands in a value, and the outputs of the operations in it."""
    if isinstance(value, Operand):
        yield value
    elif isinstance(value, Op):
        yield from value.op.outputs
    elif isinstance(value, (list, tuple)) or type(value) is dict:
        for part in value.values() if isinstance(value, dict) else value:
            yield from operands_in(part)


def common(values: Sequence[Value | None]) -> Value | None:
    """What some values have in common: unknown dimensions where shapes differ; None if they are of other kinds."""
    first = values[0]
    if isinstance(first, OperandValue):
        same = [each for each in values if isinstance(each, OperandValue) and each.dtype == first.dtype]
        shapes = [each.shape for each in same]
        return OperandValue(first.dtype, shared(shapes)) if len(same) == len(values) else None
    tuples = [each for each in values if isinstance(each, tuple) and not isinstance(each, OperandValue)]
    if len({len(each) for each in tuples}) != 1 or len(tuples) < len(values):
        return None
    return tuple(common(parts) for parts in zip(*tuples, strict=True))
