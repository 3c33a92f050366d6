"""What other code may change has an unknown shape: containers with a second name, and names that functions rebind."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from dataclasses import dataclass

import numpy as np

import typegrad as tg
from typegrad.op import core

F32 = tg.TFloat32
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, F32, (4, 8))
def matrix(rows: int, columns: int) -> tg.Variable[F32]:
    return tg.Variable.create(scope, np.zeros((rows, columns), np.float32))
"""

PROGRAMS: Final = {
    "nothing changes it": """
weights = [matrix(8, 2)]
named = {"w": matrix(8, 2)}
reveal_type(x @ weights[0])  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
reveal_type(x @ named["w"])  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
""",
    "a second name": """
named = {"w": matrix(8, 2)}
other = named
other["w"] = matrix(8, 3)
reveal_type(x @ named["w"])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a second name of a part": """
layers = {"first": {"w": matrix(8, 2)}}
inner = layers["first"]
inner["w"] = matrix(8, 3)
reveal_type(x @ layers["first"]["w"])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "the parts in a loop": """
layers = [[matrix(8, 2)], [matrix(8, 2)]]
for inner in layers:
    inner[0] = matrix(8, 3)
reveal_type(x @ layers[0][0])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a second name of a part that is only read": """
layers = {"first": {"w": matrix(8, 2)}}
inner = layers["first"]
reveal_type(x @ inner["w"])  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
reveal_type(x @ layers["first"]["w"])  # R: Operand[TFloat32, tuple[Literal[4], Literal[2]]]
""",
    "a part of a tuple": """
weights = [matrix(8, 2)]
pair = weights, 1
pair[0][0] = matrix(8, 3)
reveal_type(x @ weights[0])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a function that takes it": """
def change(weights: list[tg.Variable[F32]]) -> None:
    weights[0] = matrix(8, 3)
weights = [matrix(8, 2)]
change(weights)
reveal_type(x @ weights[0])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a function that returns it": """
weights = [matrix(8, 2)]
def all_weights() -> list[tg.Variable[F32]]:
    return weights
all_weights()[0] = matrix(8, 3)
reveal_type(x @ weights[0])  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a function inside": """
def model() -> tg.Operand[F32]:
    weights = [matrix(8, 2)]
    def change() -> None:
        weights[0] = matrix(8, 3)
    change()
    return x @ weights[0]
reveal_type(model())  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a field": """
@dataclass
class Layers:
    weights: list[tg.Variable[F32]]
    def __call__(self, x: tg.Operand[F32]) -> tg.Operand[F32]:
        return x @ self.weights[0]
layers = Layers([matrix(8, 2)])
layers.weights[0] = matrix(8, 3)
reveal_type(layers(x))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "a name that a function rebinds": """
w = matrix(8, 2)
def change() -> None:
    global w
    w = matrix(8, 3)
change()
reveal_type(x @ w)  # R: Operand[TFloat32, tuple[Any, ...]]
def model() -> tg.Operand[F32]:
    v = matrix(8, 2)
    def change() -> None:
        nonlocal v
        v = matrix(8, 3)
    change()
    return x @ v
reveal_type(model())  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "lists that are repeated": """
grid = [[0] * 2] * 3
grid[0][1] = 6
reveal_type(matrix(8, grid[2][1]))  # R: Variable[TFloat32, tuple[Literal[8], Any]]
pair = ([3],) * 2
pair[0][0] = 5
reveal_type(core.Placeholder.create(scope, F32, (pair[1][0],)))  # R: Placeholder[TFloat32, tuple[Any]]
sizes = [3]
list.append(sizes, 4)
reveal_type(core.Placeholder.create(scope, F32, sizes))  # R: Placeholder[TFloat32, tuple[Any, ...]]
kept = [2] * 3
reveal_type(core.Placeholder.create(scope, F32, kept))  # R: Placeholder[TFloat32, tuple[Literal[2], Literal[2], Literal[2]]]
""",
    "names of the module": """
units = 4
globals()["units"] = 7
reveal_type(core.Placeholder.create(scope, F32, (units,)))  # R: Placeholder[TFloat32, tuple[Any]]
""",
    "dicts that grow": """
named = {"w": matrix(8, 2)}
named |= {"w": matrix(8, 3)}
reveal_type(named["w"])  # R: Variable[TFloat32, tuple[Literal[8], int]]
other = {"w": matrix(8, 2)}
other.update({"w": matrix(8, 3)})
other.update(b=matrix(3, 3))
reveal_type(other["w"])  # R: Variable[TFloat32, tuple[int, int]]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("changes"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
