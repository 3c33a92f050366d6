"""The rows that a variable gathers have a static shape, and indices have an integer type."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import functools
from typing import Any, Literal, NewType
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "rows": """
def program(scope: tg.Scope, x: Rows, n: Counts) -> None:
    table = tg.Variable.create(scope, shape=(5, 4), dtype=tg.TFloat32)
    reveal_type(table.gather(scope, n))  # R: Operand[TFloat32, tuple[Batch, Literal[4]]]
    reveal_type(table.gather(scope, [0, 1]))  # R: Operand[TFloat32, tuple[Literal[2], Literal[4]]]
    table.gather(scope, x)  # E: Variable.gather: indices is float32, but must be int32 or int64; cast it with dtypes.Cast  [typegrad-dtype]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
