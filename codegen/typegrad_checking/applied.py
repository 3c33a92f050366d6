"""An operation applied to inputs, to be checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from attrs import field, frozen

import typegrad as tg
from typegrad.base.array import Array
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.types import TFloat32, TResource, from_numpy
from typegrad.graph.definition import OpDef
from typegrad.graph.operand import AnyOutput, Output
from typegrad.graph.operation import Operation
from typegrad.graph.scope import as_operation
from typegrad.op import core, train
from typegrad.session.run_types import Feeds

__all__ = [
    "AccumulatorInput",
    "AppliedOperation",
    "Array",
    "Input",
    "Place",
    "VariableInput",
    "constant",
    "dtype_of",
    "held",
    "placeholder",
    "values",
]


Place: TypeAlias = Callable[[tg.Scope, int, Array], AnyOutput]
"""Makes operand number `index`, which has this value."""


@frozen(eq=False)
class VariableInput:
    """An input that is the handle of a variable holding `value`; None: not yet initialized, of type `dtype`."""

    value: Array | None
    dtype: type[Any] = TFloat32


@frozen(eq=False)
class AccumulatorInput(VariableInput):
    """An input that is the handle of an accumulator to which the rows of `value` were applied, one after the other."""

    reduction: Literal["MEAN", "SUM"] = "MEAN"


def constant(scope: tg.Scope, index: int, value: Array) -> AnyOutput:
    """An operand whose value is known while the graph is built."""
    del index
    return core.Constant.create(scope, value, dtype_of(value)).as_output()


def placeholder(scope: tg.Scope, value: Array, shape: Shape = UNKNOWN) -> AnyOutput:
    """An operand that is fed."""
    return core.Placeholder.create(scope, dtype_of(value), shape=shape).as_output()


def dtype_of(value: Array) -> type[Any]:
    """The element type of an array."""
    dtype = from_numpy(value.dtype)
    assert dtype is not None, value.dtype
    return dtype


Input: TypeAlias = "Array | VariableInput | tuple[Array | VariableInput, ...]"
"""A tuple for a list of operands."""


@frozen(eq=False)
class AppliedOperation:
    """An operation with its inputs in order, and its attributes by their names in `create`."""

    definition: OpDef
    inputs: tuple[Input, ...] = ()
    attrs: Mapping[str, object] = field(factory=dict)

    def operands(self) -> list[Array | VariableInput]:
        """All operands in order; list inputs are flattened."""
        return [item for value in self.inputs for item in (value if isinstance(value, tuple) else (value,))]

    def names(self) -> list[str]:
        """For each operand the input that it belongs to."""
        return [
            each.name
            for each, value in zip(self.definition.inputs, self.inputs, strict=False)
            for _ in (value if isinstance(value, tuple) else (value,))
        ]

    def place(self, scope: tg.Scope, place: Place = constant) -> list[AnyOutput]:
        """The operands in a graph; a variable becomes a handle that is initialized once per session."""
        return [
            _handle(scope, value) if isinstance(value, VariableInput) else place(scope, index, value)
            for index, value in enumerate(self.operands())
        ]

    def build(self, scope: tg.Scope, operands: Sequence[AnyOutput]) -> Operation:
        """Add the operation, through its wrapper class."""
        return as_operation(self.definition.wrapper.create(scope, **self.arguments(operands)))

    def arguments(self, operands: Sequence[AnyOutput]) -> dict[str, object]:
        """The arguments of `create` after the scope, by name."""
        names = (each.name for each in self.definition.inputs)
        return {**dict(zip(names, self._grouped(iter(operands)), strict=False)), **self.attrs}

    def _grouped(self, operands: Iterator[AnyOutput]) -> list[AnyOutput | list[AnyOutput]]:
        """The operands as `create` takes them: a list for a list input."""
        return [
            [next(operands) for _ in value] if isinstance(value, tuple) else next(operands) for value in self.inputs
        ]


def _handle(scope: tg.Scope, variable: VariableInput) -> AnyOutput:
    if isinstance(variable, AccumulatorInput):
        return _accumulator(scope, variable)
    if variable.value is None:
        return core.VarHandleOp.create(scope, variable.dtype, shape=UNKNOWN).as_output()
    handle = core.VarHandleOp.create(scope, dtype_of(variable.value), shape=variable.value.shape).as_output()
    core.AssignVariableOp.create(scope.with_init_scope(), handle, constant(scope, 0, variable.value))
    return handle


def _accumulator(scope: tg.Scope, accumulator: AccumulatorInput) -> AnyOutput:
    assert accumulator.value is not None
    rows, dtype = accumulator.value, dtype_of(accumulator.value)
    handle = train.ResourceConditionalAccumulator.create(
        scope, dtype, shape=rows.shape[1:], reduction_type=accumulator.reduction
    ).as_output()
    for row in rows:
        gradient = constant(scope, 0, np.asarray(row))
        train.ResourceAccumulatorApplyGradient.create(scope.with_init_scope(), handle, 0, gradient)
    return handle


def values(session: tg.Session, op: Operation, feeds: Feeds | None = None) -> tuple[Array | None, ...]:
    """Run an operation: its outputs, of the types and shapes that the graph promises; None for a resource."""
    fetched = [output for output in op.outputs if output.dtype is not TResource]
    arrays = [np.asarray(value) for value in session.run([op, *fetched], feeds or {})[1:]]
    for output, value in zip(fetched, arrays, strict=True):
        assert value.dtype == output.dtype.numpy, f"{output} is {value.dtype} at run time"
        assert output.shape.accepts(value.shape), f"{output} is {list(value.shape)} at run time"
    results = iter(arrays)
    return tuple(None if output.dtype is TResource else next(results) for output in op.outputs)


def held(scope: tg.Scope, session: tg.Session, handle: Output[tg.TResource]) -> Array | None:
    """What a variable or an accumulator holds; None for a variable never assigned, or an accumulator of nothing."""
    if handle.op.type == "ResourceConditionalAccumulator":
        if not session.run(train.ResourceAccumulatorNumAccumulated.create(scope, handle)):
            return None
        dtype = handle.op.attrs["dtype"]
        return np.asarray(session.run(train.ResourceAccumulatorTakeGradient.create(scope, handle, 1, dtype)))
    if not session.run(core.VarIsInitializedOp.create(scope, handle)):
        return None
    return np.asarray(session.run(core.ReadVariableOp.create(scope, handle, handle.op.attrs["dtype"])))
