"""Errors that a program expects: in the blocks of `pytest.raises` and `assertRaises`, in tests that are to fail."""

from __future__ import annotations

from typing import Final

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    TupleExpr,
    WithStmt,
)

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["is_expected"]

_FAILING: Final = ("expectedFailure", "xfail")
"""The decorators of tests that are to fail."""
_MANAGERS: Final = ("assertRaises", "assertRaisesRegex", "raises", "suppress")
_ERRORS: Final = ("builtins.Exception", "builtins.ValueError", "typegrad.")
"""How the names of the classes begin that an error of shapes has."""

_blocks: Final = Memory[MypyFile, list[range]]()
"""The lines of such blocks."""


def is_expected(tree: MypyFile, context: Context) -> bool:
    """Whether an error of shapes at a place of a file is what a test asks for."""
    if tree not in _blocks:
        nodes = list(nodes_of(tree))
        blocks: list[Node] = [each for each in nodes if isinstance(each, WithStmt) and any(map(_expects, each.expr))]
        tests = [each for each in nodes if isinstance(each, Decorator)]
        blocks += [each.func for each in tests if any(map(_fails, each.original_decorators))]
        _blocks[tree] = [range(each.line, (each.end_line or each.line) + 1) for each in blocks]
    return any(context.line in lines for lines in _blocks[tree])


def _fails(decorator: Expression) -> bool:
    decorator = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(decorator, (MemberExpr, NameExpr)) and decorator.name in _FAILING


def _expects(manager: Expression) -> bool:
    if not isinstance(manager, CallExpr) or not isinstance(manager.callee, (MemberExpr, NameExpr)):
        return False
    kinds = [kind for each in manager.args for kind in (each.items if isinstance(each, TupleExpr) else [each])]
    names = [each.fullname for each in kinds if isinstance(each, RefExpr)]
    return manager.callee.name in _MANAGERS and any(each.startswith(_ERRORS) for each in names)
