"""What mypy says of sizes, and of operations with several outputs, in the place of operands, in the words of the run.

Calls that fit no overload are told before mypy checks them. Of others, mypy lists the types that an operand may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Expression, MemberExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, FunctionLike, Instance, TupleType, get_proper_type

from typegrad.arguments.instead import of_tuple
from typegrad.arguments.kinds import operand_hint
from typegrad.graph.input_order import swap
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.passed import is_display, is_text_or_number, item_types
from typegrad.mypy_plugin.arguments.sizes import is_size, refused_size
from typegrad.mypy_plugin.arguments.wrong_arguments import refused_argument
from typegrad.mypy_plugin.arguments.wrong_calls import called_of
from typegrad.mypy_plugin.arguments.wrong_values import no_value
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import ARRAY, OP, are_operands, base_of, in_tuple
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.mistakes.spoilt_calls import errors_by_call
from typegrad.mypy_plugin.reports.wording import called, parameter_names
from typegrad.mypy_plugin.values.callees import Callee, callee_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["reword_arguments", "reword_generic"]

_REFUSED: Final = re.compile(
    r'(?:Argument \S+ to .+|List item \d+) has incompatible type ".+"; expected ".*\b(?:Operand\[|generic\[Any\])'
)
"""What mypy says of an argument, or of an item of one, where an operand or a value is taken."""
_GENERIC: Final = re.compile(r'Argument \S+ to ".+" .*has incompatible type ".+"; expected "Operand\[.*\bNever\b.*\]"$')
"""What mypy says of an argument of a generic function whose type variables it does not find in it."""
_ARGUMENT: Final = re.compile(
    r"(?:Argument \S+ to .+|List item \d+|Generator|List comprehension) has incompatible (?:item )?type "
)
"""What mypy says of any argument."""
_OPERATIONS: Final = "typegrad.op."
_WORDS: Final = ("an integer", "a list of integers")
"""What one integer is called, and several."""


def reword_arguments(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about arguments of operations that are no operands, and of typegrad's other functions."""
    for call, about in _refused(api):
        callee = _callee(api, call, _OPERATIONS)
        if callee is not None:
            _replace(api, [*_told(api, callee, call, about)])
    checker = checker_of(api)
    refused = [each for each in errors_of(checker) if _ARGUMENT.match(each.message)]
    for call, about in errors_by_call(checker, refused).items():
        with suppress(NotStatic):
            callee = _callee(api, call, OWN)
            if callee is not None:
                _replace(api, [*_of_own(api, callee, call, about)])


def reword_generic(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about arguments of generic functions that are no operands, and what it says of results.

    Once it is known which arguments are in each other's place.
    """
    for call, about in _refused(api):
        told = [*_of_generic(api, call, about)] if _callee(api, call, _OPERATIONS) is None else []
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
        text = f" `{name}`{text}" if text else _exchanged(api, callee, call, argument) if about else ""
        if text:
            yield from ((each, argument, f"{callee.name}():{text}") for each in about)


def _exchanged(api: CheckerPluginInterface, callee: Callee, call: CallExpr, wrong: Expression) -> str:
    """What is said of integers in the place of one, and of one that is in their place; "" for other arguments."""
    if not _are_integers(api, wrong):
        return ""
    passed = {name: expr for name, expr in _arguments(callee, call) if expr in call.args}
    name = next(name for name, expr in passed.items() if expr is wrong)
    types = {each: expression_type(api, expr) for each, expr in passed.items()}
    if callee.takes(name, types[name]):
        return ""
    for other, type_ in types.items():
        is_one = base_of(type_, "builtins.int") is not None
        if is_one and callee.takes(other, types[name]) and callee.takes(name, type_):
            pair = [each for each in passed if each in (name, other)]
            return f" {swap((pair[0], pair[1]), lambda each: f'`{each}` is {_WORDS[each == name]}')}"
    return f" `{name}` must be an integer, not {_WORDS[True]}"


def _are_integers(api: CheckerPluginInterface, expr: Expression) -> bool:
    items = item_types(get_proper_type(expression_type(api, expr)))
    return bool(items) and all(base_of(each, "builtins.int") is not None for each in items)


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
    count = in_tuple(type_)
    if count > 1:
        return f"a tuple of operands; {of_tuple(count)}"
    items = item_types(type_)
    is_list = bool(items) and all(map(are_operands, items))
    count = len(items) if isinstance(type_, TupleType) else 2
    several = f"a list of operands; {operand_hint(count)}" if is_list else ""
    return no_value("", type_, expr, is_refused=True) or several


def _of_own(
    api: CheckerPluginInterface, callee: Callee, call: CallExpr, errors: Iterable[ErrorInfo]
) -> Iterator[tuple[ErrorInfo, Expression, str]]:
    """The errors about arguments of a function of typegrad, each with the argument and the words of the run."""
    owner = get_proper_type(expression_type(api, call.callee.expr)) if isinstance(call.callee, MemberExpr) else None
    is_class = callee.name.endswith(".__init__")
    name = callee.names[0] if is_class else called_of(callee, owner)
    for argument in call.args:
        about = [each for each in errors if _is_in(each, argument)]
        text = refused_argument(api, callee, name, call, argument) if about else ""
        if text:
            yield from ((each, argument, text) for each in about)


def _is_in(error: ErrorInfo, expr: Expression) -> bool:
    end = expr.end_line or expr.line, expr.end_column or expr.column
    return (expr.line, expr.column) <= (error.line, error.column) <= end


def _callee(api: CheckerPluginInterface, call: CallExpr, module: str) -> Callee | None:
    """What a call calls, if it is of a package of typegrad."""
    function = get_proper_type(expression_type(api, call.callee))
    definition = function.items[0].definition if isinstance(function, FunctionLike) else None
    fullname = "" if definition is None else definition.fullname
    return callee_of(api, fullname) if fullname.startswith(module) else None


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
