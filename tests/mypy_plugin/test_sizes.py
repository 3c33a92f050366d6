"""Sizes of operands are ints, or have the operators of sizes, where the shape is known; elsewhere, the error says what to write."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import math
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
unknown = core.Placeholder.create(scope, tg.TFloat32, (None, 8))
"""
UNKNOWN: Final = (
    "# E: a size may be unknown before the run; write x.shape[1:].as_ints() for sizes that are known, "
    "core.Shape.create(scope, x) for those in a run  [typegrad-call]"
)
IN_FILL: Final = "# E: Fill.create(): `dims` must hold integers: {}"
IN_A_RUN: Final = (
    "only a run knows the size {}; write core.Shape.create(scope, x)[0] for it, or -1 for one size of a new shape"
    "  [typegrad-call]"
)
PROGRAMS: Final = {
    "an int": """
columns = x.shape[1]
reveal_type(columns)  # R: int
reveal_type(core.Fill.create(scope, (columns * 2, x.shape[-1] // 2), 1.0))  # R: Fill[TFloat32, tuple[Literal[16], Literal[4]]]
reveal_type(core.Reshape.create(scope, x, (-1, x.shape[1] // 2)))  # R: Reshape[TFloat32, tuple[Times[Literal[2], Batch], Literal[4]]]
reveal_type(x @ tg.Variable.create(scope, np.zeros((columns, 3), np.float32)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "a name": """
core.Placeholder.create(scope, tg.TFloat32, (x.shape[0] + 1, ((2 * x.shape[0] + x.shape[1]) * x.shape[0] - 1) // 2))
rows = x.shape[0]
print(rows * 2 if isinstance(rows, int) else rows)
if rows == "Batch" or rows is None:
    print(f"{rows}", x.shape[1:])
""",
    "no size": f"""
x.shape[0] / 2  {UNKNOWN}
x.shape[1] / 2
core.Fill.create(scope, (unknown.shape[0], 3), 0.0)  {IN_FILL.format(UNKNOWN.removeprefix("# E: "))}
core.Fill.create(scope, (x.shape[0], 3), 0.0)  {IN_FILL.format(IN_A_RUN.format("Batch"))}
core.Fill.create(scope, (x.shape[0] * 2, 3), 0.0)  {IN_FILL.format(IN_A_RUN.format("2*Batch"))}
""",
    "a name of a size": """
rows, columns = x.shape
first = x.shape[0]
core.Placeholder.create(scope, tg.TFloat32, (first * 2, 2 + first))
core.Placeholder.create(scope, tg.TFloat32, (rows * 2, rows // columns))
if isinstance(first, int):
    print([0.0] * (first * 2))
print(rows * 2 if isinstance(rows, int) else rows, isinstance(rows, int) and rows > 2, int(rows) if isinstance(rows, int) else 0)
print(isinstance(x.shape[0], int) and x.shape[0] > 2, 2 * x.shape[0] if isinstance(x.shape[0], int) else 0)
""",
    "sizes that a run may know, each call another one": """
def program(n: int, y: tg.Operand[tg.TFloat32, tuple[int, int]], open: tg.Operand[tg.TFloat32]) -> None:
    drawn = core.Fill.create(scope, (n, 4), 0.0)
    w = tg.Variable.create(scope, drawn)
    fed = core.Placeholder.create(scope, tg.TFloat32, (n, 4))
    np.zeros((drawn.shape[0], w.shape[0] * 2, fed.shape[0], (w * 2).shape[0]))
    rows, columns = w.shape
    a, b = y.shape
    c, d = (y @ w).shape
    e, f = open.shape
    np.zeros((rows, columns, a * 2, b, c, d, e, f))
""",
    "told once": f"""
def dense(units: int) -> tg.Operand[tg.TFloat32]:
    n = unknown.shape[0]
    assert n is not None
    return x @ tg.Variable.create(scope, np.zeros((n, units), np.float32))  {UNKNOWN}
""",
    "a rank": """
def program(y: tg.Operand[tg.TFloat32]) -> None:
    axes = range(x.shape.rank)
    reveal_type(x.shape.rank - 1)  # R: int
    reveal_type(y.shape.rank)  # R: int | None
    first, *others = x.shape
    rows, columns, depth = x.shape  # E: the shape [Batch, 8] has 2 sizes, but is unpacked into 3 names  [typegrad-shape]
def sizes(y: tg.Operand[tg.TFloat32]) -> None:
    height, width, depth = y.shape.as_ints()
    if x.shape.rank == 2:
        rows, columns, last = x.shape.as_ints()  # E: the shape [Batch, 8] has 2 sizes, but is unpacked into 3 names  [typegrad-shape]
    first, *others = x.shape.as_ints()
    columns, = x.shape[1:].as_ints()
    try:
        rows, columns, depth = x.shape.as_ints()
    except ValueError:
        rows, columns = x.shape.as_ints()
""",
    "an unpacked shape": """
def halves(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4], Literal[6]]], y: tg.Operand[tg.TFloat32]) -> None:
    rows, height, width = x.shape
    assert isinstance(height, int) and isinstance(width, int)
    reveal_type(core.Reshape.create(scope, x, (-1, height * width)))  # R: Reshape[TFloat32, tuple[Batch, Literal[24]]]
    rest, size = y.shape
    assert isinstance(size, int)
    reveal_type(core.Reshape.create(scope, x, (-1, size)))  # R: Reshape[TFloat32, tuple[Any, Any]]
    first, second, third = x.shape
    third = y.shape[0]
    assert isinstance(third, int)
    reveal_type(core.Reshape.create(scope, x, (-1, third)))  # R: Reshape[TFloat32, tuple[Any, Any]]
""",
    "names of unpacked sizes": f"""
def heads(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4], Literal[6]]], n: int) -> None:
    rows, height, width = x.shape
    reveal_type(width)  # R: int
    reveal_type(core.Reshape.create(scope, x, (-1, height * width // 2)))  # R: Reshape[TFloat32, tuple[Times[Literal[2], Batch], Literal[12]]]
    core.Placeholder.create(scope, tg.TFloat32, (rows * 2, width))
    core.Fill.create(scope, (rows * height, 3), 0.0)  {IN_FILL.format(IN_A_RUN.format("4*Batch"))}
    range(rows)  {UNKNOWN}
def of_calls(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    rows, columns = x.shape
    return core.Reshape.create(scope, x, (-1, columns // 2))
reveal_type(of_calls(core.Placeholder.create(scope, tg.TFloat32, (4, 8))))  # R: Operand[TFloat32, tuple[Literal[8], Literal[4]]]
""",
    "functions of numbers": f"""
def program(y: tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]], z: tg.Operand[tg.TFloat32]) -> None:
    rows = y.shape[0]
    int(unknown.shape[0])  {UNKNOWN}
    float(rows)  {UNKNOWN}
    max(y.shape[0], 1)  {UNKNOWN}
    1.0 / math.sqrt(unknown.shape[0])  {UNKNOWN}
    np.sqrt(y.shape[0])  {UNKNOWN}
    np.zeros((unknown.shape[0], 3))  {UNKNOWN}
    for i in range(rows):  {UNKNOWN}
        print(i)
    assert y.shape[0] > 3  {UNKNOWN}
    rng = np.random.default_rng(0)
    rng.uniform(size=z.shape)  # E: a shape may be unknown before the run; write z.shape.as_ints() for known sizes  [typegrad-call]
    rng.normal(0.0, 1.0, z.shape)  # E: a shape may be unknown before the run; write z.shape.as_ints() for known sizes  [typegrad-call]
    rng.uniform(size=z.shape.as_ints())
    np.prod(z.shape[1:])  # E: a shape may be unknown before the run; write z.shape.as_ints() for known sizes  [typegrad-call]
    print(rows, [y.shape[0]], np.array([y.shape[0], 1]), len(y.shape), y.shape[0] == 3)
    if isinstance(rows, int):
        print(range(rows), math.sqrt(rows), rows > 3)
    z / unknown.shape[0]  {UNKNOWN}
def of_known(y: tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]) -> float:
    return int(y.shape[1]) + float(y.shape[-1]) + max(y.shape[1], 3) + math.sqrt(y.shape[1]) + float(np.prod(y.shape.as_ints()))
""",
    "of parameters whose sizes calls tell": """
def dense(y: tg.Operand[tg.TFloat32], units: int) -> tg.Operand[tg.TFloat32]:
    width = y.shape[-1]
    limit = np.sqrt(6.0 / (width + units))
    rng = np.random.default_rng(0)
    assert width > 3 and y.shape[1] * 2 > int(y.shape[-1]) - 1
    return y @ tg.Variable.create(scope, rng.uniform(-limit, limit, (width, units)).astype(np.float32))
def stated(y: tg.Operand[tg.TFloat32, tuple[int, Literal[8], int]]) -> tg.Operand[tg.TFloat32]:
    reveal_type(y.shape[1])  # R: int
    return core.Reshape.create(scope, y, (-1, 8 * y.shape[2])) / y.shape[2]
def unpacked(y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    rows, columns = y.shape
    return core.Reshape.create(scope, y, (rows * columns,))
reveal_type(dense(dense(x, 4), 2))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
stated(core.Placeholder.create(scope, tg.TFloat32, (2, 8, 3)))
unpacked(core.Placeholder.create(scope, tg.TFloat32, (2, 8)))
""",
    "compared": """
assert x.shape[1] != 9, "another width"
print(1 if x.shape[-1] == 3 else 2, x.shape[0] == "Batch")
with tg.Session(scope.graph) as session:
    rows = session.run(x[:2, :3], {x: np.ones((2, 8), np.float32)})
    reveal_type(rows.shape)  # R: tuple[int, int]
    reveal_type(core.Fill.create(scope, (rows.shape[1], *rows.shape), 1.0))  # R: Fill[TFloat32, tuple[Literal[3], Any, Literal[3]]]
    assert rows.shape[0] != 4
    assert rows.shape != (3, 3)
""",
    "unknown": f"""
rows = unknown.shape[0]
1 + unknown.shape[0]  {UNKNOWN}
unknown.shape[0] * 2  {UNKNOWN}
if isinstance(rows, int):
    rows + 1
def program(y: tg.Operand[tg.TFloat32]) -> None:
    y.shape[0] - 1
    assert isinstance(y.shape[0], int)
    y.shape[0] - 1
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


@pytest.mark.parametrize("name", ["an int", "a name", "compared"])
def test_it_runs(name: str) -> None:
    exec(HEADER + PROGRAMS[name], {"__name__": "sizes", "reveal_type": lambda value: value})
