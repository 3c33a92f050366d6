"""Which functions a file refers to, besides defining them: of others, only other files know the arguments."""

from __future__ import annotations

from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import FuncItem, MemberExpr, MypyFile, NameExpr, TypeInfo

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["is_referred_to"]

_names: Final = Memory[MypyFile, frozenset[str]]()


def is_referred_to(checker: TypeChecker) -> bool:
    """Whether the file refers to a function or class around the code that is checked, by its name."""
    if checker.tree not in _names:
        nodes = nodes_of(checker.tree)
        _names[checker.tree] = frozenset(each.name for each in nodes if isinstance(each, (MemberExpr, NameExpr)))
    around = [each for each in checker.scope.stack if isinstance(each, (FuncItem, TypeInfo))]
    return any(each.name in _names[checker.tree] for each in around)
