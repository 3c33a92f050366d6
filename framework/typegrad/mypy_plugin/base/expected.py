"""Errors that a program expects, in the blocks of `pytest.raises` and `assertRaises`."""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, Context, Expression, MemberExpr, MypyFile, NameExpr, RefExpr, TupleExpr, WithStmt

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["is_expected"]

_MANAGERS: Final = ("assertRaises", "assertRaisesRegex", "raises", "suppress")
_ERRORS: Final = ("builtins.Exception", "builtins.ValueError", "typegrad.")
"""How the names of the classes begin that an error of shapes has."""

_blocks: Final = Memory[MypyFile, list[range]]()
"""The lines of such blocks."""


def is_expected(tree: MypyFile, context: Context) -> bool:
    """Whether an error of shapes at a place of a file is what a test asks for."""
    if tree not in _blocks:
        blocks = [node for node in nodes_of(tree) if isinstance(node, WithStmt) and any(map(_expects, node.expr))]
        _blocks[tree] = [range(each.line, (each.end_line or each.line) + 1) for each in blocks]
    return any(context.line in lines for lines in _blocks[tree])


def _expects(manager: Expression) -> bool:
    if not isinstance(manager, CallExpr) or not isinstance(manager.callee, (MemberExpr, NameExpr)):
        return False
    kinds = [kind for each in manager.args for kind in (each.items if isinstance(each, TupleExpr) else [each])]
    names = [each.fullname for each in kinds if isinstance(each, RefExpr)]
    return manager.callee.name in _MANAGERS and any(each.startswith(_ERRORS) for each in names)
