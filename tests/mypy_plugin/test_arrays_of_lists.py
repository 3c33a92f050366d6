"""The dtype that NumPy gives a list follows from the type of its items, though not for certain: a bool is an int."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import numpy as np
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
    return [len(line) for line in open(path)]
def numbers(path: str) -> list[float]:
    return [float(line) for line in open(path)]
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
    "integers": f"""
session.run([i], {{i: np.array(integers("a"))}})  # E: run: the feed of i {INT}
session.run([rows], {{rows: np.asarray(table("a"))}})  # E: run: the feed of rows {INT}
session.run([f], {{f: np.array(integers("a"))}})  # E: {FLOAT.format("int64")}
""",
    "numbers": f"""
session.run([f], {{f: np.array(numbers("a"))}})  # E: {FLOAT.format("float64")}
session.run([f], {{f: np.array(numbers("a"))[2:]}})  # E: {FLOAT.format("float64")}
""",
    "a list that grows": f"""
found = []
for line in open("a"):
    found.append(1)
session.run([i], {{i: np.array(found)}})  # E: run: the feed of i {INT}
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
