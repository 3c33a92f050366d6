"""One mistake is one error: what follows from it is not told again."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from collections.abc import Callable
from typing import Literal, NewType, TypeVar
import typegrad as tg
from typegrad.op import core, linalg, math
Batch = NewType("Batch", int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
Four = tg.Operand[tg.TFloat32, tuple[Batch, Literal[4]]]
Eight = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
"""
RETURNS: Final = (
    'Incompatible return value type (got "{}[TFloat32, tuple[Batch, Literal[4]]]", expected "Operand[TFloat32, '
    'tuple[Batch, Literal[8]]]")  [return-value]'
)
KEY: Final = "`key` makes operands, which are not compared before the run; compare what session.run returns"
A_NAME: Final = "is a list of integers, but Batch is the name of a dimension; core.Shape.create(scope, x) has the sizes of x in a run"
PROGRAMS: Final = {
    "a result that is wrong for all calls": f"""
def whole(parts: list[tg.Operand[tg.TFloat32]]) -> Eight:
    return core.Concat.create(scope, parts, 1).expect(tg.TFloat32, (Batch, 4))  # E: {RETURNS.format("Output")}
def doubled(h: tg.Operand[tg.TFloat32], h2: Four) -> Eight:
    return h2 * 2.0  # E: {RETURNS.format("Operand")}
class Layer:
    def __call__(self, h: tg.Operand[tg.TFloat32], h2: Four) -> Eight:
        return h2 * 2.0  # E: {RETURNS.format("Operand")}
def train() -> None:
    whole([x, x])
    doubled(x, x)
    Layer()(x, x)
whole([x, x])
whole([x, x * 2.0])
doubled(x, x)
Layer()(x, x)
""",
    "a result that is wrong for one call": """
def whole(h: tg.Operand[tg.TFloat32]) -> Eight:
    return h * 2.0
whole(x)  # E: whole (line 13) returns an operand of shape [Batch, 4], but is declared to return [Batch, 8]  [typegrad-shape]
""",
    "what an operation makes that is refused": """
def leaky(x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return core.Select.create(scope, x, x > 0, core.ZerosLike.create(scope, x))  # E: Select: condition is F and t is bool; swap them  [typegrad-dtype]
def mean() -> float:
    return math.Mean.create(scope, x).item()  # E: 'Mean' object has no attribute 'item'; did you mean `session.run`?  [typegrad-call]
def plain(value: tg.Operand[tg.TFloat32]) -> float:
    return value.graph.operations[0].attrs["N"]  # E: Returning Any from function declared to return "float"  [no-any-return]
""",
    "shapes behind a refused call": """
def descend(start: tg.Operand[F, S], energy: Callable[[tg.Operand[F, S]], tg.Operand[F, tuple[()]]]) -> tg.Operand[F, S]:
    h = start
    for _ in range(3):
        h = h - tg.grad(scope, energy(h), scope)  # E: grad(): `x` must be an operand, not Scope  [typegrad-call]
    return h
""",
    "an argument in a loop": """
def doubled(h: Four) -> Four:
    return h * 2.0
h = core.Placeholder.create(scope, tg.TFloat32, (Batch, 3))
for _ in range(3):
    h = doubled(h)  # E: Argument 1 to "doubled" has incompatible type "Placeholder[TFloat32, tuple[Batch, Literal[3]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[4]]]"  [arg-type]
""",
    "an error that only the program shows, above one of the types": """
def same(parts: list[tg.Operand[tg.TFloat32]]) -> list[tg.Operand[tg.TFloat32]]:
    return parts
stacked = core.Stack.create(scope, same([x, x, x]))
turned = linalg.Transpose.create(scope, stacked, (1, 0))  # E: Transpose: `perm` must name each of the 3 dimensions of `x` [3, Batch, 4] once, but has 2 elements; x is 'stacked' from line 15  [typegrad-shape]
math.ArgMax.create(scope, turned, 2)  # E: ArgMax: `dimension` is 2, but must be in [-2, 2)  [typegrad-shape]
core.Reshape.create(scope, same([x])[1], (-1,))
""",
    "keys": f"""
min([x, x * 2.0], key=lambda h: math.Mean.create(scope, h))  # E: min(): {KEY}  [typegrad-call]
max(x, x, key=lambda h: math.Mean.create(scope, h))  # E: max(): {KEY}  [typegrad-call]
sorted([x], key=lambda h: math.Mean.create(scope, h))  # E: sorted(): {KEY}  [typegrad-call]
[x].sort(key=lambda h: math.Mean.create(scope, h))  # E: sort(): {KEY}  [typegrad-call]
[x].sort(key=lambda h: h.name)
min([x, x * 2.0], key=lambda h: h.shape.rank or 0)
""",
    "the name of a dimension for a list": f"""
core.Reshape.create(scope, x, Batch)  # E: Reshape.create(): `shape` {A_NAME}  [typegrad-call]
core.Fill.create(scope, Batch, 1.0)  # E: Fill.create(): `dims` {A_NAME}  [typegrad-call]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
