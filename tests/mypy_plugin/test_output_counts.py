"""Lists of outputs are unpacked into as many names, and indexed within."""

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
    "split": """
def program(scope: tg.Scope, tf: tg.Ops, x: Rows, count: int) -> None:
    parts = core.Split.create(scope, 1, x, num_split=3)
    a, b, c = parts
    reveal_type(a)  # R: Operand[TFloat32, tuple[Batch, Literal[1]]]
    a, b, c, d = parts  # E: Split: num_split is 3; the outputs are unpacked into 4 names, but there are 3 outputs  [typegrad-shape]
    e, f = parts.output  # E: Split: num_split is 3; the outputs are unpacked into 2 names, but there are 3 outputs  [typegrad-shape]
    g, h = tf.split(1, x, 3)  # E: Split: num_split is 3; the outputs are unpacked into 2 names, but there are 3 outputs  [typegrad-shape]
    reveal_type(g)  # R: Operand[TFloat32, tuple[Any, ...]]
    g + core.Fill.create(scope, [3, 2], 0.0)
    first, *others = parts
    parts[-3]
    parts[3]  # E: Split: num_split is 3; there is no output 3  [typegrad-shape]
    parts.output[-4]  # E: Split: num_split is 3; there is no output -4  [typegrad-shape]
    for part in parts[1:]:
        reveal_type(part)  # R: Operand[TFloat32, tuple[Batch, Literal[1]]]
    a, b = parts[:-1]
    a, b = parts[::-1]  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
    reveal_type(core.Stack.create(scope, parts[1:], axis=0))  # R: Stack[TFloat32, tuple[Literal[2], Batch, Literal[1]]]
    reveal_type(parts[:count])  # R: tuple[Operand[TFloat32, tuple[Batch, Literal[1]]], ...]
""",
    "outputs of several shapes": """
def program(scope: tg.Scope, x: Rows, flag: bool, n: int) -> None:
    parts = core.SplitV.create(scope, x, [1, -1], 1, 2)
    reveal_type(parts)  # R: SplitV[TFloat32, tuple[Batch, Any]]
    reveal_type(parts[1])  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
    reveal_type(parts.output[-2])  # R: Output[TFloat32, tuple[Batch, Literal[1]]]
    reveal_type(parts[n])  # R: Operand[TFloat32, tuple[Batch, Any]]
    reveal_type(parts[1:])  # R: tuple[Operand[TFloat32, tuple[Batch, Literal[2]]]]
    a, b = parts
    reveal_type(a)  # R: Operand[TFloat32, tuple[Batch, Literal[1]]]
    reveal_type(b)  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
    b + x  # E: AddV2: shapes [Batch, 2] and [Batch, 3] do not broadcast: 2 and 3 are neither equal nor 1  [typegrad-shape]
    a, b = b, a
    c, d = core.SplitV.create(scope, x, [1, 2], 1, 2) if flag else core.SplitV.create(scope, x, [2, 1], 1, 2)
    reveal_type(c)  # R: Operand[TFloat32, tuple[Batch, Any]]
    for _ in range(n):
        d, c = core.SplitV.create(scope, core.Concat.create(scope, [c, d], 1), [n, -1], 1, 2)
    rest = [a]
    rest.append(b)
    first = a
    first = b
class Halves:
    def __init__(self, scope: tg.Scope, x: Rows) -> None:
        self.a, self.b = core.SplitV.create(scope, x, [1, 2], 1, 2)
    def exchange(self) -> None:
        self.a, self.b = self.b, self.a
""",
    "runners": """
def program(session: tg.Session, x: Rows, y: Counts, op: tg.Operation) -> None:
    a, b = session.runner().feed(x, [[1.0, 2.0, 3.0]]).fetch(x).add_target(op).fetch(y).run()
    (c,) = session.runner().fetch(x).run()
    first, second = session.runner().fetch(x).run()  # E: run: 1 fetch is unpacked into 2 names  [typegrad-call]
    a, b = session.runner().fetch(x).fetch(y).fetch("z").run()  # E: run: 3 fetches are unpacked into 2 names  [typegrad-call]
    runner = session.runner().fetch(x)
    a, b = runner.fetch(y).run()
    a, *others = session.runner().fetch(x).run()
""",
    "a named tuple of fetches, which mypy counts": """
class Fetches(NamedTuple):
    x: Rows
    y: Counts
    op: tg.Op
def program(session: tg.Session, fetches: Fetches) -> None:
    x, y, nothing = session.run(fetches)
    a, b = session.run(fetches)  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
