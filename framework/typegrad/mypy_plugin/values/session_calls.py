"""Calls of a session's methods, `session.run([step, loss], feeds)`: what they fetch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, Expression, MemberExpr, Node

from typegrad.mypy_plugin.base.operands import SESSION, base_of

__all__ = ["fetches_of"]

_RUN: Final = ("run",)
_FETCHES: Final = (None, "fetches")


def fetches_of(checker: TypeChecker, call: Node | None, methods: Collection[str] = _RUN) -> Expression | None:
    """What a session fetches in a call of one of these methods, as it is written; None for any other node."""
    callee = call.callee if isinstance(call, CallExpr) else None
    if not isinstance(call, CallExpr) or not isinstance(callee, MemberExpr) or callee.name not in methods:
        return None
    if not checker.has_type(callee.expr) or base_of(checker.lookup_type(callee.expr), SESSION) is None:
        return None
    pairs = zip(call.arg_names, call.args, strict=True)
    return next((each for name, each in pairs if name in _FETCHES), None)
