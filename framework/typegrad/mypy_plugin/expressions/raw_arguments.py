"""What mypy says of sizes, and of operations with several outputs, in the place of operands, in the words of the run.

Calls that fit no overload are told before mypy checks them. Of others, mypy lists the types that an operand may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, FunctionLike, Instance, get_proper_type

from typegrad.arguments.kinds import operand_hint
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.passed import is_display, is_text_or_number, item_types
from typegrad.mypy_plugin.arguments.sizes import is_size, refused_size
from typegrad.mypy_plugin.arguments.wrong_values import no_value
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import ARRAY, OP, are_operands, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.reports.spoilt_calls import errors_by_call
from typegrad.mypy_plugin.reports.wording import called, parameter_names
from typegrad.mypy_plugin.values.callees import Callee, callee_of
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["reword_arguments", "reword_generic"]

_REFUSED: Final = re.compile(
    r'(?:Argument \S+ to .+|List item \d+) has incompatible type ".+"; expected ".*\b(?:Operand\[|generic\[Any\])'
)
"""What mypy says of an argument, or of an item of one, where an operand or a value is taken."""
_GENERIC: Final = re.compile(r'Argument \S+ to ".+" .*has incompatible type ".+"; expected "Operand\[.*\bNever\b.*\]"$')
"""What mypy says of an argument of a generic function whose type variables it does not find in it."""
_OPERATIONS: Final = "typegrad.op."


def reword_arguments(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about arguments of operations that are no operands."""
    for call, about in _refused(api):
        callee = _callee(api, call)
        if callee is not None:
            _replace(api, [*_told(api, callee, call, about)])


def reword_generic(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about arguments of generic functions that are no operands, and what it says of results.

    Once it is known which arguments are in each other's place.
    """
    for call, about in _refused(api):
        told = [*_of_generic(api, call, about)] if _callee(api, call) is None else []
        _replace(api, told)
        lines = {error.line for error, _, _ in told}
        errors = errors_of(checker_of(api))
        drop(errors, [each for each in errors if each.code is codes.VAR_ANNOTATED and each.line in lines])


def _refused(api: CheckerPluginInterface) -> list[tuple[CallExpr, list[ErrorInfo]]]:
    """The calls with arguments that mypy refuses where an operand or a value is taken, each with what mypy says."""
    checker = checker_of(api)
    refused = [each for each in errors_of(checker) if _REFUSED.match(each.message)]
    return [*errors_by_call(checker, refused).items()]


def _replace(api: CheckerPluginInterface, told: Sequence[tuple[ErrorInfo, Expression, str]]) -> None:
    """Tell the first of some errors about arguments in other words, and none of the others."""
    drop(errors_of(checker_of(api)), [error for error, _, _ in told])
    for _, argument, text in told[:1]:
        report(api, CALL, text, argument)


def _told(
    api: CheckerPluginInterface, callee: Callee, call: CallExpr, errors: Iterable[ErrorInfo]
) -> Iterator[tuple[ErrorInfo, Expression, str]]:
    """The errors about arguments of a call that are no operands, each with the argument and the words of the run."""
    for name, argument in _arguments(callee, call):
        about = [each for each in errors if (each.line, each.column) == (argument.line, argument.column)]
        text = _refusal(api, argument) if about else ""
        if text:
            yield from ((each, argument, f"{callee.name}(): `{name}`{text}") for each in about)


def _of_generic(
    api: CheckerPluginInterface, call: CallExpr, errors: Iterable[ErrorInfo]
) -> Iterator[tuple[ErrorInfo, Expression, str]]:
    """The errors about arguments of a generic function of the program that are no operands, as of an operation."""
    callee = get_proper_type(expression_type(api, call.callee))
    method = callee.type.get("__call__") if isinstance(callee, Instance) else None
    function = callee if method is None else get_proper_type(method.type)
    if not isinstance(function, CallableType):
        return
    places = {(each.line, each.column): each for each in errors if _GENERIC.match(each.message)}
    names = parameter_names(function)[0 if method is None else 1 :]
    for position, (expr, written) in enumerate(zip(call.args, call.arg_names, strict=True)):
        error = places.get((expr.line, expr.column))
        name = f"`{written}`" if written else names[position] if position < len(names) else ""
        what = _no_operand(api, expr) if error is not None and name else ""
        if error is not None and what:
            definition = function.definition
            owner = called(definition.fullname) if definition is not None else function.name
            yield error, expr, f"{owner}(): {name} must be an operand, not {what}"


def _no_operand(api: CheckerPluginInterface, expr: Expression) -> str:
    """What an expression is that is no operand, and what to write; "" if that is not known."""
    type_ = get_proper_type(expression_type(api, expr))
    if is_text_or_number(type_) or base_of(type_, ARRAY) is not None:
        return "a value; core.Constant.create(scope, ...) makes one"
    items = item_types(type_)
    is_list = bool(items) and all(map(are_operands, items))
    several = f"a list of operands; {operand_hint(is_several=True)}" if is_list else ""
    return no_value("", type_, expr, is_refused=True) or several


def _callee(api: CheckerPluginInterface, call: CallExpr) -> Callee | None:
    """What a call calls, if it makes an operation."""
    function = get_proper_type(expression_type(api, call.callee))
    definition = function.items[0].definition if isinstance(function, FunctionLike) else None
    fullname = "" if definition is None else definition.fullname
    return callee_of(api, fullname) if fullname.startswith(_OPERATIONS) else None


def _arguments(callee: Callee, call: CallExpr) -> Iterator[tuple[str, Expression]]:
    """The arguments of a call, and their items, each with the name of its parameter."""
    for position, (expr, written) in enumerate(zip(call.args, call.arg_names, strict=True)):
        names = callee.by_position[position:]
        name = written or (names[0] if names else callee.rest)
        yield name, expr
        yield from ((f"{name}[{index}]", item) for index, item in enumerate(expr.items if is_display(expr) else ()))


def _refusal(api: CheckerPluginInterface, expr: Expression) -> str:
    """What is said of an argument that is no operand, behind its name; "" for any other."""
    type_ = expression_type(api, expr)
    if is_size(type_):
        return f": {refused_size(api, expr)}"
    operation = definition_of(api, type_) if base_of(type_, OP) is not None else None
    if operation is None:
        what = no_value("", type_, expr, is_refused=True)
        return what and f" must be an operand or a value, not {what}"
    return f" must be an operand or a value, not {operation.op.class_name}; {named_outputs(operation.op)}"
