"""The indices of fetched arrays are counted and compared with the sizes."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "of fetches within others": """
def program(session: tg.Session, x: Rows, n: Counts, loss: tg.Operand[tg.TFloat32, tuple[()]], w: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    rows, (counts, both) = session.run((x, [n, [x, x]]))
    results = session.run({"rows": x, "counts": [n, n], "loss": loss})
    reveal_type(results)  # R: dict[str, Any]
    reveal_type(results["rows"])  # R: ndarray[tuple[Batch, Literal[3]], dtype[floating[_32Bit]]]
    reveal_type(results["counts"])  # R: list[ndarray[tuple[Batch], dtype[signedinteger[_32Bit]]]]
    results["loss"].shape + 1  # E: No overload variant of "__add__" of "tuple" matches argument type "int"  [operator]
    changed = session.run({"loss": loss})
    changed["epoch"] = 3
    reveal_type(changed["loss"])  # R: Any
    reveal_type(session.run((x, [n, n], {"loss": loss})))  # R: tuple[ndarray[tuple[Batch, Literal[3]], dtype[floating[_32Bit]]], list[ndarray[tuple[Batch], dtype[signedinteger[_32Bit]]]], dict[str, Any]]
    reveal_type(session.value(w))  # R: ndarray[tuple[int], dtype[floating[_32Bit]]]
""",
    "of a list with operations, where arrays are expected": """
def stats(session: tg.Session, step: tg.Op, x: Rows, n: Counts) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return session.run([step, n, x])[2]
def counts(session: tg.Session, step: tg.Op, x: Rows, n: Counts) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    values = session.run([step, n, x])
    return values[1]
def last(session: tg.Session, step: tg.Op, loss: tg.Operand[tg.TFloat32, tuple[()]]) -> list[float]:
    losses: list[float] = []
    losses.append(session.run([step, loss])[1])
    return losses
def changed(session: tg.Session, step: tg.Op, x: Rows) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    values = session.run([step, x])
    values[1] = None
    return values[1]  # E: Returning Any from function declared to return "ndarray[tuple[int, int], dtype[floating[_32Bit]]]"  [no-any-return]
""",
    "added to a number": """
def program(session: tg.Session, loss: tg.Operand[tg.TFloat32, tuple[()]], step: tg.Operand[tg.TFloat32]) -> float:
    total, other = 0.0, 0
    for _ in range(3):
        _, value = session.run((step, loss))
        total += value
        other = other + session.run(loss)
    reveal_type(total)  # R: float
    history: list[float] = []
    history.append(total / 3)
    rows = 0.0
    rows += np.ones(3)  # E: Incompatible types in assignment (expression has type "ndarray[tuple[Any, ...], dtype[float64]]", variable has type "float")  [assignment]
    count = 0
    count += "1"  # E: Unsupported operand types for + ("int" and "str")  [operator]
    return total / 3
""",
    "sums of unknown rank are no numbers": """
def program(s: tg.Session, x: tg.Operand[tg.TFloat32], n: Counts, xs: list[tg.Operand[tg.TFloat32]]) -> None:
    print(sum(s.run(x)).shape, sum(s.run(n)).dtype, sum(s.run(xs)).T)
    values = s.run(xs)
    print(sum(values).T)
    reveal_type(sum([1, 2]))  # R: int
""",
    "as the first value of a variable": """
def program(scope: tg.Scope, session: tg.Session, x: Rows) -> None:
    fetched = session.run(x * 2.0)
    w = tg.Variable.create(scope, fetched)
    reveal_type(w)  # R: Variable[TFloat32, tuple[Any, Literal[3]]]
    w + np.ones((4, 3), np.float32)
def declared(scope: tg.Scope, rows: np.ndarray[tuple[Batch, Literal[3]], np.dtype[np.float32]]) -> Rows:
    return tg.Variable.create(scope, rows, trainable=False)
""",
    "in the place of operands, with numbers that only the run knows": """
def program(scope: tg.Scope, session: tg.Session, x: Rows) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]:
    fetched, three = session.run(x * 2.0), np.zeros((4, 3), np.float32)
    memory = core.Constant.create(scope, fetched)
    reveal_type(memory)  # R: Constant[TFloat32, tuple[Any, Literal[3]]]
    memory - three
    memory - np.zeros((4, 2), np.float32)  # E: Sub: shapes [?, 3] and [4, 2] do not broadcast: 3 and 2 are neither equal nor 1  [typegrad-shape]
    core.Stack.create(scope, [memory, three])
    reveal_type(core.Constant.create(scope, np.stack([fetched.T * 2, fetched.T])))  # R: Constant[TFloat32, tuple[Literal[2], Literal[3], Any]]
    reveal_type(core.Constant.create(scope, fetched.mean(1)))  # R: Constant[TFloat32, tuple[Any]]
    reveal_type(math.Tanh.create(scope, fetched))  # R: Tanh[TFloat32, tuple[Any, Literal[3]]]
    reveal_type(core.Concat.create(scope, [fetched, fetched], 1))  # R: Concat[TFloat32, tuple[Any, Literal[6]]]
    reveal_type(tg.Variable.create(scope, fetched * 2))  # R: Variable[TFloat32, tuple[Any, Literal[3]]]
    tg.Variable.create(scope, three).assign(scope, fetched)
    return x - fetched
