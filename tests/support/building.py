"""Building a case in a typegrad graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

import typegrad as tg
from support.case import Case, Var
from support.recording import Array, as_array, operands
from support.registry import definition, stated
from typegrad.op import core
from typegrad.operand import Output
from typegrad.operation import Operation
from typegrad.scope import as_operation
from typegrad.shape import UNKNOWN, Shape
from typegrad.types import BY_NAME, TResource, from_numpy

Place: TypeAlias = Callable[[tg.Scope, int, Array], Output[Any, Any]]
"""Makes operand number `index`, which has this value."""


def constant(scope: tg.Scope, index: int, value: Array) -> Output[Any, Any]:
    """An operand whose value is known while the graph is built."""
    del index
    return core.Constant.create(scope, value, dtype_of(value)).as_output()


def placeholder(scope: tg.Scope, value: Array, shape: Shape = UNKNOWN) -> Output[Any, Any]:
    """An operand that is fed."""
    return core.Placeholder.create(scope, dtype_of(value), shape=shape).as_output()


def dtype_of(value: Array) -> type[Any]:
    """The element type of an array."""
    found = from_numpy(value.dtype)
    assert found is not None, value.dtype
    return found


def place_all(scope: tg.Scope, case: Case, place: Place = constant) -> list[Output[Any, Any]]:
    """The operands of a case in a row; a variable becomes a handle that is initialized once per session."""
    return [
        _handle(scope, case, value) if isinstance(value, Var) else place(scope, index, value)
        for index, value in enumerate(operands(case))
    ]


def _handle(scope: tg.Scope, case: Case, variable: Var) -> Output[Any, Any]:
    if variable.value is None:
        dtype: type[Any] = BY_NAME[case.attrs.get("dtype", "float")]
        return core.VarHandleOp.create(scope, dtype, shape=UNKNOWN).as_output()
    initial = as_array(variable.value)
    handle = core.VarHandleOp.create(scope, dtype_of(initial), shape=initial.shape).as_output()
    core.AssignVariableOp.create(scope.with_init_scope(), handle, constant(scope, 0, initial))
    return handle


def build(scope: tg.Scope, case: Case, inputs: Sequence[Output[Any, Any]]) -> Operation:
    """Add the operation of a case, through its wrapper class."""
    return as_operation(definition(case.op).wrapper.create(scope, **create_arguments(case, inputs)))


def create_arguments(case: Case, inputs: Sequence[Output[Any, Any]]) -> dict[str, Any]:
    """What `create` takes besides the scope, by name."""
    spec = definition(case.op)
    attrs = {name: _as_type(value) if name in spec.types else value for name, value in stated(case).items()}
    return {**dict(zip((item.name for item in spec.inputs), _grouped(case, iter(inputs)), strict=False)), **attrs}


def _as_type(value: Any) -> Any:
    return BY_NAME[value] if isinstance(value, str) else tuple(BY_NAME[item] for item in value)


def _grouped(case: Case, inputs: Iterator[Output[Any, Any]]) -> list[Any]:
    """The inputs as `create` takes them: a list for a list input."""
    return [[next(inputs) for _ in value] if isinstance(value, tuple) else next(inputs) for value in case.inputs]


def input_names(case: Case) -> list[str]:
    """For each operand the input it belongs to."""
    spec = definition(case.op)
    return [
        item.name
        for item, value in zip(spec.inputs, case.inputs, strict=True)
        for _ in (value if isinstance(value, tuple) else (value,))
    ]


def values(session: tg.Session, op: Operation, feeds: Any = None) -> tuple[Array | None, ...]:
    """Run an operation: its outputs, of the types and shapes that the graph promises; None for a resource."""
    wanted = [output for output in op.outputs if output.dtype is not TResource]
    found = [np.asarray(value) for value in session.run([op, *wanted], feeds or {})[1:]]
    for output, value in zip(wanted, found, strict=True):
        assert value.dtype == output.dtype.numpy, f"{output} is {value.dtype} at run time"
        assert output.shape.accepts(value.shape), f"{output} is {list(value.shape)} at run time"
    results = iter(found)
    return tuple(None if output.dtype is TResource else next(results) for output in op.outputs)


def held(scope: tg.Scope, session: tg.Session, handle: Output[tg.TResource]) -> Array | None:
    """What a variable holds, or None if it was never assigned."""
    if not session.run(core.VarIsInitializedOp.create(scope, handle)):
        return None
    return np.asarray(session.run(core.ReadVariableOp.create(scope, handle, handle.op.attrs["dtype"])))
