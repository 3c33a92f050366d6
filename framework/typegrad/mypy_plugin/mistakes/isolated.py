"""Errors of types from which nothing in a program follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, ExpressionStmt, MypyFile, RefExpr

from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["without_isolated"]

_OF_ARGUMENTS: Final = frozenset((codes.ARG_TYPE, codes.CALL_ARG, codes.CALL_OVERLOAD))
_NO_MODULE: Final = 'expression has type "None", variable has type Module'
"""What mypy says where a module that cannot be imported is None instead."""


def without_isolated(tree: MypyFile, errors: Sequence[ErrorInfo]) -> list[ErrorInfo]:
    """The errors from which others may follow.

    Nothing follows from arguments of NumPy that its stubs refuse, as those of `np.savez(path, **arrays)`, where nothing
    takes the result.
    """
    isolated = set(_lines(tree)) if any(each.code in _OF_ARGUMENTS for each in errors) else set[int]()
    return [
        each
        for each in errors
        if not (each.code in _OF_ARGUMENTS and each.line in isolated) and _NO_MODULE not in each.message
    ]


def _lines(tree: MypyFile) -> Iterator[int]:
    """The lines of calls of NumPy whose results nothing takes."""
    for statement in nodes_of(tree):
        if isinstance(statement, ExpressionStmt) and isinstance(call := statement.expr, CallExpr):
            callee = call.callee
            if isinstance(callee, RefExpr) and callee.fullname.startswith("numpy."):
                yield from range(statement.line, (statement.end_line or statement.line) + 1)
