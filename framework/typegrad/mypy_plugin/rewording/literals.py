"""What mypy refuses of constants where literal types are expected: `Linear[Literal[16], Literal[48]](scope, N, 3 * N)`.

mypy takes a name that is bound once, and arithmetic with it, for any int.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from mypy.errors import ErrorInfo
from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.values.evaluation import known_value

__all__ = ["accept_constants"]

_LITERAL: Final = "Literal"
_TYPES: Final = re.compile(
    r'(?:got|type) "(?P<given>int|str|tuple\[[^"]+\])"[,;] (?:expected|(?:argument|parameter|variable) has type) '
    rf'"(?P<expected>[^"]*\b{_LITERAL}\[[^"]*)"\)?$'
)
_SCALARS: Final = (int, str)


def accept_constants(api: CheckerPluginInterface) -> None:
    """Take back errors about constants that are one of the expected literals, and tell the value of others."""
    checker = checker_of(api)
    errors = errors_of(checker)
    wrong = [(each, found) for each in errors if (found := _TYPES.search(each.message))]
    exprs = _outermost(nodes_of(checker.tree), [each for each, _ in wrong]) if wrong else {}
    for error, found in wrong:
        expr = exprs.get((error.line, error.column))
        value = None if expr is None else known_value(api, expr)
        if _accepts(_parsed(found["expected"]), value):
            drop(errors, [error])
        elif type(value) in _SCALARS:
            start, end = found.span("given")
            error.message = f"{error.message[:start]}{_LITERAL}[{value!r}]{error.message[end:]}"


def _outermost(nodes: Iterable[object], errors: Sequence[ErrorInfo]) -> dict[tuple[int, int], Expression]:
    """The longest expression at the place of each error."""
    places = {(each.line, each.column) for each in errors}
    found = [each for each in nodes if isinstance(each, Expression) and (each.line, each.column) in places]
    found.sort(key=lambda each: (each.end_line or 0, each.end_column or 0))
    return {(each.line, each.column): each for each in found}


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def _accepts(expected: ast.expr | None, value: Any) -> bool:
    """Whether a type, as mypy writes it, has a value: a number, a string, or a tuple of such."""
    if isinstance(expected, ast.BinOp):
        return _accepts(expected.left, value) or _accepts(expected.right, value)
    if isinstance(expected, ast.Name):
        return type(value) in _SCALARS and type(value).__name__ == expected.id
    if not isinstance(expected, ast.Subscript) or not isinstance(expected.value, ast.Name):
        return False
    items = expected.slice.elts if isinstance(expected.slice, ast.Tuple) else [expected.slice]
    if expected.value.id == _LITERAL:
        return type(value) in _SCALARS and any(_is_literal(each, value) for each in items)
    is_tuple = expected.value.id == "tuple" and isinstance(value, tuple) and len(value) == len(items)
    return is_tuple and all(map(_accepts, items, value))


def _is_literal(item: ast.expr, value: object) -> bool:
    literal = ast.literal_eval(item)
    return type(literal) is type(value) and literal == value
