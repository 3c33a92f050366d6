"""Casts in the tree of a program. The plugin puts one around an expression for which mypy infers an unusable type.

A cast that the program writes is a call in the tree, so every `CastExpr` in the place of an expression is the plugin's.
"""

from __future__ import annotations

from mypy.nodes import CastExpr, Expression
from mypy.types import AnyType, Type, TypeOfAny

__all__ = ["as_written", "cast_to"]


def cast_to(expr: Expression, type_: Type | None = None) -> CastExpr:
    """An expression as one of another type, `Any` by default."""
    cast_expr = CastExpr(expr, AnyType(TypeOfAny.special_form) if type_ is None else type_)
    cast_expr.set_line(expr)
    return cast_expr


def as_written(expr: Expression) -> Expression:
    """The expression in the program."""
    return expr.expr if isinstance(expr, CastExpr) else expr
