"""The elements of a data set are fed to operands of their types, one for each component."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import numpy as np
from numpy.typing import NDArray
import typegrad as tg
from typegrad.op import core
from typegrad.training import fit
from typegrad.training.data import Dataset
Arrays = tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float64]]
def load(path: str) -> Arrays:
    return np.loadtxt(path, np.int32), np.loadtxt(path, np.float32), np.loadtxt(path)
def prepare(element: Arrays) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    return element[0], element[1]
scope = tg.Scope(tg.Graph())
i = core.Placeholder.create(scope, tg.TInt32, (None,))
f = core.Placeholder.create(scope, tg.TFloat32, (None,))
d = core.Placeholder.create(scope, tg.TFloat64, (None,))
session = tg.Session(scope.graph)
step = tg.Variable.create(scope, 0.0).assign_add(scope, 1.0)
ids, values, weights = load("data")
data = Dataset.from_arrays(ids, values, weights).shuffle(seed=1).batch(2)
"""
CAST: Final = "convert it with astype(np.float32)  [typegrad-dtype]"

PROGRAMS: Final = {
    "right ones": """
fit(session, step, data, (i, f, d), epochs=2)
fit(session, step, data.prefetch(2), [i, f, d], epochs=2)
fit(session, step, data.map(prepare), (i, f), epochs=2)
fit(session, step, Dataset.from_arrays(ids), i, epochs=2)
fit(session, step, Dataset.from_arrays(*load("data")), (i, f, d), epochs=2)
feeds = i, f, d
fit(session, step, data, feeds, epochs=2)
def train(elements: Dataset[object], operands: list[tg.Operand[tg.TFloat32]]) -> None:
    fit(session, step, elements, operands, epochs=2)
    fit(session, step, elements, (i, f), epochs=2)
    fit(session, step, data, operands, epochs=2)
""",
    "swapped": "fit(session, step, data, (f, i, d), epochs=2)  # E: fit: the feeds of f and i are swapped  [typegrad-dtype]\n",
    "the arrays that it is made of": """
made = Dataset.from_arrays(np.ones((4,), np.float32), np.array([0, 1, 2, 0])).shuffle(seed=1).batch(2)
longs = core.Placeholder.create(scope, tg.TInt64, (None,))
fit(session, step, made, (f, longs), epochs=2)
fit(session, step, made, (longs, f), epochs=2)  # E: fit: the feeds of longs and f are swapped  [typegrad-dtype]
fit(session, step, made.map(lambda pair: (pair[1], pair[0])), (longs, f), epochs=2)
""",
    "another type": f"""
fit(session, step, data, (i, f, f), epochs=2)  # E: fit: the feed of f is an array of float64, but must be float32; {CAST}
fit(session, step, Dataset.from_arrays(ids), f, epochs=2)  # E: fit: the feed of f is an array of int32, but must be float32; {CAST}
""",
    "too few": """
fit(session, step, data, (i, f), epochs=2)  # E: fit: an element has 3 components, but is fed to 2 operands  [typegrad-call]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
