"""What mypy says of operands that are unpacked, or gone through, in the words of the run: `a, b = x * 2.0`.

`refusals` looks at names and attributes before mypy does. The types of other expressions are known once mypy has told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import (
    ARG_STAR,
    AssignmentStmt,
    CallExpr,
    Context,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SetExpr,
    StarExpr,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OP, OPERAND, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.expressions.refusals import iteration_refused
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["reword_iterations"]

_ITERATED: Final = re.compile(
    r'"\w+\[.*\](?:" object is not iterable|" has no attribute "__iter__" \(not iterable\))$'
    r'|"None" not callable$|Expected iterable as variadic argument$'
)
"""What mypy says of what cannot be iterated. `__iter__` of operands is None to mypy, which it calls."""
_UNTYPED: Final = 'Cannot determine type of "{}"'
"""What mypy says of a name to which nothing could be assigned."""

_refused: Final = Memory[MypyFile, list[Node]]()
"""What iterates operands in a file. mypy may check functions that read the names once more."""


def reword_iterations(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about operands that are iterated, and about the names that get their parts."""
    checker = checker_of(api)
    errors = errors_of(checker)
    for error in [each for each in errors if _ITERATED.match(each.message) and not _is_told(each, errors)]:
        for statement, value in _iterated(checker.tree, error):
            text = _refusal(api, value)
            if text is not None:
                drop(errors, [error])
                report(api, CALL, text, value)
                _refused.setdefault(checker.tree, []).append(statement)
                break
    for statement in _refused.get(checker.tree, ()):
        drop(errors, _of_names(checker.tree, statement, errors))


def _is_told(error: ErrorInfo, errors: list[ErrorInfo]) -> bool:
    """Whether the plugin refuses what makes the operand."""
    return any(
        (each.line, each.column) == (error.line, error.column) and each.code in (CALL, DTYPE, SHAPE) for each in errors
    )


def _iterated(tree: MypyFile, error: ErrorInfo) -> Iterator[tuple[Node, Expression]]:
    """What is iterated at the place of an error, each with the statement or expression that does so."""
    for node in nodes_of(tree):
        if isinstance(node, AssignmentStmt) and _at(node, error, by_line=True):
            yield from ((node, part) for part in _parts(node.rvalue) if _at(part, error))
        elif isinstance(node, ForStmt) and _at(node.expr, error):
            yield node, node.expr
        elif isinstance(node, (DictionaryComprehension, GeneratorExpr)):
            yield from ((node, each) for each in node.sequences if _at(each, error))
        elif isinstance(node, (ListExpr, SetExpr, TupleExpr)) and _at(node, error):
            yield from ((node, each.expr) for each in node.items if isinstance(each, StarExpr))
        elif isinstance(node, CallExpr) and _at(node, error):
            pairs = zip(node.args, node.arg_kinds, strict=True)
            yield from ((node, each) for each, kind in pairs if kind is ARG_STAR)


def _parts(expr: Expression) -> Iterator[Expression]:
    """What is assigned: a value, or the values in it by themselves, as in `(a, b), c = x, y`."""
    yield expr
    for each in expr.items if isinstance(expr, (ListExpr, TupleExpr)) else ():
        yield from _parts(each)


def _at(node: Context, error: ErrorInfo, *, by_line: bool = False) -> bool:
    if by_line:
        return node.line <= error.line <= (node.end_line or node.line)
    return (node.line, node.column) == (error.line, error.column)


def _refusal(api: CheckerPluginInterface, expr: Expression) -> str | None:
    """What the run says of what cannot be iterated; None for what is not typegrad's."""
    type_ = expression_type(api, expr)
    if base_of(type_, OPERAND) is not None:
        return iteration_refused(api, expr)
    operation = base_of(type_, OP) and definition_of(api, type_)
    return f"{operation.op.class_name} is not an operand; {named_outputs(operation.op)}" if operation else None


def _of_names(tree: MypyFile, statement: Node, errors: list[ErrorInfo]) -> list[ErrorInfo]:
    """What mypy says where names are read to which the parts are assigned: it knows no type of them."""
    targets = statement.lvalues if isinstance(statement, AssignmentStmt) else []
    assigned = [each for target in targets for each in nodes_of(target) if isinstance(each, (MemberExpr, NameExpr))]
    variables = {each.node for each in assigned if isinstance(each, NameExpr)}
    attributes = {each.name for each in assigned if isinstance(each, MemberExpr)}
    following = [each for each in errors if each.code in (codes.HAS_TYPE, codes.NO_ANY_RETURN)]
    reading = [
        each
        for each in (nodes_of(tree) if following else ())
        if (isinstance(each, NameExpr) and each.node in variables)
        or (isinstance(each, MemberExpr) and each.name in attributes)
    ]
    lines = {each.line for each in reading}
    untyped = {(each.line, _UNTYPED.format(each.name)) for each in reading}
    return [
        each
        for each in following
        if (each.code is codes.NO_ANY_RETURN and each.line in lines) or (each.line, each.message) in untyped
    ]