""",
    "twice as long, in the place of an operand": """
def program(scope: tg.Scope, session: tg.Session, x: tg.Operand[tg.TFloat32, tuple[tg.Times[Literal[2], Batch]]]) -> None:
    fetched = session.run(x)
    fetched[0, 0]  # E: the array of shape [2*Batch] has 1 dimension, but 2 are indexed  [typegrad-shape]
    reveal_type(core.Constant.create(scope, fetched))  # R: Constant[TFloat32, tuple[Any]]
""",
    "whose sizes are sizes of operands": """
def program(scope: tg.Scope, session: tg.Session, x: Rows) -> None:
    fetched = session.run(x)
    reveal_type(core.Fill.create(scope, fetched.shape, 1.0))  # R: Fill[TFloat32, tuple[Any, Literal[3]]]
    reveal_type(core.Fill.create(scope, (len(fetched), 2), 1.0))  # R: Fill[TFloat32, tuple[Any, Literal[2]]]
    rows = fetched.shape[0]
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (rows, 2)))  # R: Placeholder[TFloat32, tuple[Any, Literal[2]]]
    reveal_type(core.Constant.create(scope, np.zeros(fetched.shape)))  # R: Constant[TFloat64, tuple[Any, Literal[3]]]

def named(scope: tg.Scope, rows: Batch) -> tg.Operand[tg.TFloat64, tuple[Batch, Literal[3]]]:
    return core.Constant.create(scope, np.zeros((rows, 3)))
""",
    "a matrix": """
def program(session: tg.Session, x: Rows) -> None:
    session.run(x)[0, 1, 2]  # E: the array of shape [Batch, 3] has 2 dimensions, but 3 are indexed  [typegrad-shape]
    value = session.run(x)
    value[0, 3]  # E: index 3 is out of range for dimension 1 of an array of shape [Batch, 3]  [typegrad-shape]
    value[0, -3]
    value[..., 0, None]
    value[np.array([0]), 1]
    value[0][1]
    value[value > 0]
""",
    "without dimensions": """
def program(session: tg.Session, x: Rows, loss: tg.Operand[tg.TFloat32, tuple[()]]) -> None:
    results = session.run({"rows": x, "loss": loss})
    results["loss"][0]  # E: the array of shape [] has 0 dimensions, but 1 are indexed  [typegrad-shape]
    total, rows = session.run(loss), session.run(x)
    for row in total:  # E: total is an array without dimensions, which has no items; .item() is its number  [typegrad-shape]
        print(row)
    len(total)  # E: total is an array without dimensions, which has no items; .item() is its number  [typegrad-shape]
    list(total)  # E: total is an array without dimensions, which has no items; .item() is its number  [typegrad-shape]
    for row in rows:
        print(len(row), float(total), list(rows))
    zip(rows, total)  # E: total is an array without dimensions, which has no items; .item() is its number  [typegrad-shape]
    max(total)  # E: total is an array without dimensions, which has no items; .item() is its number  [typegrad-shape]
    print(max(total, 1.0), max(rows[0]), sorted(rows[0]))
    listed = session.run([x, loss])
    listed[1][0]  # E: the array of shape [] has 0 dimensions, but 1 are indexed  [typegrad-shape]
    listed[-2][0, 0, 0]  # E: the array of shape [Batch, 3] has 2 dimensions, but 3 are indexed  [typegrad-shape]
    listed[0][0, 0]
    changed = session.run([x, loss])
    changed[1] = rows
    changed[1][0]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
