"""Completion shows what a module offers, and not what it imports."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import pytest

from typegrad_reference.entries.api import MODULES, public

USED: Final = [
    name for name in MODULES if not name.startswith(("typegrad.base.", "typegrad.graph.", "typegrad.mypy_plugin"))
]
"""Modules whose names users complete; the others are offered by `typegrad`, or are for mypy."""


@pytest.mark.parametrize("name", USED)
def test_dir_lists_public_names(name: str) -> None:
    offered = set(public(name))
    modules = {name.rpartition(".")[2] for name in MODULES}
    listed = {each for each in dir(import_module(name)) if not each.startswith("_")}
    assert offered <= listed
    assert listed - offered <= modules


PACKAGES: Final = {"typegrad": ("files", "op", "tools")}
"""Names that a star import takes, as it does for type checkers, and that completion does not show."""


@pytest.mark.parametrize(
    "name", ["typegrad", "typegrad.functions", "typegrad.training", "typegrad.training.optimizers"]
)
def test_a_star_import_takes_them_but_not_the_name_of_a_builtin(name: str) -> None:
    names: dict[str, object] = {}
    exec(f"from {name} import *", names)
    listed = {*dir(import_module(name)), *PACKAGES.get(name, ())}
    assert names.keys() - {"__builtins__"} == listed - {"__version__", "print"}
