"""Completion shows what a module offers, and not what it imports."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import pytest

from typegrad_reference.site.api import MODULES, public

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
