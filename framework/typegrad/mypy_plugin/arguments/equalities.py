"""`x == y` of operands, a bool that says whether they are the same, in the place of one that compares their values."""

from __future__ import annotations

from typing import Final, TypeGuard

from mypy.nodes import ComparisonExpr, Expression, OpExpr
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.arguments.passed import NUMBERS, type_of_argument
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, are_operands, base_of
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["is_equality", "never_equal", "told_equality", "told_truth_of_equality"]

_SAME: Final = "{} of operands is a bool, whether they are the same operand; {} compares their values"
_NEVER: Final = (
    "{} of an operand and a value is always {}, as it asks whether they are the same object; {} compares values"
)
_OPERATIONS: Final = {"==": "math.Equal.create(scope, x, y)", "!=": "math.NotEqual.create(scope, x, y)"}
_VALUES: Final = (ARRAY, *NUMBERS, "builtins.list", "builtins.str")


def is_equality(expr: Expression) -> TypeGuard[ComparisonExpr]:
    """Whether an expression is a comparison by `==` or `!=`."""
    return isinstance(expr, ComparisonExpr) and expr.operators in (["=="], ["!="])


def told_equality(api: CheckerPluginInterface, expr: Expression) -> str:
    """The error message for a comparison of operands by `==`, or for several with `&`; "" for anything else.

    The comparison may have a name.
    """
    expr = only_value(api, expr) or expr
    if isinstance(expr, OpExpr) and expr.op in ("&", "|"):
        return told_equality(api, expr.left) or told_equality(api, expr.right)
    if not is_equality(expr) or not any(base_of(type_of_argument(api, each), OPERAND) for each in expr.operands):
        return ""
    return _SAME.format(expr.operators[0], _OPERATIONS[expr.operators[0]])


def told_truth_of_equality(api: CheckerPluginInterface, expr: Expression) -> str:
    """The error message for the condition `x == 0.0`, which no operand meets; "" for anything else."""
    if not is_equality(expr):
        return ""
    left, right = (type_of_argument(api, each) for each in expr.operands)
    for operand, value in ((left, right), (right, left)):
        if are_operands(operand) and any(base_of(value, each) for each in _VALUES):
            return never_equal(expr)
    return ""


def never_equal(expr: ComparisonExpr) -> str:
    """The error message for a comparison by `==` that no operand meets."""
    operator = expr.operators[0]
    return _NEVER.format(operator, operator == "!=", _OPERATIONS[operator])
