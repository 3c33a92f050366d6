"""Lists and dicts that functions take, make anew and return, and arrays whose sizes are arguments."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core

F = tg.Operand[tg.TFloat32]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, 8))
def matrix(rows: int, columns: int) -> F:
    return core.Fill.create(scope, (rows, columns), 1.0)
def first(x: F, weights: Sequence[F]) -> F:
    return x @ weights[0]
"""

PROGRAMS: Final = {
    "a step of gradient descent": """
def forward(weights: Sequence[F], x: F) -> F:
    w, b = weights
    return x @ w + b
def adapted(weights: Sequence[F], steps: int) -> list[F]:
    result = list(weights)
    for _ in range(steps):
        loss = core.Sum.create(scope, forward(result, x))
        gradients = tg.gradients(scope, loss, result, unconnected_gradients="zero")
        result = [w - 0.1 * g for w, g in zip(result, gradients)]
    return result
weights = [matrix(8, 2), core.Fill.create(scope, (2,), 0.0)]
fast = adapted(weights, 1)
reveal_type(forward(weights, x))  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
reveal_type(forward(fast, x))  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
""",
    "arrays of functions": """
def initial(rng: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    return rng.normal(0.0, 1.0 / np.sqrt(shape[0]), shape).astype(np.float32)
def doubled(rows: int, columns: int = 3) -> NDArray[np.float32]:
    if rows > 10:
        columns = 5
    return np.zeros((2 * rows, columns), np.float32)
rng = np.random.default_rng(0)
reveal_type(tg.Variable.create(scope, initial(rng, 8, 3)))  # R: Variable[TFloat32, tuple[Literal[8], Literal[3]]]
reveal_type(tg.Variable.create(scope, doubled(4)))  # R: Variable[TFloat32, tuple[Literal[8], Any]]
weights = [tg.Variable.create(scope, each) for each in (initial(rng, 8, 3), np.zeros(3, np.float32))]
reveal_type(first(x, weights))  # R: Operand[TFloat32, tuple[Literal[4], Literal[3]]]
""",
    "a list that is returned": """
def made(columns: int) -> list[F]:
    weights = [matrix(8, columns)]
    return weights
kept, changed = made(3), made(3)
weights = made(3)
changed[0] = matrix(8, 2)
reveal_type(first(x, weights))  # R: Operand[TFloat32, tuple[Literal[4], Literal[3]]]
other = made(3)
other[0] = matrix(8, 2)
reveal_type(first(x, other))  # R: Operand[TFloat32, tuple[Literal[4], Any]]
""",
    "a function inside uses it": """
later: list[Callable[[F], F]] = []
def made(x: F, columns: int) -> list[F]:
    weights = [matrix(8, columns)]
    later.append(lambda x: x @ weights[0])
    return weights
weights = made(x, 3)
reveal_type(first(x, weights))  # R: Operand[TFloat32, tuple[Any, ...]]
def outer(x: F, columns: int) -> F:
    weights = [matrix(8, columns)]
    def inner() -> list[F]:
        return weights
    inner()[0] = matrix(8, 5)
    return x @ weights[0]
reveal_type(outer(x, 3))  # R: Operand[TFloat32, tuple[Any, ...]]
def rebound(x: F, columns: int) -> F:
    weights = [matrix(8, columns)]
    def inner() -> None:
        nonlocal weights
        weights = [matrix(8, 5)]
    weights = [matrix(8, columns + 1)]
    inner()
    return x @ weights[0]
reveal_type(rebound(x, 3))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "the list of a parameter": """
def same(weights: list[F], is_new: bool) -> list[F]:
    result = [matrix(8, 2)]
    if not is_new:
        result = weights
    return result
weights = [matrix(8, 2)]
reveal_type(first(x, same(weights, False)))  # R: Operand[TFloat32, tuple[Any, ...]]
same(weights, False)[0] = matrix(8, 3)
reveal_type(first(x, weights))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "names that are bound again": """
def tuples(x: F, columns: int) -> F:
    weights = [matrix(8, columns)]
    weights = [matrix(8, columns + 1), matrix(8, columns + 2)]
    weights = list(reversed(weights))
    return x @ weights[0]
reveal_type(tuples(x, 3))  # R: Operand[TFloat32, tuple[Literal[4], Literal[5]]]
def itself(x: F, columns: int) -> F:
    weights = [matrix(8, columns), matrix(8, columns + 1)]
    weights = [weights[1] for _ in weights]
    return x @ weights[0]
reveal_type(itself(x, 3))  # R: Operand[TFloat32, tuple[Literal[4], Literal[4]]]
def added(x: F, columns: int) -> F:
    weights = [matrix(8, columns)]
    weights = [matrix(8, columns + 1)]
    weights += [matrix(8, columns)]
    weights.insert(0, matrix(8, 9))
    return x @ weights[0]
reveal_type(added(x, 3))  # R: Operand[TFloat32, tuple[Literal[4], Any]]
def second_name(x: F, columns: int) -> F:
    weights = [matrix(8, columns)]
    weights = [matrix(8, columns + 1)]
    other = weights
    other[0] = matrix(8, 9)
    return x @ weights[0]
reveal_type(second_name(x, 3))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "dicts": """
def parameters(columns: int) -> dict[str, F]:
    return {"w": matrix(8, columns)}
named = parameters(3)
named["b"] = matrix(3, 2)
reveal_type(x @ named["w"] @ named["b"])  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
named["w"] = matrix(8, 5)
reveal_type(x @ named["w"])  # R: Operand[TFloat32, tuple[Literal[4], Literal[5]]]
other = parameters(3)
other["b"] = matrix(3, 2)
print(other)
second = other
second["w"] = matrix(8, 5)
reveal_type(x @ other["w"])  # R: Operand[TFloat32, tuple[Any, ...]]
kept = {"w": matrix(8, 3)}
def shared() -> dict[str, F]:
    return kept
of_all = shared()
of_all["b"] = matrix(3, 2)
kept["w"] = matrix(8, 5)
reveal_type(x @ of_all["w"])  # R: Operand[TFloat32, tuple[Any, ...]]
changed = parameters(3)
changed[input()] = matrix(8, 5)
reveal_type(x @ changed["w"])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "keys with numbers in them": """
layers: dict[str, tg.Variable[tg.TFloat32]] = {}
for i, (rows, columns) in enumerate(zip((8, 3), (3, 2))):
    layers[f"layer_{i}"] = tg.Variable.create(scope, np.zeros((rows, columns), np.float32))
reveal_type(x @ layers["layer_0"])  # R: Operand[TFloat32, tuple[Literal[4], Literal[3]]]
reveal_type(layers["layer_1"])  # R: Variable[TFloat32, tuple[Literal[3], Literal[2]]]
same: dict[str, tg.Variable[tg.TFloat32]] = {}
for j, (m, n) in enumerate(zip((8, 3), (3, 2))):
    same[f"layer_{j // 2}"] = tg.Variable.create(scope, np.zeros((m, n), np.float32))
reveal_type(same["layer_0"])  # R: Variable[TFloat32, tuple[Literal[3], Literal[2]]]
wide: dict[str, tg.Variable[tg.TFloat32]] = {}
for k, (p, q) in enumerate(zip((8, 3), (3, 2))):
    wide[f"layer_{k:2}"] = tg.Variable.create(scope, np.zeros((p, q), np.float32))
reveal_type(wide["layer_ 0"])  # R: Variable[TFloat32, tuple[Any, ...]]
some: dict[str, tg.Variable[tg.TFloat32]] = {}
for e, (r, s) in enumerate(zip((8, 3), (3, 2))):
    if e:
        some[f"layer_{e}"] = tg.Variable.create(scope, np.zeros((r, s), np.float32))
reveal_type(some["layer_1"])  # R: Variable[TFloat32, tuple[Any, ...]]
""",
    "loops and jumps": """
def passes(x: F, steps: int) -> F:
    weights = [matrix(8, 2), matrix(8, 3)]
    for step in range(steps):
        weights = [w @ core.Fill.create(scope, (2, 4 + step), 1.0) for w in weights[:1]]  # E: MatMul: inner dimensions differ: a is [8, 4], b is [2, 5]; called in line 23  [typegrad-shape]
    return x @ weights[0]
reveal_type(passes(x, 2))  # R: Operand[TFloat32, tuple[Literal[4], Any]]
def jumps(x: F, columns: int) -> F:
    weights = [matrix(8, columns)]
    for step in range(3):
        if step == columns:
            break
        try:
            weights = [matrix(8, columns + 10)]
            assert columns > step
        except AssertionError:
            continue
    return x @ weights[0]
reveal_type(jumps(x, 2))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("returned"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
