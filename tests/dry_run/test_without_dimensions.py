"""Arrays without dimensions fit feeds of their own type alone, and numbers of NumPy those of any precision."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from typegrad.training.data import Dataset
rng = np.random.default_rng(0)
session = tg.Session(scope.graph)
one = core.Placeholder.create(scope, tg.TFloat32, ())
def feed(value):
    session.run(one * 2.0, {one: value})
"""
ARRAYS: Final = (
    "np.array(rng.random())",
    "np.asarray(rng.random(3)[0])",
    "np.asarray([rng.random(), 1.0])[0, ...]",
    "rng.random(3).sum(keepdims=True).reshape(())",
    "np.squeeze(rng.random(1))",
    "np.array(rng.random()).copy()",
    "next(iter(Dataset.from_arrays(np.ones(3))))",
)
NUMBERS: Final = (
    "rng.random()",
    "rng.random(3)[0]",
    "rng.random(3).sum()",
    "np.array(rng.random()) * 2.0",
    "-np.array(rng.random())",
    "np.array(rng.random())[()]",
    "np.array(rng.random()).item(0)",
    "np.array(rng.random()).astype(np.float32)",
    "np.array(rng.random(), np.float32)",
    "np.round(np.array(rng.random()))",
    "np.array(rng.random()).max()",
    "float(np.array(rng.random()))",
    "next(iter(Dataset.from_arrays(np.ones(3)))) - 1.0",
    "np.squeeze(rng.random(3)[0])",
)
OTHERS: Final = """
array = np.asarray(rng.random(3)[0])
x @ np.zeros((8 if isinstance(array, np.ndarray) and type(array) is np.ndarray else 7, 1), np.float32)
x @ np.zeros((7 if isinstance(array, float) or np.isscalar(array) else 8, 1), np.float32)
{array: 1}  # E: unhashable type: 'numpy.ndarray'
"""


@pytest.mark.parametrize("text", ARRAYS)
def test_arrays_are_refused_for_another_type(text: str, tmp_path: Path) -> None:
    program = f"value = {text}\nfeed(value)\n"
    told = "session.run(one * 2.0, {one: value})"
    expected = f"{told}  # E: an array of float64 is not float32"
    assert differences(tmp_path, PRELUDE.replace(told, expected) + program) == []


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_converted(text: str, tmp_path: Path) -> None:
    assert differences(tmp_path, f"{PRELUDE}feed({text})\n") == []


def test_they_are_arrays(tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + OTHERS) == []
