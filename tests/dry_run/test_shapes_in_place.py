"""Arrays that are given another shape in place: it is known, or nothing is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
rng = np.random.default_rng(0)
def constant(a):
    return core.Constant.create(scope, a.astype(np.float32))
def five(a):
    return x[:, :5] @ constant(a)
"""
DIFFER: Final = "b is [2, 5]"
WRONG: Final = {
    "a known array": f"""
a = np.arange(10)
a.shape = (2, 5)
x[:, :5] @ constant(a)  # E: {DIFFER}
""",
    "an array without values": f"""
a = rng.normal(size=(5, 2))
a.shape = 2, -1
x[:, :5] @ constant(a)  # E: {DIFFER}
""",
    "by the name of the attribute": f"""
a = np.zeros((5, 2))
setattr(a, "shape", (2, 5))
x[:, :5] @ constant(a)  # E: {DIFFER}
""",
    "a size that does not fit": """
a = np.zeros((5, 2))
a.shape = (2, 4)  # E: cannot reshape array of size 10 into shape (2,4)
""",
    "a copy": f"""
a = rng.normal(size=(2, 5))
b = a.copy()
b.shape = (5, 2)
five(b)
x[:, :5] @ constant(a)  # E: {DIFFER}
""",
}
RIGHT: Final = {
    "resized": """
a = np.zeros((2, 5))
a.resize((5, 2))
five(a)
b = rng.normal(size=(2, 5))
b.resize(5, 2)
five(b)
""",
    "resized by the method of the class": """
a = np.zeros((2, 5))
np.ndarray.resize(a, (5, 2), refcheck=False)
five(a)
""",
    "under a condition": """
arrays = [np.zeros((2, 5)) for _ in range(3)]
a, b, c = arrays
if unknown.flag:
    a.shape = (5, 2)
    b.resize((5, 2))
    setattr(c, "shape", (5, 2))
for each in arrays:
    five(each)
""",
    "an unknown shape": """
a = np.zeros((2, 5))
a.shape = unknown.shape
five(a)
b = np.zeros((2, 5))
b.shape = (rng.integers(5, 6), -1)
five(b)
""",
    "another type": """
a = np.zeros((5, 4), np.float32)
a.dtype = np.float64
five(a)
""",
    "elements one after the other": """
sizes = np.full(4, 4)
sizes.flat[0] = 5
five(np.zeros((sizes[0], 2)))
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_shape_that_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
