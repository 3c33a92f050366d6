"""Tests of a program that pytest calls with the values of `pytest.mark.parametrize`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import pytest
def sized(n):
    return x @ np.zeros((n, 1), np.float32)
"""
PROGRAMS: Final = {
    "one parameter": """
@pytest.mark.parametrize("n", [8, 7])
def test_n(n):
    x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
""",
    "several": """
@pytest.mark.parametrize("n, k", [(8, 7)])
@pytest.mark.parametrize(["m"], [(8,)], ids=str)
def test_all(n, m, k):
    sized(n)
    x @ np.zeros((k, 1), np.float32)  # E: inner dimensions
""",
    "an error that is expected": """
@pytest.mark.parametrize("n", [7])
def test_raises(n):
    with pytest.raises(tg.ShapeError):
        sized(n)
@pytest.mark.parametrize("n", [7])
@pytest.mark.xfail
def test_fails(n):
    sized(n)
@pytest.mark.xfail
@pytest.mark.parametrize("n", [7])
def test_fails_too(n):
    sized(n)
""",
    "values that are unknown": """
@pytest.mark.parametrize("n", unknown.sizes)
def test_n(n):
    sized(7)
@pytest.mark.parametrize("n", [unknown.size, pytest.param(7, marks=pytest.mark.xfail)])
def test_case(n):
    sized(n)
@pytest.mark.parametrize("n", [7])
def test_fixture(n, tmp_path):
    sized(n)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_parametrized_function(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
