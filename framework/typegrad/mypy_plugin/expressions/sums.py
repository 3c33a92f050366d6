"""Sums that start at a number: `total = 0.0`, then `total += value` for an operand, or for what `session.run` gives.

An operand makes the total one. What several fetches give, mypy alone takes for `Any`, and the total stays a float. The
plugin knows an array, which is no float for NumPy's types, though the sum of one without dimensions is a number.
"""

from __future__ import annotations

from typing import TypeAlias, TypeGuard

from mypy.nodes import AssignmentStmt, MemberExpr, NameExpr, OperatorAssignmentStmt, OpExpr, Statement
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance

from typegrad.mypy_plugin.arrays.conversion import is_number
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of
from typegrad.mypy_plugin.expressions.refusals import type_of

__all__ = ["Sum", "adds_operand", "is_sum", "settle_sum", "target_of"]

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


def target_of(statement: Sum) -> MemberExpr | NameExpr:
    """The name or the attribute."""
    target = statement.lvalue if isinstance(statement, OperatorAssignmentStmt) else statement.lvalues[0]
    assert isinstance(target, (MemberExpr, NameExpr))
    return target


def adds_operand(api: CheckerPluginInterface, statement: Sum) -> bool:
    """Whether an operand is added."""
    return base_of(type_of(api, statement.rvalue), OPERAND) is not None


def settle_sum(api: CheckerPluginInterface, statement: Sum) -> None:
    """Put a cast to `Any` around an array that comes to a number, unless it is known to have dimensions."""
    if not is_number(type_of(api, target_of(statement))):
        return
    made = type_of(api, statement.rvalue)
    if isinstance(made, Instance) and made.type.fullname == ARRAY and not shape_of(made.args[0]).shape.rank:
        statement.rvalue = cast_to(statement.rvalue)
