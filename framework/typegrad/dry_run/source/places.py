"""Where operations are in a file."""

from __future__ import annotations

import ast
from typing import TypeAlias

__all__ = ["Place", "place_of"]

Place: TypeAlias = tuple[int, int, int, int]
"""The first line and column of an expression, and the last ones."""


def place_of(node: ast.expr | ast.stmt | ast.arg) -> Place:
    """The place of an expression, a statement or a parameter as mypy states it."""
    if isinstance(node, ast.expr):
        return *_start(node), *_end(node)
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _start(expr: ast.expr) -> tuple[int, int]:
    """Where an expression starts for mypy: an operator at its left side, without the parentheses around that."""
    while isinstance(expr, ast.BinOp):
        expr = expr.left
    return expr.lineno, expr.col_offset


def _end(expr: ast.expr) -> tuple[int, int]:
    """Where it ends for mypy."""
    while isinstance(expr, ast.BinOp):
        expr = expr.right
    return expr.end_lineno or 0, expr.end_col_offset or 0
