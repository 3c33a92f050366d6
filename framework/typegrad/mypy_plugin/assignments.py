"""The values of the variables of a file that are assigned once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeGuard, cast

from attrs import frozen
from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    Expression,
    ForStmt,
    FuncDef,
    ListExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StarExpr,
    SymbolNode,
    TupleExpr,
    Var,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.memory import Memory

__all__ = ["only_value"]

_PARTS: Final = ("defs", "body", "else_body", "finally_body", "handlers", "bodies", "items", "func")
"""The attributes in which statements hold other statements."""


@frozen
class _Assignments:
    """The values of variables assigned once."""

    only: dict[SymbolNode, Expression]


_files: Final = Memory[MypyFile, _Assignments]()


def only_value(api: CheckerPluginInterface, name: NameExpr) -> Expression | None:
    """The value of a variable of this file, if it is assigned once."""
    return None if name.node is None else _assignments(cast("TypeChecker", api).tree).only.get(name.node)


def _assignments(tree: MypyFile) -> _Assignments:
    if tree not in _files:
        _files[tree] = _read(tree)
    return _files[tree]


def _read(tree: MypyFile) -> _Assignments:
    by_variable: dict[SymbolNode, list[tuple[NameExpr, Expression | None]]] = {}
    parameters: set[SymbolNode] = set()
    for statement in _statements(tree):
        if isinstance(statement, FuncDef):
            parameters.update(argument.variable for argument in statement.arguments)
        for lvalue, rvalue in _targets(statement):
            if isinstance(lvalue.node, Var):
                by_variable.setdefault(lvalue.node, []).append((lvalue, rvalue))
    only: dict[SymbolNode, Expression] = {}
    for variable, assignments in by_variable.items():
        for _, rvalue in assignments:
            if rvalue is not None and len(assignments) == 1 and variable not in parameters:
                only[variable] = rvalue
    return _Assignments(only)


def _targets(statement: Node) -> Iterator[tuple[NameExpr, Expression | None]]:
    """The names that a statement assigns, each with the expression assigned to it, if there is a single one."""
    if isinstance(statement, AssignmentStmt):
        for lvalue in statement.lvalues:
            yield from _pairs(lvalue, statement.rvalue)
    elif isinstance(statement, OperatorAssignmentStmt):
        yield from ((name, None) for name in _names(statement.lvalue))
    elif isinstance(statement, ForStmt):
        yield from ((name, None) for name in _names(statement.index))
    elif isinstance(statement, WithStmt):
        yield from ((name, None) for target in statement.target for name in _names(target))


def _pairs(target: Expression, value: Expression) -> Iterator[tuple[NameExpr, Expression | None]]:
    """The names in a target, each with its part of the value; `c, h = zeros, ones` is two assignments."""
    if isinstance(target, NameExpr):
        yield target, value
    elif _is_plain(target) and _is_plain(value) and len(target.items) == len(value.items):
        for each, part in zip(target.items, value.items, strict=True):
            yield from _pairs(each, part)
    else:
        yield from ((name, None) for name in _names(target))


def _is_plain(expr: Expression) -> TypeGuard[TupleExpr | ListExpr]:
    """Whether an expression is a tuple or list display without starred items."""
    return isinstance(expr, (TupleExpr, ListExpr)) and not any(isinstance(item, StarExpr) for item in expr.items)


def _names(target: Expression | None) -> Iterator[NameExpr]:
    if isinstance(target, NameExpr):
        yield target
    elif isinstance(target, (TupleExpr, ListExpr)):
        for item in target.items:
            yield from _names(item)
    elif isinstance(target, StarExpr):
        yield from _names(target.expr)


def _statements(node: Node) -> Iterator[Node]:
    yield node
    for part in _PARTS:
        value: Any = getattr(node, part, None)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, Node):
                yield from _statements(child)
