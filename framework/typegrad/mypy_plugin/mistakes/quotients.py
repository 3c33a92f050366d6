"""Quotients of integers, which are no integers: one `/` in the place of `//`, wherever its result is a size."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import AssignmentStmt, Expression, OpExpr
from mypy.types import Instance, LiteralType

from typegrad.mypy_plugin.base.reporting import drop, errors_of, errors_once
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.names import Names, parts_of_error, type_of

__all__ = ["join_quotients"]

_NOT_WHOLE: Final = re.compile(
    r'must hold integers, not a Python float|type "float"; expected "(?:int|SupportsIndex)\b'
    r'|matches argument types? .*"float"|cannot be "(?:float|tuple\[.*\bfloat\b.*)"$'
)
"""What is said of a float where an integer is taken."""


def join_quotients(checker: TypeChecker) -> None:
    """Keep the first error about a quotient that has a name, and say in it where that is made."""
    errors, names = errors_of(checker), Names(checker.tree)
    told = defaultdict[AssignmentStmt, list[ErrorInfo]](list)
    for error in errors_once(checker):
        if _NOT_WHOLE.search(error.message):
            for statement in set(_dividing(checker, names, error)):
                told[statement].append(error)
    for statement, (first, *again) in told.items():
        if again:
            first.message = f"{first.message}; line {statement.line} divides integers with /, // makes an integer"
            drop(errors, again)


def _dividing(checker: TypeChecker, names: Names, error: ErrorInfo) -> Iterator[AssignmentStmt]:
    """The assignments of quotients of integers to names or attributes that an error is about."""
    for expr, _ in names.read(parts_of_error(checker.tree, error)[:1]):
        statement = names.assignment(checker, expr)
        quotients = () if statement is None else nodes_of(statement.rvalue)
        if statement is not None and any(isinstance(each, OpExpr) and _is_of_ints(checker, each) for each in quotients):
            yield statement


def _is_of_ints(checker: TypeChecker, operation: OpExpr) -> bool:
    return operation.op == "/" and all(_is_int(checker, each) for each in (operation.left, operation.right))


def _is_int(checker: TypeChecker, expr: Expression) -> bool:
    type_ = type_of(checker, expr)
    instance = type_.fallback if isinstance(type_, LiteralType) else type_
    return isinstance(instance, Instance) and instance.type.fullname == "builtins.int"
