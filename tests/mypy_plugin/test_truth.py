"""An operand has no truth value; what follows is checked nonetheless."""

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
    "statements": """
def program(scope: tg.Scope, x: Rows, maybe: Rows | None, n: int) -> None:
    if x:  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        reveal_type(n)  # R: int
    while x > 0.0:  # E: the operand has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        break
    assert x  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    not x  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    bool(x)  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    both = x and x  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    one = 1 if x else 2  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
    if n > 0 and maybe:  # E: maybe has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        pass
    if maybe is not None and n:
        reveal_type(maybe)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    n + "a"  # E: Unsupported operand types for + ("int" and "str")  [operator]
""",
    "what follows a truth of an operation, whose class is final": """
def program(scope: tg.Scope, x: nn.Relu[tg.TFloat32, tuple[Batch, Literal[3]]]) -> int:
    if x:  # E: x has no truth value while the graph is built; use core.Select to choose by value, or `is None` to ask whether there is an operand  [typegrad-truth]
        return 1
    return "a"  # E: Incompatible return value type (got "str", expected "int")  [return-value]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
