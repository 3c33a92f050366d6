"""What mypy's errors end with where a number of rows is passed for a named size: `64 is not Batch`.

The name is one size of its own, so a function that declares it takes no other; often it is meant to take any.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, FuncDef
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, get_proper_type

from typegrad.base.shape import Dim
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Name, is_variable, shape_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.exchanged import signature_of
from typegrad.mypy_plugin.reports.wording import called
from typegrad.mypy_plugin.rewording.added_sizes import shapes_in

__all__ = ["explain_named_sizes"]

_REMEDY: Final = "declare int, or a type variable, if {} is for any size"


def explain_named_sizes(api: CheckerPluginInterface) -> None:
    """Say once for each function that a number is not the named size that it declares, and what to declare."""
    checker = checker_of(api)
    errors = errors_of(checker)
    pairs = {id(each): pair for each in errors if each.code is codes.ARG_TYPE and (pair := _pair(each)) is not None}
    if not pairs:
        return
    calls = {(each.line, each.column): call for call in _calls(checker) for each in call.args}
    told = set[object]()
    for error in [each for each in errors if id(each) in pairs]:
        function = _function(checker, calls.get((error.line, error.column)))
        mistake = function, pairs[id(error)]
        given, name = pairs[id(error)]
        if function is None or name not in _names(function):
            continue
        if mistake in told:
            drop(errors, [error])
        elif _REMEDY.partition("{")[0] not in error.message:
            shown = "an unknown size" if given is None else given
            remedy = _REMEDY.format(called(function.fullname.removesuffix(".__init__")))
            error.message += f"; {shown} is not {name}, which is one size: {remedy}"
        told.add(mistake)


def _calls(checker: TypeChecker) -> Iterator[CallExpr]:
    return (each for each in nodes_of(checker.tree) if isinstance(each, CallExpr))


def _pair(error: ErrorInfo) -> tuple[Dim, str] | None:
    """A number, or None if it is not known, and the name in whose place it is, if nothing else is wrong."""
    given, expected = shapes_in(error.message)
    if given is None or expected is None or given.rank != expected.rank:
        return None
    wrong = {pair for pair in zip(given.known(), expected.known(), strict=True) if pair[0] != pair[1]}
    dim, name = wrong.pop() if len(wrong) == 1 else (None, None)
    return (dim, name) if isinstance(name, str) and (dim is None or isinstance(dim, int)) else None


def _function(checker: TypeChecker, call: CallExpr | None) -> FuncDef | None:
    """The function of the program that is called; None if it is not known."""
    signature = None if call is None else signature_of(checker, call.callee)
    definition = signature.definition if isinstance(signature, CallableType) else None
    return definition if isinstance(definition, FuncDef) else None


def _names(function: FuncDef) -> Iterator[str]:
    """The named sizes in the shapes that the parameters of a function declare."""
    type_ = get_proper_type(function.type)
    for each in type_.arg_types if isinstance(type_, CallableType) else ():
        operand = base_of(each, OPERAND)
        dims = () if operand is None else shape_of(operand.args[1]).shape.dims
        yield from (str(dim) for dim in dims or () if isinstance(dim, Name) and not is_variable(dim))
