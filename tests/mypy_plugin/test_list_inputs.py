"""Operations of lists whose length is not known: the element type, and what the shape is for every length."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import functools
from typing import Any, Literal, NamedTuple, NewType
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "a named tuple": """
class Parts(NamedTuple):
    first: Rows
    second: Rows
def program(scope: tg.Scope, parts: Parts) -> None:
    core.Stack.create(scope, parts)
    reveal_type(math.AddN.create(scope, parts))  # R: AddN[TFloat32, tuple[Batch, Literal[3]]]
    math.Tanh.create(scope, parts)  # E: Tanh.create(): `x` must be an operand or a value, not Parts; take one of its operands: .first, .second  [typegrad-call]
""",
    "named tuples in lists": """
class State(NamedTuple):
    first: Rows
    second: Rows
def program(scope: tg.Scope, x: Rows, state: State, anything: list[State | Rows]) -> None:
    core.Stack.create(scope, [[state], x])  # E: Stack: values[0] is of type tuple[State, ...], but must be an operand or a value that the operation takes  [typegrad-dtype]
    core.Stack.create(scope, anything)  # E: Stack: values is of type State | Operand[TFloat32, tuple[Batch, Literal[3]]], but must be an operand or a value that the operation takes  [typegrad-dtype]
""",
    "joined": """
def program(scope: tg.Scope, hs: list[Rows], x: Rows, n: Counts, w: Square, anything: Any) -> None:
    reveal_type(core.Concat.create(scope, hs, 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    reveal_type(core.Concat.create(scope, hs, 0))  # R: Concat[TFloat32, tuple[Any, Literal[3]]]
    reveal_type(core.Concat.create(scope, [*hs, x], 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    reveal_type(core.Concat.create(scope, [h @ w for h in hs], 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    reveal_type(core.Concat.create(scope, tuple(hs), 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    reveal_type(core.Concat.create(scope, hs[1:], 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    reveal_type(core.Stack.create(scope, hs))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[3]]]
    reveal_type(math.AddN.create(scope, hs))  # R: AddN[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(core.Concat.create(scope, anything, 1))  # R: Concat[Any, tuple[Any, ...]]
    core.Concat.create(scope, hs, 2)  # E: Concat: `axis` is 2, but must be in [-2, 2)  [typegrad-shape]
    core.Concat.create(scope, [*hs, n], 1)  # E: Concat: values is float32 but values[1] is int32; cast one with dtypes.Cast  [typegrad-dtype]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
