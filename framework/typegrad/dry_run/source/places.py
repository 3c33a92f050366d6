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
    """Where an expression starts for mypy, which leaves out parentheses around its first part, but not of a call."""
    for name in () if isinstance(expr, ast.Call) else ("left", "value"):
        part = getattr(expr, name, None)
        if isinstance(part, ast.expr):
            return _start(part)
    return expr.lineno, expr.col_offset


def _end(expr: ast.expr) -> tuple[int, int]:
    """Where it ends for mypy."""
    last = expr.comparators[-1] if isinstance(expr, ast.Compare) else None
    for part in (last, getattr(expr, "right", None), getattr(expr, "operand", None)):
        if isinstance(part, ast.expr):
            return _end(part)
    return expr.end_lineno or 0, expr.end_col_offset or 0
