"""The entries of the registry, as the code generator reads them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from support.case import Case, Var
from support.recording import as_array
from typegrad.types import BY_NAME
from typegrad_codegen.load import load
from typegrad_codegen.schema import Example, OpSpec

OPS: Final = Path(__file__).parents[2] / "ops"


@cache
def entries() -> dict[str, OpSpec]:
    """Every entry by the operation's name."""
    return {op.name: op for op in load(OPS).operations}


def example_case(entry: OpSpec, example: Example) -> Case:
    """An example of an entry as a case."""
    given = [spec for spec in entry.inputs if spec.name in example.inputs]
    inputs = [
        stated_value(example.inputs[spec.name])
        if spec.kind == "one"
        else tuple(map(stated_value, example.inputs[spec.name]))
        for spec in given
    ]
    attrs = {name: _attribute(entry, name, value) for name, value in example.attrs.items()}
    return Case(entry.name, tuple(inputs), attrs)


def stated_value(stated: Any) -> Any:
    """An input: plain values are int32 and float32, `dtype` states another type, `variable` is one that holds the value."""
    if isinstance(stated, dict) and "variable" in stated:
        value = stated["variable"]
        return Var(None if value is None else stated_value(value))
    if isinstance(stated, dict):
        return as_array(np.asarray(stated["value"], BY_NAME[stated["dtype"]].numpy))
    return as_array(stated)


def _attribute(entry: OpSpec, name: str, value: Any) -> Any:
    is_tensor = any(spec.name == name and spec.type == "tensor" for spec in entry.attrs)
    return stated_value(value) if is_tensor else value
