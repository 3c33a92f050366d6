"""What mypy says of functions with `tg.custom_gradient`, in the words of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    NameExpr,
    RefExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["reword_gradients"]

_CUSTOM: Final = 'Argument 1 to "custom_gradient" has incompatible type '
_OF_CALL: Final = re.compile(r'Too many arguments|Argument 1 to "\w+" has incompatible type .*; expected "Scope"$')
"""What mypy says of a call with a scope, and of one without."""


def reword_gradients(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about functions that take no scope, or that return no gradient."""
    checker = checker_of(api)
    errors = errors_of(checker)
    for expr, function in _customized(checker) if errors else ():
        wrong = [each for each in errors if each.line == expr.line and each.message.startswith(_CUSTOM)]
        if isinstance(function, LambdaExpr):
            wrong = [each for each in errors if expr.line <= each.line <= (function.end_line or function.line)]
        told = wrong and (_without_scope(function) or _without_gradient(function))
        if told:
            drop(errors, [*wrong, *_of_calls(checker, expr, function, errors)])
            report(api, codes.ARG_TYPE, told, expr)


_Function = FuncDef | LambdaExpr


def _customized(checker: TypeChecker) -> Iterator[tuple[Expression, _Function]]:
    """The calls of `custom_gradient`, and decorators, each with its function."""
    for node in nodes_of(checker.tree):
        if isinstance(node, Decorator):
            yield from ((each, node.func) for each in node.original_decorators if _is_custom(each))
        elif isinstance(node, CallExpr) and _is_custom(node.callee) and node.args:
            function = node.args[0].node if isinstance(node.args[0], NameExpr) else node.args[0]
            if isinstance(function, (FuncDef, LambdaExpr)):
                yield node, function


def _is_custom(expr: Expression) -> bool:
    return isinstance(expr, RefExpr) and expr.fullname.endswith(".custom_gradient")


def _without_scope(function: _Function) -> str:
    from typegrad.differentiation.custom import NO_SCOPE  # for few programs

    is_single = len(function.arg_kinds) == 1 and function.arg_kinds[0].is_positional()
    name = "the lambda" if isinstance(function, LambdaExpr) else function.name
    return NO_SCOPE.format(name, function.arg_names[0]) if is_single else ""


def _without_gradient(function: _Function) -> str:
    from typegrad.differentiation.custom import NO_PAIR

    if isinstance(function, LambdaExpr):
        return ""
    proper = get_proper_type(function.type)
    returned = get_proper_type(proper.ret_type) if isinstance(proper, CallableType) else None
    if returned is None or isinstance(returned, AnyType):
        return ""
    items = list(map(get_proper_type, returned.items)) if isinstance(returned, TupleType) else []
    return "" if len(items) == 2 and _is_callable(items[1]) else NO_PAIR.format(function.name)


def _is_callable(type_: Type) -> bool:
    if isinstance(type_, (Instance, TupleType, NoneType)):
        return isinstance(type_, Instance) and type_.type.has_readable_member("__call__")
    return True


def _of_calls(
    checker: TypeChecker, expr: Expression, function: _Function, errors: list[ErrorInfo]
) -> Iterator[ErrorInfo]:
    """What mypy says of calls of a function that takes no scope."""
    names = {function.name} if isinstance(function, FuncDef) else set[str]()
    for node in nodes_of(checker.tree):
        if isinstance(node, AssignmentStmt) and node.rvalue is expr:
            names.update(each.name for each in node.lvalues if isinstance(each, NameExpr))
    called = (each.callee for each in nodes_of(checker.tree) if isinstance(each, CallExpr))
    lines = {each.line for each in called if isinstance(each, NameExpr) and each.name in names}
    return (each for each in errors if each.line in lines and _OF_CALL.match(each.message))
