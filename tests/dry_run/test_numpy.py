"""Programs that call NumPy: what is followed has the type and shape that NumPy returns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from dry_run.following import HEADER, differences
from typegrad.dry_run.program import Module, dry_run

PRELUDE: Final = """
import numpy as np
rng = np.random.default_rng(0)
hidden = rng.normal(size=(4, 5))
known = np.arange(20).reshape(4, 5)
def shifted(a, b, by):
    return a + b + by
def chosen(a):
    return a if a > 0 else 0
"""
FIVE: Final = """
import functools
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
RESULTS: Final = {
    "sums of rows": "np.add.reduce(hidden, axis=1)",
    "products that are kept": "np.multiply.reduce(known, keepdims=True)",
    "the largest element": "np.fmax.reduce(hidden, axis=None)",
    "sums so far": "np.add.accumulate(known, 1)",
    "sums of parts": "np.add.reduceat(hidden, [0, 2, 3])",
    "differences of pairs": "np.subtract.outer(hidden, known[0])",
    "a function of indices": "np.fromfunction(lambda i, j: i * 10 + j, (4, 6), dtype=np.float32)",
    "another function of indices": "np.fromfunction(shifted, (4, 6), by=0.5)",
    "a function of elements": "np.vectorize(lambda a: a + 0.5)(known)",
    "a function of pairs": "np.vectorize(lambda a, b: float(a) + b)(hidden, [1, 2, 3, 4, 5])",
    "a function of a stated type": "np.vectorize(chosen, otypes=[np.float32])(hidden)",
    "a function of rows": "np.apply_along_axis(lambda row: row - row.mean(), 1, known)",
    "a function of columns": "np.apply_along_axis(shifted, 0, hidden, 1.0, by=np.zeros((2, 4)))",
    "a function of a column": "np.apply_along_axis(lambda column: column.sum(), -2, hidden)",
    "rows at many indices": "known[[0, 1, 2, 3] * 13]",
    "rows and columns at many indices": "hidden[[1, 2, 3] * 20, [2, 1, 3] * 20]",
    "many rows that are taken": "np.take(hidden, [1, 2, 3] * 20, axis=0)",
    "rows without many": "np.delete(np.zeros((40, 3), np.float32), list(range(1, 20)), 0)",
    "sums of many pairs": "np.add.outer(np.zeros((2000, 3), np.float32), np.zeros((1, 1000)))",
}


def followed(folder: Path, text: str) -> list[str]:
    """The type and shape of a constant, in a program that is followed."""
    path = folder / "program.py"
    path.write_text(f"{HEADER}{PRELUDE}core.Constant.create(scope, {text})", encoding="utf-8")
    result = dry_run(Module("program", str(path)), lambda _: None)
    assert not result.failures
    values = result.results[str(path)]
    return [str(each) for each in values[max(values)]]


def returned(text: str) -> list[str]:
    """The same of what NumPy returns."""
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    result = np.asarray(eval(text, names))
    return [f"{result.dtype} {list(result.shape)}"]


