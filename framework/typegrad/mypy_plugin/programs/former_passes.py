"""Errors of a program that follow from a mistake below: a former pass of a loop, or a former call, has come by it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import Expression, ForStmt, FuncDef, MemberExpr, NameExpr, WhileStmt

from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.names import Names, in_lines, targets_of
from typegrad.mypy_plugin.mistakes.suspects import functions_around

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.core import Failure

__all__ = ["may_follow_below"]

_OF_VALUES: Final = (codes.ARG_TYPE, codes.ASSIGNMENT, codes.RETURN_VALUE)
"""The codes of errors about values with which a program may go on."""


def may_follow_below(checker: TypeChecker, failure: Failure, mistake: ErrorInfo) -> bool:
    """Whether a program fails by a name that a mistake binds in the same loop: at the mistake, or by its function.

    So it may by an attribute that a mistake binds in the same function, which may have been called before.
    """
    if mistake.code not in _OF_VALUES:
        return False
    names, lines = Names(checker.tree), [frame.line for frame in failure.frames if frame.file == checker.path]
    for place in (mistake.line, *_calls(checker, lines, mistake)):
        bound = (target for statement in names.around(place) for target in targets_of(statement))
        made = set(_keys(checker, names, bound))
        for block in nodes_of(checker.tree) if made else ():
            inside = range(block.line, (block.end_line or 0) + 1)
            if isinstance(block, (ForStmt, FuncDef, WhileStmt)) and place in inside:
                read = names.read(in_lines(checker.tree, {each for each in lines if each in inside}))
                used = made.intersection(_keys(checker, names, (each for each, _ in read)))
                if any(not isinstance(block, FuncDef) or isinstance(each, tuple) for each in used):
                    return True
    return False


def _calls(checker: TypeChecker, lines: Iterable[int], mistake: ErrorInfo) -> Iterator[int]:
    """The lines, of those that are running, that call the function of a mistake."""
    functions = functions_around(checker, mistake)[-1:]
    for inner, outer in pairwise(lines):
        if any(each.line <= inner <= (each.end_line or 0) for each in functions):
            yield outer


def _keys(checker: TypeChecker, names: Names, expressions: Iterable[Expression]) -> Iterator[Hashable]:
    """What the names and attributes are, whatever binds them."""
    for each in expressions:
        key = names.key(checker, each, None) if isinstance(each, MemberExpr) else None
        if key is not None or isinstance(each, NameExpr):
            yield each.node if isinstance(each, NameExpr) else key
