"""The element types and shapes behind the lines of a file, and behind each of its expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen
from mypy.nodes import (
    Argument,
    AssignmentStmt,
    CastExpr,
    Expression,
    ExpressionStmt,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    ReturnStmt,
    StarExpr,
    TupleExpr,
)

from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.programs.followed import made_at
from typegrad.mypy_plugin.reports.wording import described
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.tools.types.checking import CheckedFile

__all__ = ["Annotation", "ExpressionTypes", "annotations_of", "expressions_of"]


@frozen
class Annotation:
    """The operands in a statement's value, shown behind its last line. Lines start at 1."""

    line: int
    end_line: int
    text: str


@frozen
class ExpressionTypes:
    """The operands in an expression's value. Lines start at 1, columns at 0; columns count bytes."""

    line: int
    column: int
    end_line: int
    end_column: int
    source: str
    text: str


def _shown(expr: Expression, file: CheckedFile) -> str | None:
    """The operands in an expression's value."""
    return described(file.types.get(expr), made_at(file.tree, expr))


def annotations_of(file: CheckedFile) -> list[Annotation]:
    """One annotation for each statement whose value has operands in it, by line."""
    results = {id(node.left): node for node in file.types if isinstance(node, OpExpr)}
    result: list[Annotation] = []
    for node in nodes_of(file.tree):
        text = _value(node, file, results)
        if text is not None:
            result.append(Annotation(node.line, node.end_line or node.line, text))
    return sorted(result, key=lambda each: (each.end_line, each.line))


def _value(node: Node, file: CheckedFile, results: Mapping[int, OpExpr]) -> str | None:
    """The operands in a statement's value."""
    if isinstance(node, AssignmentStmt):
        text = _described(node.rvalue, file)
        if text is not None and "?" not in text and "..." not in text:
            return text
        names = (_described(each, file) for each in node.lvalues if isinstance(each, (TupleExpr, ListExpr)))
        return next(filter(None, names), text)
    if isinstance(node, OperatorAssignmentStmt):  # mypy checks it as an operation that is in no tree
        result = results.get(id(node.lvalue))
        return None if result is None else described(file.types.get(result), made_at(file.tree, node))
    if isinstance(node, (ExpressionStmt, ReturnStmt)) and node.expr is not None:
        return _described(node.expr, file)
    return None


def _described(expr: Expression, file: CheckedFile) -> str | None:
    """The operands in an expression's value. A tuple that is unpacked at once has no type, but its items have."""
    if expr in file.types or not isinstance(expr, (TupleExpr, ListExpr)):
        return _shown(expr, file)
    items = [_described(item, file) for item in expr.items]
    return ", ".join(item or "_" for item in items) if any(items) else None


def expressions_of(file: CheckedFile) -> list[ExpressionTypes]:
    """Every expression, and every parameter, whose value has operands in it, in no order."""
    nodes = list(nodes_of(file.tree))
    return [*_known(nodes, file), *_parameters(nodes, file)]


def _known(nodes: Iterable[Node], file: CheckedFile) -> Iterator[ExpressionTypes]:
    values: dict[Expression, Expression] = {}
    """Of each name or attribute that is assigned to, its value."""
    for node in nodes:
        if isinstance(node, AssignmentStmt):
            values.update(dict.fromkeys(node.lvalues, node.rvalue))
        if not isinstance(node, Expression) or isinstance(node, (CastExpr, StarExpr)) or node.end_line is None:
            continue
        text = described(file.types.get(node), made_at(file.tree, node) or made_at(file.tree, values.get(node, node)))
        if text is not None and node.end_column is not None:
            name = node.name if isinstance(node, (MemberExpr, NameExpr)) else ""
            yield ExpressionTypes(node.line, node.column, node.end_line, node.end_column, name, text)


def _parameters(nodes: Iterable[Node], file: CheckedFile) -> Iterator[ExpressionTypes]:
    """The names of parameters. What the program passes for one is what the function reads, if it never assigns it."""
    names = [node for node in nodes if isinstance(node, NameExpr)]
    read = {name.node: made for name in reversed(names) if (made := made_at(file.tree, name)) is not None}
    stores = bindings_of(file.tree).stores
    for node in nodes:
        if isinstance(node, Argument):
            variable, column = node.variable, node.column
            made = read.get(variable) if stores.get(variable) == [None] else None
            text = described(variable.type, made)
            if text is not None:
                end = column + len(variable.name.encode())
                yield ExpressionTypes(node.line, column, node.line, end, variable.name, text)
