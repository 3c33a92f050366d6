"""What entries say of other libraries: their names exist, by an import or by the record of one."""

from __future__ import annotations

import importlib
from functools import reduce
from typing import Any, Final

import pytest

from record_names_elsewhere import GONE, names, recorded
from support.entries import entries

_PACKAGES: Final = {"np": "numpy", "scipy": "scipy"}
"""The libraries that typegrad itself needs, by the name under which they are imported."""


def _resolve(name: str) -> Any:
    library, *path = name.split(".")
    package = importlib.import_module(_PACKAGES[library])
    if library == "scipy":
        package = importlib.import_module(f"scipy.{path.pop(0)}")
    return reduce(getattr, path, package)


@pytest.mark.parametrize("library", _PACKAGES)
def test_names_exist(library: str) -> None:
    names = {name for op in entries().values() for name in op.known_as if name.startswith(f"{library}.")}
    assert names
    assert all(_resolve(name) is not None for name in names)


def test_recorded_names_exist() -> None:
    assert names() == recorded(), "record them with tests/record_names_elsewhere.py"
    assert {name for op in entries().values() for name in op.known_as} > GONE


def test_no_name_is_given_twice_in_an_entry() -> None:
    names = {op.name: [op.raw_name, op.java_class, *op.known_as] for op in entries().values()}
    assert not [name for name, listed in names.items() if len(set(listed)) < len(listed)]
