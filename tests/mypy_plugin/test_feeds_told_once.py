"""The dtype of an array is one mistake, wherever the array is fed: it is told at the first place."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import numpy as np
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, shape=(2,))
y = core.Placeholder.create(scope, tg.TFloat32, shape=(2,))
session = tg.Session(scope.graph)
data, more = np.ones(2), np.ones(2)
"""
WRONG: Final = "is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]"

PROGRAMS: Final = {
    "an array that is fed again": f"""
session.run(x, {{x: data}})  # E: run: the feed of x {WRONG}
for _ in range(3):
    session.run(x, {{x: data}})
def evaluate() -> None:
    session.run(x * 2.0, {{x: data}})
""",
    "another operand, or another array": f"""
session.run(x, {{x: data}})  # E: run: the feed of x {WRONG}
session.run(y, {{y: data}})  # E: run: the feed of y {WRONG}
session.run(x, {{x: more}})  # E: run: the feed of x {WRONG}
session.run(x, {{x: np.ones(2)}})  # E: run: the feed of x {WRONG}
session.run(x, {{x: np.ones(2)}})  # E: run: the feed of x {WRONG}
""",
    "variables of the same name": f"""
def train() -> None:
    batch = np.ones(2)
    session.run(x, {{x: batch}})  # E: run: the feed of x {WRONG}
def evaluate() -> None:
    batch = np.ones(2)
    session.run(x, {{x: batch}})  # E: run: the feed of x {WRONG}
""",
    "a place that is ignored": f"""
session.run(x, {{x: data}})  # type: ignore[typegrad-dtype]
session.run(x, {{x: data}})  # E: run: the feed of x {WRONG}
session.run(x, {{x: data}})
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
