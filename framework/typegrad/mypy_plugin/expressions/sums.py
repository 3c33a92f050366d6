"""Sums of the results of runs: `total = 0.0`, then `total += value` for what `session.run` gives.

mypy alone takes what several fetches give for `Any`, and `total` stays a float. The plugin knows an array, which is no
float for NumPy's types, though its sum with one is a number of NumPy for an array without dimensions.
"""

from __future__ import annotations

from typing import TypeAlias, TypeGuard

from mypy.nodes import AssignmentStmt, CastExpr, MemberExpr, NameExpr, OperatorAssignmentStmt, OpExpr, Statement
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, TypeOfAny

from typegrad.mypy_plugin.arrays.conversion import is_number
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.expressions.refusals import type_of
from typegrad.mypy_plugin.types.array_types import ARRAY

__all__ = ["Sum", "is_sum", "settle_sum"]

Sum: TypeAlias = AssignmentStmt | OperatorAssignmentStmt
"""A statement that adds to a name or an attribute, or computes something else from it."""


def is_sum(statement: Statement) -> TypeGuard[Sum]:
    """Whether a statement is `total += value` or `total = total + value`."""
    if isinstance(statement, OperatorAssignmentStmt):
        return isinstance(statement.lvalue, (MemberExpr, NameExpr))
    if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) != 1:
        return False
    target, value = statement.lvalues[0], statement.rvalue
    if not isinstance(target, NameExpr) or not isinstance(value, OpExpr):
        return False
    return any(isinstance(side, NameExpr) and side.node is target.node for side in (value.left, value.right))


def settle_sum(api: CheckerPluginInterface, statement: Sum) -> None:
    """Put a cast to `Any` around an array that comes to a number, unless it is known to have dimensions."""
    target = statement.lvalue if isinstance(statement, OperatorAssignmentStmt) else statement.lvalues[0]
    if not is_number(type_of(api, target)):
        return
    made = type_of(api, statement.rvalue)
    if isinstance(made, Instance) and made.type.fullname == ARRAY and not shape_of(made.args[0]).shape.rank:
        cast_expr = CastExpr(statement.rvalue, AnyType(TypeOfAny.special_form))
        cast_expr.set_line(statement.rvalue)
        statement.rvalue = cast_expr
