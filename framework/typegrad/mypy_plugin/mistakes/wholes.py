"""Several results that get one name, as of `loss = session.run([loss, step])`, and are used as if they were one.

Wherever that name is used, something is wrong, and the names that the other results would have do not exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import AssignmentStmt, CallExpr, Expression, ListExpr
from mypy.types import TupleType

from typegrad.mypy_plugin.base.codes import DTYPE
from typegrad.mypy_plugin.base.reporting import drop, errors_of, errors_once
from typegrad.mypy_plugin.mistakes.names import Names, in_lines, parts_of_error, type_of
from typegrad.mypy_plugin.mistakes.unpacked import missing_behind
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["join_wholes"]

_OF_KINDS: Final = (DTYPE, codes.ARG_TYPE, codes.STRING_FORMATTING)
"""The codes of errors about values that are not of the kind that is taken."""
_TUPLE: Final = "builtins.tuple"


def join_wholes(checker: TypeChecker) -> None:
    """Keep the first error about such a name, and say in it what the name is bound to."""
    errors, names = errors_of(checker), Names(checker.tree)
    told = defaultdict[AssignmentStmt | None, list[ErrorInfo]](list)
    for error in errors_once(checker):
        if error.code in _OF_KINDS:
            for statement in {names.assignment(checker, each) for each in _taken(checker, error)}:
                told[statement].append(error)
    for statement, (first, *others) in told.items():
        if statement is None or (count := _count(checker, statement)) < 2:
            continue
        again = [*others, *missing_behind(checker, statement, count - 1, errors)]
        if again:
            first.message = f"{first.message}; line {statement.line} gives one name to {count} results"
            drop(errors, [each for each in again if each is not first])


def _taken(checker: TypeChecker, error: ErrorInfo) -> Iterator[Expression]:
    """The names and attributes that are taken as a whole where an error is: by themselves, or as an argument."""
    parts = parts_of_error(checker.tree, error)[:1] if error.column > 0 else in_lines(checker.tree, {error.line})
    for each in parts:
        yield from each.args if isinstance(each, CallExpr) else [each] if isinstance(each, Expression) else []


def _count(checker: TypeChecker, statement: AssignmentStmt) -> int:
    """How many results a statement gives a name: the items of a tuple, or of a list of what a session fetches."""
    type_, fetches = type_of(checker, statement.rvalue), fetches_of(checker, statement.rvalue)
    if not isinstance(statement.rvalue, CallExpr):
        return 1
    if isinstance(type_, TupleType) and type_.partial_fallback.type.fullname == _TUPLE:
        return len(type_.items)
    return len(fetches.items) if isinstance(fetches, ListExpr) else 1
