"""Building a case in a typegrad graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import typegrad as tg
from support.case import Accumulator, Case, Var
from support.recording import as_array
from support.registry import definition, stated
from typegrad.base.types import BY_TF_NAME
from typegrad.graph.operand import Output
from typegrad.graph.operation import Operation
from typegrad_checking.applied import (
    AccumulatorInput,
    AppliedOperation,
    Place,
    VariableInput,
    constant,
    dtype_of,
    held,
    placeholder,
    values,
)

__all__ = [
    "Place",
    "applied",
    "build",
    "constant",
    "dtype_of",
    "held",
    "input_names",
    "place_all",
    "placeholder",
    "values",
]

_FLOAT: Final = "float"


def applied(case: Case) -> AppliedOperation:
    """The case with its inputs as arrays, its attributes under their names in `create`, and types as classes."""
    types = definition(case.op).types
    attrs = {name: _as_type(value) if name in types else value for name, value in stated(case).items()}
    inputs = [
        tuple(_input(case, item) for item in value) if isinstance(value, tuple) else _input(case, value)
        for value in case.inputs
    ]
    return AppliedOperation(definition(case.op), tuple(inputs), attrs)


def _input(case: Case, value: Any) -> Any:
    if not isinstance(value, Var):
        return as_array(value)
    if isinstance(value, Accumulator):
        return AccumulatorInput(as_array(value.value), reduction=value.reduction)
    if value.value is None:
        return VariableInput(None, BY_TF_NAME[case.attrs.get("dtype", _FLOAT)])
    return VariableInput(as_array(value.value))


def _as_type(value: Any) -> Any:
    return BY_TF_NAME[value] if isinstance(value, str) else tuple(BY_TF_NAME[item] for item in value)


def place_all(scope: tg.Scope, case: Case, place: Place = constant) -> list[Output[Any, Any]]:
    """The operands of a case in a row; a variable becomes a handle that is initialized once per session."""
    return applied(case).place(scope, place)


def build(scope: tg.Scope, case: Case, inputs: Sequence[Output[Any, Any]]) -> Operation:
    """Add the operation of a case, through its wrapper class."""
    return applied(case).build(scope, inputs)


def input_names(case: Case) -> list[str]:
    """The input of each operand."""
    return applied(case).names()
