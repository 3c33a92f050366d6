"""`check_gradients` in a program that is followed: its feeds are checked, its result is unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PROGRAMS: Final = {
    "a feed of another shape": """
tg.check_gradients(scope.graph, x * x, [x], {x: np.zeros((2, 7), np.float32)})  # E: has shape [2, 7], which does not
""",
    "no feed, in a session": """
with tg.Session(scope.graph) as session:
    tg.check_gradients(session, x * x, xs=[x])  # E: must be fed
""",
    "no feed of an operand that is varied": """
tg.check_gradients(scope.graph, core.Constant.create(scope, np.zeros(2)), [x])  # E: must be fed
""",
    "what is right": """
v = tg.Variable.create(scope, np.ones(8, np.float32))
difference = tg.check_gradients(scope.graph, x * v, [v, x], {x: np.zeros((2, 8), np.float32)}, step=0.1)
x @ np.zeros((7 if difference.difference > 1.0 else 8, 2), np.float32)
""",
    "what is not known": """
tg.check_gradients(scope.graph, x * x, [x], {x: unknown.value})
tg.check_gradients(scope.graph, x * x, [x], unknown.feeds)
tg.check_gradients(unknown.session, x * x, [x])
try:
    tg.check_gradients(scope.graph, x * x, [x], {x: np.zeros((2, 8), np.float32)})
except tg.GradientError:
    x @ np.zeros((7, 2), np.float32)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PROGRAMS[name])
