"""A small package `lib` with functions that the entries in these tests can name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

FUNCTIONS: Final = {
    "kernels/demo.py": """
def blend(xp, a, b, *, order): ...
def several(xp, *arrays): ...
def greedy(xp, a, b, *, weight): ...
def lonely(xp, a): ...
def crowded(xp, a, b, c, *others): ...
def nothing(xp): ...
def one(xp, a): ...
assigned = blend
""",
    "kernels/broken.py": "def blend(:\n",
    "shapes/demo.py": """
def free(op): ...
def number(op): ...
def joined(op, first, *others): ...
""",
    "rules/demo.py": """
from lib.op.demo import Blend  # not generated in these tests: the module is never imported
def blend(scope, op, grad): ...
def one(scope, op, grad): ...
""",
    "defaults.py": "def zero(scope, inputs): ...\n",
}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the package `lib`."""
    folder = tmp_path_factory.mktemp("library")
    for name, text in FUNCTIONS.items():
        file = folder / "lib" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for package in ("", "kernels", "shapes", "rules"):
        (folder / "lib" / package / "__init__.py").write_text(
            "raise AssertionError('checking a registry imports nothing')\n"
        )
    return folder


@pytest.fixture(autouse=True)
def beside_the_library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the folder of `lib` the current one, as in a user's project."""
    if "library" in request.fixturenames:
        monkeypatch.chdir(request.getfixturevalue("library"))
