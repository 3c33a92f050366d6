"""What mypy asks again, for another overload or in another pass, is answered anew only where a name has another type."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from typing import Literal, NewType
import typegrad as tg
from typegrad.op import core, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
"""
PROGRAMS: Final = {
    "an item of a name that a pass binds to another shape": """
def program(scope: tg.Scope, x: Rows) -> None:
    h = x
    for _ in range(2):
        nn.Relu.create(scope, h[:, 5])  # E: StridedSlice: index 5 is out of range for dimension 1 of shape [Batch, 4]  [typegrad-shape]
        h = core.Identity.create(scope, h[:, :4])
""",
    "an item of a parameter": """
def first(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x[:, :2]
def program(x: Rows, y: tg.Operand[tg.TFloat32, tuple[Batch]]) -> None:
    reveal_type(first(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
    first(y)  # E: StridedSlice: 2 dimensions are indexed, but `input` has shape [Batch]; in first, line 9  [typegrad-shape]
""",
    "a wrong argument of a call with overloads": """
def program(scope: tg.Scope, x: Rows) -> None:
    tg.Variable.create(scope, nn.Relu.create(scope))  # E: Relu.create() needs `features`; it is called as Relu.create(scope, features)  [typegrad-call]
    tg.Variable.create(scope, nn.Relu.create(scope, x))
""",
    "an attribute of a new operation": """
def program(scope: tg.Scope, x: Rows) -> None:
    reveal_type(core.Split.create(scope, 1, x, num_split=2).output)  # R: list[Output[TFloat32, tuple[Batch, Literal[4]]]]
    core.Split.create(scope, 1, x, num_split=2).ouput  # E: 'Split' object has no attribute 'ouput'; did you mean `.output`?  [typegrad-call]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
