"""What mypy says of `x == y` as an array, in the words of the run: `(x == y)[0]`, `hits.mean()`, `len(x == y)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, Node
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.arguments.equalities import told_equality
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.mistakes.names import parts_of_error

__all__ = ["reword_equalities"]

_BOOL: Final = '"bool"'
_CODES: Final = (codes.ARG_TYPE, codes.ATTR_DEFINED, codes.CALL_OVERLOAD, codes.INDEX, codes.MISC, codes.OPERATOR)


def reword_equalities(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about the bool that such a comparison is to it."""
    checker = checker_of(api)
    errors = errors_of(checker)
    for error in [each for each in errors if each.code in _CODES and _BOOL in each.message]:
        used = (each for part in parts_of_error(checker.tree, error) for each in _used(part, error))
        text, expr = next(((text, each) for each in used if (text := told_equality(api, each))), ("", None))
        if expr is not None:
            drop(errors, [each for each in errors if each is error or _is_note(each, error)])
            report(api, CALL, text, expr)


def _used(part: Node, error: ErrorInfo) -> Iterator[Expression]:
    """What may be the comparison in what mypy refuses."""
    if isinstance(part, Expression):
        yield part
    if isinstance(part, MemberExpr) and error.code is codes.ATTR_DEFINED:
        yield part.expr
    elif isinstance(part, IndexExpr) and error.code is codes.INDEX:
        yield part.base
    elif isinstance(part, CallExpr) and error.code is codes.OPERATOR:
        yield part.callee
    elif isinstance(part, CallExpr) and error.code is codes.CALL_OVERLOAD and len(part.args) == 1:
        yield part.args[0]


def _is_note(each: ErrorInfo, error: ErrorInfo) -> bool:
    return each.severity == "note" and each.line == error.line and each.code is error.code
