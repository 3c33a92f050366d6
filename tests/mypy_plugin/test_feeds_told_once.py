"""The dtype of an array and the shape of an operand are one mistake, wherever they are fed: told at the first place.

The lines of a call are one place.
"""

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
MISFIT: Final = "which does not fit [?, 3]  [typegrad-shape]"

PROGRAMS: Final = {
    "an array that is fed again": f"""
session.run(x, {{x: data}})  # E: run: the feed of x {WRONG}
for _ in range(3):
    session.run(x, {{x: data}})
def evaluate() -> None:
    session.run(x * 2.0, {{x: data}})
""",
    "a variable in a dict with a name, whatever its value is": """
w = tg.Variable.create(scope, np.zeros(3, np.float32))
def evaluate() -> None:
    feeds = {w: 0.0, x: [1, 2]}  # E: run: the variable w cannot be fed; give it a value with session.assign, or feed one of its reads  [typegrad-call]
    session.run(x, feeds)
    session.run(x, {w: 0.0, x: [1, 2]})  # E: Session.run(): the variable w cannot be fed; give it a value with session.assign, or feed one of its reads  [typegrad-call]
""",
    "another operand, or another array": f"""
session.run(x, {{x: data}})  # E: run: the feed of x {WRONG}
session.run(y, {{y: data}})
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
    "the shape of an operand": f"""
class Inputs:
    def __init__(self) -> None:
        self.x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))
inputs = Inputs()
rows = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))
for _ in range(2):
    session.run(rows, {{rows: np.ones((8, 4), np.float32)}})  # E: run: the feed of rows has shape [8, 4], {MISFIT}
session.run(rows, {{rows: np.ones((2, 4), np.float32)}})
session.run(rows, {{rows: np.ones((2, 5), np.float32)}})  # E: run: the feed of rows has shape [2, 5], {MISFIT}
session.run(inputs.x, {{inputs.x: np.ones((8, 4), np.float32)}})  # E: run: the feed of inputs.x has shape [8, 4], {MISFIT}
def evaluate(inputs: Inputs) -> None:
    session.run(inputs.x, {{inputs.x: np.ones((2, 4), np.float32)}})
""",
    "a run over several lines": f"""
session.run(
    x,
    {{
        x: np.ones(2),  # E: run: the feed of x {WRONG}
    }},
)
""",
    "a run over several lines in a function": f"""
def train(session: tg.Session) -> None:
    session.run(
        {{"x": x}},
        feed_dict={{x: data}},  # E: run: the feed of x {WRONG}
    )
train(
    session,
)
""",
    "a value that is assigned over several lines": f"""
w = tg.Variable.create(scope, np.ones(2, np.float32))
session.assign(
    w,
    np.ones(2),  # E: assign: the value for w {WRONG}
)
""",
    "several lines that are ignored": f"""
session.run(
    x,
    {{x: np.ones(2)}},  # type: ignore[typegrad-dtype]
)
session.run(x, {{x: data}})  # E: run: the feed of x {WRONG}
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
