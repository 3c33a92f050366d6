"""Where operations are in a file."""

from __future__ import annotations

import ast
from typing import TypeAlias

__all__ = ["Place", "place_of"]

Place: TypeAlias = tuple[int, int, int, int]
"""The first line and column of an expression, and the last ones."""


def place_of(expr: ast.expr) -> Place:
    """The place of an expression as mypy states it."""
    return *_start(expr), *_end(expr)


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
