"""A result is of any shape where one argument has an exact shape and another leaves it open."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core, nn
F32 = tg.Operand[tg.TFloat32]
T = TypeVar("T")
FUNCTIONS: list[Callable[[F32], F32]] = []
def left(x: F32) -> F32:
    return FUNCTIONS[0](x)
"""
PROGRAMS: Final = {
    "lists": """
def program(scope: tg.Scope) -> None:
    x = core.Fill.create(scope, (3, 4), 1.0)
    reveal_type([x] + [left(x)])  # R: list[Operand[TFloat32, tuple[Any, ...]]]
    reveal_type([x] + [x * 2.0])  # R: list[Operand[TFloat32, tuple[Literal[3], Literal[4]]] | Fill[TFloat32, tuple[Literal[3], Literal[4]]]]
    outputs = [x * 1.0]
    outputs = outputs + [left(each) for each in outputs]
    outputs[1] @ np.ones((2, 5), np.float32)
    more = [x * 1.0]
    more.extend([left(each) for each in [x]])
    more[1] @ np.ones((2, 5), np.float32)
    more = [x * 1.0]
    more += (left(each) for each in [x])
    more[1] @ np.ones((2, 5), np.float32)
""",
    "dicts": """
def program(scope: tg.Scope, names: list[str]) -> None:
    x = core.Fill.create(scope, (3, 4), 1.0)
    reveal_type({"a": x}.get("b", left(x)))  # R: Operand[TFloat32, tuple[Any, ...]]
    ({"a": x * 1.0} | {"b": left(x)})["b"] @ np.ones((2, 5), np.float32)
    parts = {"a": x * 1.0}
    parts.update({name: left(x) for name in names})
    parts["b"] @ np.ones((2, 5), np.float32)
    pairs = {"a": x * 1.0}
    pairs.update(zip(names, [left(x)]))
    pairs["b"] @ np.ones((2, 5), np.float32)
    pairs = {"a": x * 1.0}
    pairs.update([("a", left(x))])
    pairs["a"] @ np.ones((2, 5), np.float32)
""",
    "functions": """
class Dense:
    def __init__(self, scope: tg.Scope, rows: int, columns: int) -> None:
        self.w = tg.Variable.create(scope, np.ones((rows, columns), np.float32))
    def __call__(self, x: F32) -> F32:
        return x @ self.w
def pipe(x: T, *functions: Callable[[T], T]) -> T:
    for each in functions:
        x = each(x)
    return x
def program(scope: tg.Scope, layers: list[Dense]) -> None:
    x = core.Fill.create(scope, (3, 4), 1.0)
    functools.reduce(lambda h, layer: layer(h), layers, x) @ np.ones((2, 5), np.float32)
    states = list(itertools.accumulate(layers, lambda h, layer: layer(h), initial=x * 1.0))
    states[-1] @ np.ones((2, 5), np.float32)
    pipe(x * 1.0, left) @ np.ones((2, 5), np.float32)
    reveal_type(sorted([x, x], key=lambda each: each.name))  # R: list[Fill[TFloat32, tuple[Literal[3], Literal[4]]]]
""",
    "fields": """
@dataclass
class Box(Generic[T]):
    value: T
def program(scope: tg.Scope) -> None:
    box = Box(core.Fill.create(scope, (3, 4), 1.0) * 1.0)
    box.value = left(box.value)
    box.value @ np.ones((2, 5), np.float32)
""",
    "dtypes of NumPy": """
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[4]]]) -> None:
    reveal_type(core.Constant.create(scope, np.zeros(3, np.int32) * np.int64(2)))  # R: Constant[TInt64, tuple[Literal[3]]]
    reveal_type(core.Constant.create(scope, np.zeros(3, np.float32) * np.int64(2)))  # R: Constant[TFloat64, tuple[Literal[3]]]
    reveal_type(x @ np.linalg.inv(np.eye(4, dtype=np.float32)))  # R: Operand[TFloat32, tuple[Literal[3], Literal[4]]]
    reveal_type(core.Constant.create(scope, np.zeros(3, np.float32) * 2))  # R: Constant[TFloat32, tuple[Literal[3]]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
