"""A mistake in a loop or a method lets a later pass or call fail above it: that is one error, the mistake."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import Any
import typegrad as tg
from typegrad.op import core
Floats = tg.Operand[tg.TFloat32]
State = tuple[Floats, Floats]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (None, 3))
"""
OPERAND: Final = "Operand[TFloat32, tuple[Any, ...]]"
PAIR: Final = f"tuple[{OPERAND}, {OPERAND}]"
RETURNED: Final = 'Incompatible return value type (got "{}", expected "{}")  [return-value]'
ASSIGNED: Final = 'Incompatible types in assignment (expression has type "{}", variable has type "{}")  [assignment]'
PROGRAMS: Final = {
    "results in the wrong order": f"""
def cell(v: Floats, state: State) -> tuple[Floats, State]:
    c, h = state
    return (c + v, h * v), h  # E: {RETURNED.format(f"tuple[{PAIR}, {OPERAND}]", f"tuple[{OPERAND}, {PAIR}]")}
state: State = (x, x)
for _ in range(2):
    output, state = cell(x, state)
""",
    "a name that a loop binds to something else": f"""
def cell(v: Floats, state: State) -> State:
    c, h = state
    return c + v, h * v
states = [(x, x), (x, x)]
step = 0
while step < 2:
    made = []
    for state in states:
        made.append(cell(x, state))
    states = made[0]  # E: {ASSIGNED.format(PAIR, f"list[{PAIR}]")}
    step += 1
""",
    "an attribute that a method binds to something else": f"""
class Cell:
    state: State
    def __init__(self) -> None:
        self.state = (x, x)
    def __call__(self) -> None:
        c, h = self.state
        self.state = c * h  # E: {ASSIGNED.format(OPERAND, PAIR)}
cell = Cell()
cell()
cell()
""",
    "a mistake that a loop does not read above it": f"""
def first(pair: Any) -> Any:
    one, _ = pair  # E: TypeError: <Placeholder 'Placeholder' TFloat32 [?, 3]> cannot be iterated while the graph is built; core.Unstack makes a list of operands; called in line 14  [typegrad-run]
    return one
sizes = [1]
for _ in range(2):
    first(x)
    sizes = 3  # E: {ASSIGNED.format("int", "list[int]")}
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
