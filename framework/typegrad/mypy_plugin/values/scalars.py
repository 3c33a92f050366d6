"""Whether values are numbers, also where mypy does not know: `1.0 / np.sqrt(8)` and `n**-0.5` are `Any` for it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from mypy.nodes import CallExpr, Expression, ListExpr, NameExpr, OpExpr, TupleExpr, UnaryExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, LiteralType, ProperType, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.operands import base_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["check_scalars", "is_fraction", "is_scalar"]

_NUMBERS: Final = ("builtins.int", "builtins.float", "builtins.complex", "numpy.number", "numpy.bool")
_ELEMENTS: Final = (
    "builtins.bytes", "builtins.complex", "builtins.float", "builtins.int", "builtins.str", "numpy.generic",
)  # fmt: skip
"""What the elements of an array may be."""
_UFUNCS: Final = "numpy._typing._ufunc."


def is_scalar(
    api: CheckerPluginInterface, expr: Expression | None, read: AbstractSet[Expression] = frozenset()
) -> bool:
    """Whether an expression is a number: it is of such a type, or is computed from numbers alone.

    A name that is read where it gets its only value has none; `read` has the values of the names that lead here.
    """
    if expr is None:
        return False
    type_ = get_proper_type(expression_type(api, expr))
    if not isinstance(type_, AnyType):
        return isinstance(type_, Instance) and any(type_.type.has_base(name) for name in _NUMBERS)
    if isinstance(expr, NameExpr):
        value = only_value(api, expr)
        return value is not None and value not in read and is_scalar(api, value, read | {value})
    if isinstance(expr, UnaryExpr):
        return is_scalar(api, expr.expr, read)
    if isinstance(expr, OpExpr):
        return is_scalar(api, expr.left, read) and is_scalar(api, expr.right, read)
    is_ufunc = isinstance(expr, CallExpr) and _is_ufunc(expression_type(api, expr.callee))
    return isinstance(expr, CallExpr) and is_ufunc and all(is_scalar(api, arg, read) for arg in expr.args)


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


def check_scalars(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> None:
    """Raise `NotStatic` unless the elements of a nested list are numbers or strings: a name in it could be an array."""
    if isinstance(expr, (TupleExpr, ListExpr)):
        for item in expr.items:
            check_scalars(api, item, expression_type(api, item))
        return
    proper = get_proper_type(type_)
    items = proper.items if isinstance(proper, TupleType) else [proper]
    for part in map(get_proper_type, items):
        if isinstance(part, TupleType):
            check_scalars(api, None, part)
        elif not isinstance(part, LiteralType) and not _is_element(part):
            raise NotStatic


def _is_element(type_: ProperType) -> bool:
    return isinstance(type_, Instance) and any(map(type_.type.has_base, _ELEMENTS))
