"""Expressions of very many operators are followed, and what follows them is, too."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dry_run.following import differences
from typegrad.dry_run.source.places import place_of


@pytest.mark.parametrize("term", ["1", "x"])
def test_what_follows_a_long_sum_is_told(term: str, tmp_path: Path) -> None:
    total = " + ".join([term] * 200)
    wrong = "np.random.default_rng(0).random(3) + np.ones(4)  # E: (3,) (4,)"
    assert not differences(tmp_path, f"with scope:\n    total = {total}\n{wrong}\n")


def test_the_place_of_an_expression_deeper_than_pythons_stack() -> None:
    left: ast.expr = ast.Constant(1, lineno=1, col_offset=0, end_lineno=1, end_col_offset=1)
    right: ast.expr = ast.Constant(1, lineno=3, col_offset=0, end_lineno=3, end_col_offset=1)
    for _ in range(5000):
        left, right = ast.BinOp(left, ast.Add(), right), ast.BinOp(right, ast.Add(), right)
    assert place_of(ast.BinOp(left, ast.Add(), right)) == (1, 0, 3, 1)