UNKNOWN: Final = {
    "a function whose type depends on values": """
five(np.vectorize(lambda a: 5 if a > 0 else 4)(hidden)[0, 0])
""",
    "a function that is called again": """
calls, total = [], 4
def count(a):
    global total
    total += 1
    calls.append(a)
    return a
np.vectorize(count)(known)
five(len(calls) + 3)
five(total - 1)
np.apply_along_axis(functools.partial(count), 1, known)
five(len(calls) + 2)
""",
    "a function that is decorated, and given to others": """
total = 4
@np.vectorize
def count(a):
    global total
    total += 1
    if a < 0.0:
        raise ValueError
    return a
list(map(count, [hidden, hidden]))
unknown.use(count)
five(total)
""",
    "functions of several results, and of no elements": """
list(np.vectorize(lambda a: (a, a))(known))
np.vectorize(lambda a, b: a + b, excluded={1})(known, 2.0)
np.vectorize(lambda a: a, otypes=[float])(np.zeros((0, 3)))
np.vectorize(lambda a: [a])(hidden)
np.apply_along_axis(lambda row: "a", 1, known)
""",
    "a function of a function": """
def scale(factor, row):
    if not row.any():
        raise ValueError
    return row * factor
np.apply_along_axis(functools.partial(scale, 2.0), 1, hidden)
""",
    "arrays without dimensions, as a run returns them": """
mean = math.Mean.create(scope, x)
feeds = {x: np.zeros((2, 8), np.float32)}
with tg.Session(scope.graph) as session:
    for name, value in session.run({"a": mean, "b": mean * 2.0}, feeds).items():
        x @ np.zeros((8 if isinstance(value, np.ndarray) else 5, 2), np.float32)
    for value in session.run([mean, mean], feeds):
        x @ np.zeros((5 if np.isscalar(value) or isinstance(value, np.floating) else 8, 2), np.float32)
    x @ np.zeros((8 if type(session.run(mean, feeds)) is np.ndarray else 5, 2), np.float32)
    x @ np.zeros((5 if np.isscalar(hidden) or isinstance(hidden, np.floating) else 8, 2), np.float32)
""",
    "sums at indices": """
counts = np.zeros(8)
np.add.at(counts, hidden > 0, 1.0)
np.add.at(counts, [1, 2], hidden[0, 0])
five(int(counts[1]))
""",
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result(name: str, tmp_path: Path) -> None:
    assert followed(tmp_path, RESULTS[name]) == returned(RESULTS[name])


@pytest.mark.parametrize("name", UNKNOWN)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + FIVE + UNKNOWN[name])


def test_an_error_in_a_function_of_elements(tmp_path: Path) -> None:
    text = "np.vectorize(lambda a: x @ np.zeros((5, 2), np.float32))(known)  # E: inner dimensions differ"
    assert not differences(tmp_path, PRELUDE + text)


ROWS: Final = """
class Rows:
    def __init__(self, *sizes):
        self.rows = [np.zeros(each) for each in sizes]
    def __array__(self, dtype=None, copy=None):
        return np.stack(self.rows).astype(dtype or np.float64)
class Typed:
    def __array__(self, dtype, copy=None):
        return np.zeros(5, dtype)
class Drawn:
    def __array__(self, dtype=None, copy=None):
        return rng.random((4, 5))
class Chosen:
    def __array__(self, dtype=None, copy=None):
        return unknown.rows(dtype)
class Other(np.ndarray): ...
"""
UNEVEN: Final = """
class Uneven:
    def __array__(self, dtype=None, copy=None):
        return np.stack([np.zeros(3), np.zeros(4)])  # E: same shape
np.asarray(Uneven())
"""


@pytest.mark.parametrize(
    "statements",
    [
        "np.asarray(Rows(5, 5)) + np.zeros((2, 5)); np.mean(Rows(8, 8), axis=1) + np.zeros(2)",
        "Rows(5, 5).__array__() + np.zeros((2, 5)); np.stack([Rows(5), Rows(5)]) + np.zeros((2, 1, 5))",
        "five(len(np.asarray(Typed(), np.float32))); np.array(Typed(), dtype=np.float32) + np.zeros(5)",
        "np.asarray(Chosen()) + np.zeros((2, 5)); np.asarray(Drawn()) @ np.zeros((5, 2))",
        "np.asarray(known.view(Other)) + np.zeros((4, 5))",
        "try:\n    np.asarray(Rows(3, 4))\nexcept ValueError:\n    pass",
        "rows = Rows(5)\nunknown.extend(rows)\nnp.asarray(rows) + np.zeros((7, 5))",
        UNEVEN,
        "np.asarray(Rows(5, 5)) + np.zeros((2, 4))  # E: could not be broadcast",
        "np.asarray(Rows(5, 5), np.float32) + np.zeros((2, 4))  # E: could not be broadcast",
        "np.mean(Drawn(), axis=2)  # E: axis 2 is out of bounds",
        "Drawn().__array__() @ np.zeros((4, 2))  # E: do not fit",
    ],
)
def test_arrays_of_objects_of_the_program(statements: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + FIVE + ROWS + statements)
