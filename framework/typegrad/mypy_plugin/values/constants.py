"""Operands with a static value: constants, shapes of known sizes, and what is computed from them."""

from __future__ import annotations

from typing import Any, Final

from mypy.nodes import CallExpr, Context, Expression, ListExpr, MemberExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import MISSING

__all__ = ["remember", "value_of", "with_operands"]

_values: Final = Memory[Context, Any]()


def remember(made: Context, value: Any) -> None:
    """Store the value of the operation that an expression creates; None if it is not known."""
    if value is None:
        _values.pop(made, None)
    else:
        _values[made] = value


def value_of(api: CheckerPluginInterface, expr: Expression | None) -> Any:
    """The value of an operand, from the call that creates it, also through a variable that is assigned once."""
    expr = only_value(api, expr)
    if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name == "as_output":
        return value_of(api, expr.callee.expr)
    return None if expr is None else _values.get(expr)


def with_operands(api: CheckerPluginInterface, expr: Expression | None, value: Any) -> Any:
    """`value`, the integers in a list, with the values of the operands among them, such as sizes with a name."""
    display = only_value(api, expr)
    if not isinstance(display, (ListExpr, TupleExpr)) or not isinstance(value, tuple):
        return value
    if len(display.items) != len(value) or any(isinstance(item, StarExpr) for item in display.items):
        return value
    return tuple(_of_item(api, item, known) for item, known in zip(display.items, value, strict=True))


def _of_item(api: CheckerPluginInterface, item: Expression, known: Any) -> Any:
    if known is not MISSING:
        return with_operands(api, item, known)
    own = value_of(api, item)
    return MISSING if own is None else own
