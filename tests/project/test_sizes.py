"""Modules are no longer than the contributor's guide allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GENERATED: Final = ROOT / "framework" / "typegrad" / "op"


def limits() -> tuple[int, int]:
    """The most lines of a module, and of a module of tests."""
    (numbers,) = re.findall(r"A module has at most (\d+) lines, a module of tests (\d+)", GUIDE)
    return int(numbers[0]), int(numbers[1])


def modules(folder: str) -> Iterator[Path]:
    """The modules in a folder that people write."""
    return (path for path in (ROOT / folder).rglob("*.py") if GENERATED not in path.parents)


@pytest.mark.parametrize("folder", ["framework", "codegen", "ops", "benchmarks", "docs", "tests"])
def test_no_module_is_too_long(folder: str) -> None:
    limit = limits()[folder == "tests"]
    lengths = {path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(folder)}
    assert {path: length for path, length in lengths.items() if length > limit} == {}
