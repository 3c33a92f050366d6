"""A run that is described step by step, or by the class of the session, is checked as one that `session.run` makes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
y = x * 2.0
session = tg.Session(scope.graph)
data = np.zeros((2, 8), np.float32)
"""
PROGRAMS: Final = {
    "what is right": """
session.runner().feed(x, data).fetch(y).run()
session.runner().feed("x", data).fetch("Mul").add_target(y).run()
""",
    "what is not known": """
session.runner().feed(unknown.x, 3).fetch(y).run()
session.runner().feed(x, unknown.x).fetch(y).run()
session.runner().feed(x, data).fetch(unknown.y).run()
session.runner().feed(x, data).add_target(unknown.y).run()
""",
    "a result": """
(value,) = session.runner().feed(x, data).fetch(y).run()
value @ np.zeros((5, 2))  # E: matmul
""",
    "a missing feed": "session.runner().fetch(y).run()  # E: 'x:0' (Placeholder, float32 [Batch, 8]",
    "a name that no operation has": "session.runner().feed(\"z\", 1.0)  # E: no operation is called 'z'",
    "a feed of another shape": "session.runner().feed(x, data.T).fetch(y).run()  # E: has shape [8, 2]",
    "methods that the class of sessions calls": """
tg.Session.initialize(session)
tg.Session.run(session, y, {x: data})
tg.Session.run(session, y, {x: data.T})  # E: has shape [8, 2]
""",
    "a method that no session has": "tg.Session.close_all(session)  # E: has no attribute 'close_all'",
    "two feeds of one operand": "session.runner().feed(x, data).feed(x, data)  # E: is fed twice",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
