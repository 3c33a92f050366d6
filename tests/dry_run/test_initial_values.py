"""A run comes after the initializers, to which nothing is fed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
v = tg.Variable.create(scope.with_name("v"), x)
data = np.zeros((2, 8), np.float32)
"""
PROGRAMS: Final = {
    "an initial value that needs a feed": """
with tg.Session(scope.graph) as session:
    session.run(x, {x: data})  # E: because 'v/initialize' depends on it; initial values are made without feeds
""",
    "a value that is assigned": """
with tg.Session(scope.graph) as session:
    session.assign(v, data)
    session.run(v)
""",
    "a value that may have been assigned": """
with tg.Session(scope.graph) as session:
    session.assign(unknown.v, data)
    session.run(v)
""",
    "initializers that are run": """
with tg.Session(scope.graph, auto_init=False) as session:
    session.run(scope.graph.initializers, {x: data})
    session.run(v)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
