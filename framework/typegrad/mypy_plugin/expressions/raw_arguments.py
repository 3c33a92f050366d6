"""What mypy says of sizes, and of operations with several outputs, in the place of operands, in the words of the run.

Calls that fit no overload are told before mypy checks them. Of others, mypy lists the types that an operand may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import FunctionLike, get_proper_type

from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.passed import is_display
from typegrad.mypy_plugin.arguments.sizes import is_size, refused_size
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import OP, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.reports.spoilt_calls import errors_by_call
from typegrad.mypy_plugin.values.callees import Callee, callee_of
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["reword_arguments"]

_REFUSED: Final = re.compile(
    r'(?:Argument \S+ to .+|List item \d+) has incompatible type ".+"; expected ".*\b(?:Operand\[|generic\[Any\])'
)
"""What mypy says of an argument, or of an item of one, where an operand or a value is taken."""
_OPERATIONS: Final = "typegrad.op."


def reword_arguments(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about arguments of operations that are no operands."""
    checker = checker_of(api)
    errors = errors_of(checker)
    refused = [each for each in errors if _REFUSED.match(each.message)]
    for call, about in errors_by_call(checker, refused).items():
        callee = _callee(api, call)
        told = [] if callee is None else [*_told(api, callee, call, about)]
        drop(errors, [error for error, _, _ in told])
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
        return ""
    return f" must be an operand or a value, not {operation.op.class_name}; {named_outputs(operation.op)}"
