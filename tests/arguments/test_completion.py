"""Completion shows what a module offers, and not what it imports."""

from __future__ import annotations

from importlib import import_module

import pytest

from typegrad_reference.site.api import MODULES, public


@pytest.mark.parametrize(
    "name", ["typegrad", "typegrad.functions", "typegrad.training", "typegrad.training.optimizers"]
)
def test_dir_lists_public_names(name: str) -> None:
    offered = set(public(name))
    modules = {name.rpartition(".")[2] for name in MODULES}
    listed = {each for each in dir(import_module(name)) if not each.startswith("_")}
    assert offered <= listed
    assert listed - offered <= modules
