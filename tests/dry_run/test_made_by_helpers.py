"""Attributes that a method assigns which `__init__` alone calls: they are as known as those of `__init__` itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

MODEL: Final = """
class Model:
    def __init__(self):
        self._build()
    def _build(self):
        self.n = 4
        self._rest()
    def _rest(self):
        self.rows = np.zeros((4, 2), np.float32)
    def step(self):
        return self.n
    {more}
model = Model()
for _ in unknown.rows:
    model.step()
"""
WRONG: Final = "x[:, :5] @ np.zeros((model.n, 2), np.float32)"
TOLD: Final = {
    "behind a loop": f"{WRONG}  # E: inner dimensions",
    "of a method that such a method calls": "x[:, :5] @ model.rows  # E: inner dimensions",
    "in a branch on trial": f"if unknown.flag:\n    {WRONG}  # E: inner dimensions",
}
RIGHT: Final = {
    "a method that is called again": ("def later(self):\n        self._build()\n        self.n = 5", "model.later()"),
    "a method that is passed on": (
        "def later(self):\n        self.again = self._build",
        "model.later()\nunknown.call(model.again)",
    ),
    "a method that somebody else calls": (
        "def later(self):\n        self.n = 5",
        (
            "class Other:\n    def __init__(self):\n        self.later()\n    def later(self):\n        pass\n"
            "unknown.call(model)\nmodel.later()"
        ),
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_known(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, MODEL.replace("{more}", "") + TOLD[name]) == []


@pytest.mark.parametrize("name", RIGHT)
def test_what_may_be_assigned_again(name: str, tmp_path: Path) -> None:
    more, text = RIGHT[name]
    assert differences(tmp_path, f"{MODEL.replace('{more}', more)}{text}\nif unknown.flag:\n    {WRONG}") == []
