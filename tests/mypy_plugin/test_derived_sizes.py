"""Sizes of parameters that are arithmetic with type variables: what calls say of them, and what follows for the result."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from dataclasses import dataclass
from typing import Generic, Literal, NewType, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
Time = NewType("Time", int)
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
scope = tg.Scope(tg.Graph())
rows = core.Placeholder.create(scope, tg.TFloat32, (Batch, 12))
three = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
steps = core.Placeholder.create(scope, tg.TFloat32, (Batch, Time))
some = core.Placeholder.create(scope, tg.TFloat32, (Batch, None))
Two = Literal[2]
F = tg.TFloat32
"""

PROGRAMS: Final = {
    "solved": """
def halves(x: tg.Operand[F, tuple[Batch, tg.Times[Two, N]]]) -> tg.Operand[F, tuple[Batch, N]]:
    left, right = core.Split.create(scope, 1, x, 2)
    return left * right
def inner(x: tg.Operand[F, tuple[Batch, tg.Plus[N, Two]]]) -> tg.Operand[F, tuple[Batch, N]]:
    return x[:, 1:-1]
reveal_type(halves(rows))  # R: Operand[TFloat32, tuple[Batch, Literal[6]]]
reveal_type(halves(halves(rows)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
reveal_type(halves(steps))  # R: Operand[TFloat32, tuple[Batch, Over[Time, Literal[2]]]]
reveal_type(inner(steps))  # R: Operand[TFloat32, tuple[Batch, Minus[Time, Literal[2]]]]
reveal_type(halves(some))  # R: Operand[TFloat32, tuple[Batch, Any]]
halves(three)  # E: halves: 2*N is 3 in x, but 3 is never a multiple of 2  [typegrad-shape]
inner(three[:, :1])  # E: inner: N + 2 is 1 in x, but N cannot be -1  [typegrad-shape]
""",
    "not solved": """
def floor(x: tg.Operand[F, tuple[Batch, tg.FloorDiv[N, Two]]]) -> tg.Operand[F, tuple[Batch, N]]:
    raise NotImplementedError
def square(x: tg.Operand[F, tuple[Batch, tg.Times[N, N]]]) -> tg.Operand[F, tuple[Batch, N]]:
    raise NotImplementedError
def product(x: tg.Operand[F, tuple[Batch, tg.Times[M, N]]]) -> tg.Operand[F, tuple[Batch, N]]:
    raise NotImplementedError
floored, squared, divided = floor(rows), square(rows), product(rows)
reveal_type(squared)  # R: Operand[TFloat32, tuple[Batch, Any]]
""",
    "compared": """
def parts(x: tg.Operand[F, tuple[Batch, tg.Plus[N, M]]], n: N, m: M) -> tg.Operand[F, tuple[Batch, N]]:
    return x[:, :n]
def mixed(x: tg.Operand[F, tuple[Batch, N]], y: tg.Operand[F, tuple[Batch, tg.Times[Two, N]]] | None = None) -> None: ...
reveal_type(parts(rows, 5, 7))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
parts(rows, 5, 8)  # E: parts: M + N is 13, since M is 8 in m and N is 5 in n, but 12 in x  [typegrad-shape]
mixed(rows)
mixed(three, three)  # E: mixed: 2*N is 6, since N is 3 in x, but 3 in y  [typegrad-shape]
mixed(three, rows[:, :6])
""",
    "objects": """
class Heads(Generic[N, M]):
    def __init__(self, heads: N, width: M) -> None:
        self.heads, self.width = heads, width
    def __call__(self, x: tg.Operand[F, tuple[Batch, tg.Times[N, M]]]) -> tg.Operand[F, tuple[Batch, N]]:
        return x[:, : self.heads]
class Model(Generic[N, M]):
    def __init__(self, heads: N, width: M) -> None:
        self.first, self.second, self.more = Heads(heads, width), Heads(heads, heads), [Heads(heads, width)]
    def __call__(self, x: tg.Operand[F, tuple[Batch, tg.Times[N, M]]]) -> tg.Operand[F, tuple[Batch, N]]:
        for each in self.more:
            each(x)
        self.second(x)  # E: Heads: M*N is N*N, since M is N in width, but M*N in x  [typegrad-shape]
        self.more[0](x[:, 1:])  # E: Heads: M*N is declared, but M*N - 1 passed, in x  [typegrad-shape]
        return self.first(x)
reveal_type(Heads(3, 4)(rows))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
Heads(3, 5)(rows)  # E: Heads: M*N is 15, since M is 5 in width and N is 3 in heads, but 12 in x  [typegrad-shape]
def of_type(good: Heads[Literal[3], Literal[4]], bad: Heads[Literal[3], Two], any: Heads[int, int]) -> None:
    reveal_type(good(rows))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    bad(rows)  # E: Heads: M*N is 6, since M is 2 and N is 3, but 12 in x  [typegrad-shape]
    any(rows)
""",
    "constructors": """
class Head(Generic[N, M]):
    def __init__(self, w: tg.Operand[F, tuple[N, tg.Times[Two, M]]], width: N) -> None:
        self.w = w
@dataclass
class Weights(Generic[N]):
    a: tg.Operand[F, tuple[N, N]]
    b: tg.Operand[F, tuple[tg.Times[Two, N]]]
w = tg.Variable.create(scope, np.zeros((4, 6), np.float32))
b = tg.Variable.create(scope, np.zeros(8, np.float32))
reveal_type(Head(w, 4))  # R: Head[Literal[4], Literal[3]]
Head(w, 5)  # E: Head: N is 5 in width, but 4 in w  [typegrad-shape]
Weights(w[:, :4], b)
Weights(w[:3, :3], b)  # E: Weights: 2*N is 6, since N is 3 in a, but 8 in b  [typegrad-shape]
""",
    "one name": """
class Actor(Generic[N]):
    def __init__(self, state: N) -> None: ...
    def act(self, state: tg.Operand[F, tuple[Batch, N]]) -> None: ...
Actor(3).act(rows)  # E: act: N is 3 in state of the object, but 12 in state  [typegrad-shape]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
