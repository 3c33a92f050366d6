"""Errors that a program expects: in the blocks of `pytest.raises` and `assertRaises`, in tests that are to fail."""

from __future__ import annotations

from collections.abc import Sequence
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
    TryStmt,
    TupleExpr,
    WithStmt,
)

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["is_caught", "is_expected"]

_FAILING: Final = ("expectedFailure", "xfail")
"""The decorators of tests that are to fail."""
_MANAGERS: Final = ("assertRaises", "assertRaisesRegex", "raises", "suppress")
_ERRORS: Final = tuple(f"builtins.{name}" for name in ("Exception", "IndexError", "TypeError", "ValueError")) + (
    "numpy.",
    "typegrad.",
)
"""How the names of the classes begin that an error of shapes has, or what NumPy raises for arrays."""

_blocks: Final = Memory[MypyFile, list[range]]()
"""The lines of such blocks."""
_caught: Final = Memory[MypyFile, list[range]]()
"""The lines of `try` blocks whose handlers catch such errors."""


def is_expected(tree: MypyFile, context: Context) -> bool:
    """Whether an error of shapes at a place of a file is what a test asks for."""
    if tree not in _blocks:
        nodes = list(nodes_of(tree))
        blocks: list[Node] = [each for each in nodes if isinstance(each, WithStmt) and any(map(_expects, each.expr))]
        tests = [each for each in nodes if isinstance(each, Decorator)]
        blocks += [each.func for each in tests if any(map(_fails, each.original_decorators))]
        _blocks[tree] = list(map(_lines, blocks))
    return any(context.line in lines for lines in _blocks[tree])


def is_caught(tree: MypyFile, context: Context) -> bool:
    """Whether a program goes on behind an error at a place of a file, in a handler."""
    if tree not in _caught:
        blocks = [each.body for each in nodes_of(tree) if isinstance(each, TryStmt) and _catches(each)]
        _caught[tree] = list(map(_lines, blocks))
    return any(context.line in lines for lines in _caught[tree])


def _lines(block: Node) -> range:
    return range(block.line, (block.end_line or block.line) + 1)


def _catches(statement: TryStmt) -> bool:
    return None in statement.types or _are_errors([each for each in statement.types if each is not None])


def _fails(decorator: Expression) -> bool:
    decorator = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(decorator, (MemberExpr, NameExpr)) and decorator.name in _FAILING


def _expects(manager: Expression) -> bool:
    if not isinstance(manager, CallExpr) or not isinstance(manager.callee, (MemberExpr, NameExpr)):
        return False
    return manager.callee.name in _MANAGERS and _are_errors(manager.args)


def _are_errors(classes: Sequence[Expression]) -> bool:
    """Whether one of some classes, or tuples of classes, may be of an error of shapes."""
    kinds = [kind for each in classes for kind in (each.items if isinstance(each, TupleExpr) else [each])]
    return any(each.fullname.startswith(_ERRORS) for each in kinds if isinstance(each, RefExpr))
