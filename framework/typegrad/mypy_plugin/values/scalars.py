"""Numbers whose type mypy does not know: `1.0 / np.sqrt(8)` and `n**-0.5` are `Any` for it."""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, Expression, NameExpr, OpExpr, UnaryExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.operands import base_of
from typegrad.mypy_plugin.values.evaluation import expression_type
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["is_fraction", "is_scalar"]

_NUMBERS: Final = ("builtins.int", "builtins.float", "builtins.complex", "numpy.number", "numpy.bool")
_UFUNCS: Final = "numpy._typing._ufunc."


def is_scalar(api: CheckerPluginInterface, expr: Expression | None) -> bool:
    """Whether an expression is a number: it is of such a type, or is computed from numbers alone."""
    if expr is None:
        return False
    type_ = get_proper_type(expression_type(api, expr))
    if not isinstance(type_, AnyType):
        return isinstance(type_, Instance) and any(type_.type.has_base(name) for name in _NUMBERS)
    if isinstance(expr, NameExpr):
        return is_scalar(api, only_value(api, expr))
    if isinstance(expr, UnaryExpr):
        return is_scalar(api, expr.expr)
    if isinstance(expr, OpExpr):
        return is_scalar(api, expr.left) and is_scalar(api, expr.right)
    is_ufunc = isinstance(expr, CallExpr) and _is_ufunc(expression_type(api, expr.callee))
    return isinstance(expr, CallExpr) and is_ufunc and all(is_scalar(api, arg) for arg in expr.args)


def is_fraction(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether a number is a float: a quotient, or what is computed from a float."""
    if isinstance(expr, OpExpr):
        return expr.op == "/" or is_fraction(api, expr.left) or is_fraction(api, expr.right)
    if isinstance(expr, UnaryExpr):
        return is_fraction(api, expr.expr)
    return base_of(expression_type(api, expr), "builtins.float") is not None


def _is_ufunc(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname.startswith(_UFUNCS)
