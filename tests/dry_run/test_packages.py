"""What names of packages are bound to: modules of these, or what has the same names there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER
from typegrad.dry_run.program import Module, dry_run

PACKAGE: Final = {
    "sizes/__init__.py": "from sizes.width import width\nfrom . import height\n",
    "sizes/width.py": "def width() -> int:\n    return 7\n",
    "sizes/height.py": "VALUE = 7\n",
    "sizes/depth.py": "VALUE = 7\n",
    "sizes/unknown.py": "import library\nVALUE = 7\nraise library.Error\n",
    "space/width.py": "VALUE = 7\n",
}
WRONG: Final = {
    "a function that has the name of its module": ("from sizes import width", "width()"),
    "such a function of the package": ("import sizes", "sizes.width()"),
    "such a function, its module imported again": ("import sizes.width", "sizes.width()"),
    "a module that the package imports": ("from sizes import height", "height.VALUE"),
    "such a module of the package": ("import sizes", "sizes.height.VALUE"),
    "a module that the package does not import": ("from sizes import depth", "depth.VALUE"),
    "such a module of the package, once it is imported": ("import sizes.depth", "sizes.depth.VALUE"),
    "a module in a folder without a file of its own": ("from space import width", "width.VALUE"),
}


def _errors(folder: Path, statement: str, size: str) -> list[str]:
    files = PACKAGE | {"program.py": f"{HEADER}{statement}\nx @ np.zeros(({size}, 2), np.float32)"}
    for path, text in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    names = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files}
    modules = {name: Module(name, str(folder / path)) for name, path in names.items()}
    return [str(each.error) for each in dry_run(modules["program"], modules.get).failures]


@pytest.mark.parametrize("name", WRONG)
def test_a_size_of_a_package(name: str, tmp_path: Path) -> None:
    (error,) = _errors(tmp_path, *WRONG[name])
    assert "a is [Batch, 8], b is [7, 2]" in error


def test_a_module_that_ends_before_its_end(tmp_path: Path) -> None:
    assert _errors(tmp_path, "import sizes.unknown", "sizes.unknown.VALUE") == []
