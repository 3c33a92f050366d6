"""In which line an error is: where the call or the operator starts, as in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PROGRAMS: Final = {
    "a call of several lines": """
class Model:
    def joined(self):
        return core.Concat.create(  # E: must agree in all dimensions but 0
            scope,
            [x[:, 1:], x],
            0,
        )
Model(
).joined()
""",
    "an operator in several lines": """
y = (x  # E: inner dimensions differ
     @ np.zeros(
         (5, 2), np.float32
     ))
""",
    "behind form feeds, which end no line": """
\f
\f
\f
\f
class Base:
    def __init__(self) -> None:
        self.w = np.zeros((5, 2), np.float32)
class Model(Base):
    def __init__(self) -> None:
        super().__init__()
x @ Model().w  # E: inner dimensions differ
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_line(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PROGRAMS[name])
