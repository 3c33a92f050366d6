"""Arrays whose values have become unknown: their shapes and types stay."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
rng = np.random.default_rng(0)
session = tg.Session(scope.graph)
rows = np.zeros(50, dtype=[("height", np.float32), ("age", np.int32)])
rows["height"] = rng.normal(1.7, 0.1, 50)
sizes = np.full((2, 8), -4, np.float32)
sizes[0] = rng.normal(size=8)
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
WRONG: Final = {
    "a field": """
columns = np.column_stack([rows["height"], rows["age"]]).astype(np.float32)
session.run(x, {x: columns})  # E: has shape [50, 2], which does not fit [Batch, 8]
""",
    "a part": "session.run(x, {x: sizes[:, 1:]})  # E: has shape [2, 7]",
    "an operator": "session.run(x, {x: -sizes.T * 2})  # E: has shape [8, 2]",
    "a method": "session.run(x, {x: sizes.reshape(-1, 4)})  # E: has shape [4, 4]",
    "its shape": 'session.run(x, {x: np.zeros((sizes.shape[1], 5), "f")})  # E: has shape [8, 5]',
    "an operator in place": """
sizes += sizes
session.run(x, {x: sizes[0]})  # E: has shape [8], which does not fit
""",
}
RIGHT: Final = {
    "values": """
n = np.full(3, 4)
n[0] = unknown.n
five(n[0])
five((-n)[0] + 9)
five(int(n.max()))
five(len(np.zeros(9)[n > 4]) + 5)
counts = np.full(3, 4)
counts += n
five(counts[0])
""",
    "a type that stays": """
h = rng.normal(size=(2, 8)).astype(np.float32)
h += np.ones(8)
session.run(x, {x: h})
h = np.zeros((2, 8), np.float32)
h += rng.normal(size=8)
session.run(x, {x: h})
""",
    "two names": """
n = np.full(3, 4)
other = n
n += rng.integers(0, 5, 3)
five(other[0])
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_shape_that_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
