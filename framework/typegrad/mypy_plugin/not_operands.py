"""Expressions that are certainly not operands, by their syntax and the types of their names.

mypy has not checked these expressions yet, and NumPy's overloads make it slow to ask for their types twice.
"""

from __future__ import annotations

from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import (
    BytesExpr,
    CallExpr,
    ComparisonExpr,
    ComplexExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StrExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, get_proper_type

__all__ = ["is_no_operand"]

_NUMBERS: Final = (IntExpr, FloatExpr, ComplexExpr, StrExpr, BytesExpr)
_PLAIN: Final = frozenset(f"builtins.{name}" for name in ("bool", "complex", "float", "int", "str"))
"""Python's classes whose items, attributes and methods have to do with no operand."""
_NUMPY: Final = "numpy."
_FUNCTIONS: Final = ("numpy.", "math.")
"""The modules whose functions return no operand."""


def is_no_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a number or an array, or is computed from such alone."""
    if isinstance(expr, NameExpr):
        return isinstance(expr.node, Var) and _is_plain(api, expr, expr.node)
    if isinstance(expr, MemberExpr):
        return expr.fullname.startswith(_FUNCTIONS) or (not expr.fullname and is_no_operand(api, expr.expr))
    if isinstance(expr, CallExpr):
        callee = expr.callee
        return is_no_operand(api, callee) or (isinstance(callee, RefExpr) and callee.fullname in _PLAIN)
    if isinstance(expr, IndexExpr):
        return is_no_operand(api, expr.base)
    if isinstance(expr, UnaryExpr):
        return is_no_operand(api, expr.expr)
    if isinstance(expr, OpExpr):
        return is_no_operand(api, expr.left) and is_no_operand(api, expr.right)
    if isinstance(expr, ComparisonExpr):
        return all(is_no_operand(api, operand) for operand in expr.operands)
    return isinstance(expr, _NUMBERS)


def _is_plain(api: CheckerPluginInterface, name: NameExpr, variable: Var) -> bool:
    type_ = get_proper_type(cast("TypeChecker", api).binder.get(name) or variable.type)
    if not isinstance(type_, Instance):
        return False
    return type_.type.fullname in _PLAIN or type_.type.fullname.startswith(_NUMPY)
