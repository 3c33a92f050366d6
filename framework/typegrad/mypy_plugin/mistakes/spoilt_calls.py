"""What mypy says of a call in whose arguments it has found an error.

mypy tries the overloads of a function one after the other. An error in an argument, such as a misspelt attribute, is
there with each of them: mypy takes none, and blames an argument for what the first one does not take, or reads from
its result what the program reads from another one's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr
from mypy.types import CallableType

from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.names import type_of

__all__ = ["errors_by_call", "of_spoilt_calls"]

_Place: TypeAlias = ErrorInfo | Expression

_OF_CALLS: Final = frozenset((codes.CALL_OVERLOAD, codes.TYPE_VAR))
"""The codes of what mypy says of a call as a whole."""
_OF_RESULTS: Final = frozenset((codes.ATTR_DEFINED, codes.INDEX))
"""The codes of what it says of the result of a call, which is the first overload's then."""
_OF_ARGUMENTS: Final = frozenset((codes.ARG_TYPE, codes.DICT_ITEM, codes.LIST_ITEM, codes.MISC))
"""The codes of what it says of an argument, or of a part of one."""


def of_spoilt_calls(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """The errors about a call, its result or its arguments that follow from another error in an argument."""
    places = _places(checker, errors)
    for error, call in places:
        parts = [] if call is None else _parts(checker, call, error)
        causes = [other or each for each, other in places if each is not error]
        if any(_holds(part, each) for part in parts for each in causes):
            yield error


def errors_by_call(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> dict[CallExpr, list[ErrorInfo]]:
    """The errors about calls, their results and their arguments, by the call."""
    found = defaultdict[CallExpr, list[ErrorInfo]](list)
    for error, call in _places(checker, errors):
        if call is not None:
            found[call].append(error)
    return found


def _places(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> list[tuple[ErrorInfo, CallExpr | None]]:
    """All errors, each with the call that it is about; none if no error is about a call."""
    mistakes = [each for each in errors if each.severity == "error"]
    if not any(each.code in _OF_CALLS | _OF_RESULTS | _OF_ARGUMENTS for each in mistakes):
        return []
    nodes = list(nodes_of(checker.tree))
    calls = [each for each in nodes if isinstance(each, CallExpr) and each.args]
    read = [each for each in nodes if isinstance(each, (IndexExpr, MemberExpr)) and _call_in(each) is not None]
    return [(each, _call_about(calls, read, each)) for each in mistakes]


def _call_in(expr: IndexExpr | MemberExpr) -> CallExpr | None:
    """The call of whose result an expression is an attribute or an item."""
    owner = expr.expr if isinstance(expr, MemberExpr) else expr.base
    return owner if isinstance(owner, CallExpr) else None


def _call_about(calls: Sequence[CallExpr], read: Sequence[IndexExpr | MemberExpr], error: ErrorInfo) -> CallExpr | None:
    """The call that an error is about, or about whose result or arguments it is; None for other errors."""
    if error.code in _OF_CALLS:
        return next((each for each in calls if _is_at(each, error)), None)
    if error.code in _OF_RESULTS:
        return next((_call_in(each) for each in read if _is_at(each, error)), None)
    around = [each for each in calls if any(_holds(arg, error) for arg in each.args)]
    return max(around, key=_start, default=None) if error.code in _OF_ARGUMENTS else None


def _parts(checker: TypeChecker, call: CallExpr, error: ErrorInfo) -> list[Expression]:
    """The arguments in which the cause of an error may be: all if the function may have overloads."""
    has_overloads = not isinstance(type_of(checker, call.callee), CallableType)
    return [each for each in call.args if has_overloads or _holds(each, error)]


def _is_at(expr: Expression, error: ErrorInfo) -> bool:
    return _holds(expr, error) and _holds(error, expr)


def _holds(outer: _Place, inner: _Place) -> bool:
    """Whether a place is within another one."""
    return _start(outer) <= _start(inner) and _end(inner) <= _end(outer)


def _start(place: _Place) -> tuple[int, int]:
    return place.line, place.column


def _end(place: _Place) -> tuple[int, int]:
    return place.end_line or place.line, place.end_column or place.column
