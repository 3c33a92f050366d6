"""Values of a kind that no use of them takes: the mistake is where they are made, and is one error."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Final, TypeGuard

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import AssignmentStmt, CallExpr, DictExpr, Expression, MemberExpr, NameExpr, OpExpr, TupleExpr

from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.reports.names import (
    Binding,
    Names,
    argument_of,
    class_name,
    parameters_of,
    parts_of_error,
    targets_of,
)

__all__ = ["misuses_of"]

_OF_ATTRIBUTE: Final = re.compile(r"^\w+: `(\w+)` ((?:must|is) .*)")
_OF_ARGUMENT: Final = re.compile(r": argument `(\w+)` must be an? (\w+), not (\w+); it is called as [\w.]+\((.*)\)$")
_OF_TYPES: Final = re.compile(r' has incompatible type ".*"; expected ".*"$')
_SWAPPED: Final = re.compile(r"^run: the feeds of \S+ and \S+ are swapped$")
_NOT_ENTERED: Final = re.compile(r'^"(\w+)" has no attribute "__enter__"')
_OPERANDS: Final = re.compile(r'^Unsupported operand types for \S+ \("(\w+)" and "(\w+)"\)$')


def misuses_of(checker: TypeChecker, names: Names, error: ErrorInfo) -> Iterator[Hashable]:
    """What tells that errors are about the same value: it, and what is said of it."""
    if error.code not in (ATTRIBUTE, CALL, codes.ATTR_DEFINED, codes.ARG_TYPE, codes.OPERATOR, DTYPE, SHAPE):
        return
    parts = [each for each in parts_of_error(checker.tree, error) if isinstance(each, Expression)]
    for whole in parts[:1]:
        for value, told in _values(checker, names, error, whole):
            keys = (
                (each, names.key(checker, each, _statement(names, each))) for each in reversed(_origins(names, value))
            )
            origin, key = next((each for each in keys if each[1] is not None), (value, None))
            if key is not None:
                yield key, told
                yield from ((each, told) for each in _made_together(checker, origin) if isinstance(told, frozenset))
        yield from _swapped(checker, names, error, whole)
        yield from _made_alike(names, error, whole)


def _values(
    checker: TypeChecker, names: Names, error: ErrorInfo, whole: Expression
) -> Iterator[tuple[Expression, Hashable]]:
    """The value that an error is about, and what is said of it: its class and the expected one, or the words."""
    attribute = _OF_ATTRIBUTE.match(error.message) if error.code is ATTRIBUTE else None
    argument = _OF_ARGUMENT.search(error.message) if error.code is CALL else None
    operands = _OPERANDS.match(error.message)
    if attribute is not None and isinstance(whole, CallExpr):
        yield from ((each, attribute[2]) for each in argument_of(whole, attribute[1], parameters_of(checker, whole)))
    elif argument is not None and isinstance(whole, CallExpr):
        by_position = [each.partition("=")[0] for each in argument[4].split(", ")]
        for each in argument_of(whole, argument[1], by_position):
            if any(argument[1] == origin.name for origin in _origins(names, each) if _is_named(origin)):
                yield each, frozenset((argument[2], argument[3]))
    elif entered := _NOT_ENTERED.match(error.message):
        yield whole, frozenset(("Scope", entered[1]))
    elif operands is not None:
        sides = (each for each in nodes_of(checker.tree) if isinstance(each, OpExpr) and whole in (each, each.right))
        yield from ((side, frozenset(operands.groups())) for each in sides for side in (each.left, each.right))


def _statement(names: Names, expr: Expression) -> Binding | None:
    return names.statement(expr) if isinstance(expr, NameExpr) else None


def _is_named(expr: Expression | None) -> TypeGuard[MemberExpr | NameExpr]:
    return isinstance(expr, (MemberExpr, NameExpr))


def _origins(names: Names, expr: Expression) -> list[Expression]:
    """An expression, and the names and attributes to which it is bound, one after the other."""
    origins = [expr]
    while isinstance(expr, NameExpr):
        source = _source(names, expr)
        if not _is_named(source) or source in origins:
            break
        origins.append(expr := source)
    return origins


def _source(names: Names, name: NameExpr) -> Expression | None:
    """What a name is bound to; None if that is not one expression."""
    statement = names.statement(name)
    if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) != 1:
        return None
    target, source = statement.lvalues[0], statement.rvalue
    if isinstance(target, TupleExpr):
        items = source.items if isinstance(source, TupleExpr) else []
        pairs = zip(target.items, items, strict=True) if len(items) == len(target.items) else ()
        return next((item for each, item in pairs if isinstance(each, NameExpr) and each.node is name.node), None)
    return source


def _made_together(checker: TypeChecker, expr: Expression) -> Iterator[AssignmentStmt]:
    """The statements that bind an attribute of an object with others."""
    key = (class_name(checker, expr.expr), expr.name) if isinstance(expr, MemberExpr) else None
    statements = (each for each in nodes_of(checker.tree) if isinstance(each, AssignmentStmt))
    for statement in statements if key is not None else ():
        targets = list(targets_of(statement))
        bound = [(class_name(checker, each.expr), each.name) for each in targets if isinstance(each, MemberExpr)]
        if len(targets) > 1 and key in bound:
            yield statement


def _made_alike(names: Names, error: ErrorInfo, value: Expression) -> Iterator[Hashable]:
    """The statement that binds several arguments of one call, of which the same is said."""
    statement, told = _statement(names, value), _OF_TYPES.search(error.message)
    if error.code is not codes.ARG_TYPE or not isinstance(statement, AssignmentStmt) or told is None:
        return
    if not isinstance(statement.rvalue, TupleExpr) and len(list(targets_of(statement))) > 1:
        yield statement, error.line, told[0]


def _swapped(checker: TypeChecker, names: Names, error: ErrorInfo, value: Expression) -> Iterator[Hashable]:
    """The statement that binds two values which are fed in each other's place: it is wrong then."""
    if _SWAPPED.match(error.message) is None:
        return
    for feeds in nodes_of(checker.tree):
        if isinstance(feeds, DictExpr) and any(value is each for _, each in feeds.items):
            fed = {source_of(key): each for key, each in feeds.items if key is not None}
            bound = {_statement(names, each) for name, each in fed.items() if name in error.message.split()}
            for each in bound if len(bound) == 1 else ():
                if isinstance(each, AssignmentStmt) and isinstance(each.rvalue, CallExpr):
                    yield each, error.message
