"""Errors in a module that several programs and tests come to are told once, also where mypy's cache has some of these."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check

LIBRARY: Final = """\
import numpy as np
import typegrad as tg
from typegrad.op import core
def build(scope: tg.Scope, n: int) -> tg.Operand[tg.TFloat32]:
    x = core.Placeholder.create(scope, tg.TFloat32, (None, n))
    w = tg.Variable.create(scope, np.zeros((3, n), np.float32))
    return x @ w
"""
TRAIN: Final = """\
import typegrad as tg
from library import build
y = build(tg.Scope(tg.Graph()), 4)
"""
TESTS: Final = """\
import pytest
import typegrad as tg
from library import build
@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph()).with_sub_scope("test")
def test_shape(scope: tg.Scope) -> None:
    assert build(scope, 4).shape == (None, 4)
@pytest.mark.parametrize("n", [4, 5])
def test_sizes(scope: tg.Scope, n: int) -> None:
    assert build(scope, n).shape == (None, n)
"""
FIRST: Final = "MatMul: inner dimensions differ: a is [?, {0}], b is [3, {0}]"
NAMES: Final = ("train.py", "library_test.py")


def _told(folder: Path, *, library: str = LIBRARY, train: str = TRAIN, tests: str = TESTS) -> list[str]:
    """The errors that a check of all files tells, without remedies."""
    report = check(folder, dict(zip(("library.py", *NAMES), (library, train, tests), strict=True)))
    return [f"{each.file}:{each.line}: {each.text.partition(';')[0]}" for each in report.errors()]


def test_an_error_that_all_come_to_is_told_once(tmp_path: Path) -> None:
    for _ in range(2):  # mypy may check them in another order where it has some in its cache
        (told,) = _told(tmp_path)
        assert told.startswith(NAMES) and told.endswith(FIRST.format(4))


@pytest.mark.parametrize("mended", NAMES)
def test_it_is_told_in_another_program_where_one_is_mended(mended: str, tmp_path: Path) -> None:
    _told(tmp_path)
    texts = {"train": TRAIN, "tests": TESTS}
    kind = "train" if mended == "train.py" else "tests"
    right = {kind: texts[kind].replace("4", "3").replace("5", "3")}
    for _ in range(2):
        (told,) = _told(tmp_path, **right)
        assert told.endswith(FIRST.format(4)) and not told.startswith(mended)
    assert _told(tmp_path, library=LIBRARY.replace("(3, n)", "(n, n)"), **right) == []


def test_errors_that_differ_are_all_told(tmp_path: Path) -> None:
    told = _told(tmp_path, tests=TESTS.replace("(scope, 4)", "(scope, 6)").replace("[4, 5]", "[7]"))
    assert sorted(each.partition(": ")[2] for each in told) == [FIRST.format(size) for size in (4, 6, 7)]


def test_an_error_that_a_comment_ignores_is_told_elsewhere(tmp_path: Path) -> None:
    ignored = TRAIN.replace("4)", "4)  # type: ignore[typegrad-shape]")
    for _ in range(2):
        (told,) = _told(tmp_path, train=ignored)
        assert told.startswith("library_test.py:8: ")
