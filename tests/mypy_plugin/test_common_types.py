"""Generic functions take several containers of operands, whatever shapes they hold, and their results hold any of these."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import heapq
from collections import ChainMap
from typing import Any, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core
T = TypeVar("T")
def merge(*dicts: dict[str, T]) -> dict[str, T]:
    return {key: value for each in dicts for key, value in each.items()}
def put(to: dict[str, T], key: str, value: T) -> None:
    to[key] = value
def pair(first: T, second: T) -> list[T]:
    return [first, second]
class Store:
    def both(self, first: list[T], second: list[T]) -> list[T]:
        return first + second
scope = tg.Scope(tg.Graph())
w, b = tg.Variable.create(scope, np.ones((4, 2), np.float32)), tg.Variable.create(scope, np.zeros(2, np.float32))
n = tg.Variable.create(scope, [1, 2])
"""
PROGRAMS: Final = {
    "functions of a program": """
reveal_type(merge({"w": w}, {"b": b}))  # R: dict[str, Variable[TFloat32, tuple[Any, ...]]]
reveal_type(merge({"w": w}, {"v": w}))  # R: dict[str, Variable[TFloat32, tuple[Literal[4], Literal[2]]]]
reveal_type(pair([w], [b])[0])  # R: list[Variable[TFloat32, tuple[Any, ...]]]
reveal_type(Store().both([w], [b])[1])  # R: Variable[TFloat32, tuple[Any, ...]]
merge({"w": w}, {"n": n})  # E: Cannot infer value of type parameter "T" of "merge"  [misc]
merge({"w": w}, [b])  # E: Argument 2 to "merge" has incompatible type "list[Variable[TFloat32, tuple[Literal[2]]]]"; expected "dict[str, Variable[TFloat32, tuple[Literal[4], Literal[2]]]]"  [arg-type]
""",
    "a function that adds": """
variables = {"w": w}
put(variables, "b", b)
reveal_type(variables["b"])  # R: Variable[TFloat32, tuple[Any, ...]]
reveal_type(variables["w"])  # R: Variable[TFloat32, tuple[Any, ...]]
kept = {"w": w}
put(kept, "v", w)
reveal_type(kept["w"])  # R: Variable[TFloat32, tuple[Literal[4], Literal[2]]]
""",
    "functions of Python": """
reveal_type(max([w, w], [b], key=len)[0])  # R: Variable[TFloat32, tuple[Any, ...]]
both = ChainMap({"w": w}, {"b": b})
reveal_type(both["b"])  # R: Variable[TFloat32, tuple[Any, ...]]
defaults: dict[tg.Operand[Any], Any] = {n: 1}
feeds = ChainMap({w: 2.0}, defaults)
reveal_type(feeds)  # R: ChainMap[Operand[Any, tuple[Any, ...]], Any]
ChainMap({"w": 2.0}, defaults)  # E: Cannot infer value of type parameter "_KT" of "ChainMap"  [misc]
queue = [(0.5, "w", w), (0.2, "b", b)]
heapq.heappush(queue, (0.1, "c", tg.Variable.create(scope, np.zeros((4, 3), np.float32))))
reveal_type(queue[0][2])  # R: Variable[TFloat32, tuple[Any, ...]]
reveal_type(list(zip([w], [b]))[0][0])  # R: Variable[TFloat32, tuple[Literal[4], Literal[2]]]
""",
    "tuples of several element types": """
loss = core.Sum.create(scope, w)
double = tg.Variable.create(scope, np.zeros(3))
gradients = tg.gradients(scope, loss, (w, double), unconnected_gradients="zero")
for v, gradient in zip((w, double), gradients):
    reveal_type(v)  # R: Variable[Any, tuple[Any, ...]]
    reveal_type(gradient)  # R: Operand[Any, tuple[Any, ...]]
    v.assign_sub(scope, gradient * 2)
for number, (gradient, v) in enumerate(zip(gradients, (w, double))):
    print(gradient + gradient, v.name)
for v, perhaps in zip((w, double), tg.gradients(scope, loss, (w, double))):
    reveal_type(perhaps)  # R: Operand[Any, tuple[Any, ...]] | None
    if perhaps is not None:
        v.assign_sub(scope, perhaps * 2)
for gradient in gradients[:1] + tuple(gradients):
    print(gradient.name)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
