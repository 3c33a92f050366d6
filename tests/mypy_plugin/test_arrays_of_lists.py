"""The dtype that NumPy gives a list follows from the type of its items, though not for certain: a bool is an int."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import numpy as np
import json
from numpy.typing import NDArray
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
b = core.Placeholder.create(scope, tg.TBool, (None,))
i = core.Placeholder.create(scope, tg.TInt32, (None,))
j = core.Placeholder.create(scope, tg.TInt64, (None,))
f = core.Placeholder.create(scope, tg.TFloat32, (None,))
d = core.Placeholder.create(scope, tg.TFloat64, (None,))
rows = core.Placeholder.create(scope, tg.TInt32, (None, None))
def integers(path: str) -> list[int]:
    found: list[int] = json.loads(open(path).read())
    return found
def numbers(path: str) -> list[float]:
    found: list[float] = json.loads(open(path).read())
    return found
def table(path: str) -> list[list[int]]:
    return [integers(path)]
session = tg.Session(scope.graph)
"""
FLOAT: Final = (
    "run: the feed of f is an array of {}, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]"
)
INT: Final = "is an array of int64, but must be int32; convert it with astype(np.int32)  [typegrad-dtype]"

PROGRAMS: Final = {
    "right ones": """
session.run([j], {j: np.array(integers("a"))})
session.run([b], {b: np.array(integers("a"))})
session.run([d], {d: np.array(numbers("a"))})
session.run([j], {j: np.array(numbers("a"))})
session.run([i], {i: np.array(integers("a"), np.int32)})
session.run([i], {i: np.array(integers("a")).astype(np.int32)})
session.run([f], {f: np.array(integers("a")) * np.float32(2.0)})
session.run([f], {f: np.asarray(numbers("a"), dtype=np.float32)[np.array([0])]})
session.run([i], {i: integers("a")})
def anything(values: list[object]) -> None:
    session.run([i], {i: np.array(values)})
""",
    "declared lists, which may hold what mypy takes for Any": """
session.run([i], {i: np.array(integers("a"))})
def predict(x: tg.Operand[tg.TInt32]) -> list[int]:
    return list(session.run(x, {i: [1, 2]}))
session.run([i], {i: np.array(predict(i))})
chosen: list[int] = list(session.run(i, {i: [1, 2]}))
session.run([i], {i: np.array(chosen)})
copied = predict(i)
session.run([i], {i: np.array(copied)})
""",
    "integers": f"""
found, inner = [], []
for line in open("a"):
    found.append(1)
    inner.append([len(line)])
session.run([i], {{i: np.array(found)}})  # E: run: the feed of i {INT}
session.run([i], {{i: np.asarray(found)[2:]}})  # E: run: the feed of i {INT}
session.run([rows], {{rows: np.asarray(inner)}})  # E: run: the feed of rows {INT}
session.run([f], {{f: np.array(found)}})  # E: {FLOAT.format("int64")}
session.run([b, j], {{b: np.array(found), j: np.array(found)}})
""",
    "numbers": f"""
totals = []
for line in open("a"):
    totals.append(float(line))
session.run([f], {{f: np.array(totals)}})  # E: {FLOAT.format("float64")}
session.run([f], {{f: np.array(totals, np.float32)}})
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
