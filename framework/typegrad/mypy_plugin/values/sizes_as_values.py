"""Variables that were made of the numbers that were meant as their shape: `Variable.create(scope, (2, 1), dtype)`."""

from __future__ import annotations

from typing import Final

from attrs import frozen
from mypy.nodes import CallExpr, Context, Expression, ListExpr, MemberExpr, NameExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import TupleType, get_proper_type

from typegrad.base.shape import Shape
from typegrad.graph.variable import MADE_OF_SIZES
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import VARIABLE, base_of
from typegrad.mypy_plugin.values.arguments import Argument
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import MISSING

__all__ = ["Meant", "made_of_sizes", "meant_shape", "remember_sizes", "variable_in"]

_INT: Final = "builtins.int"
_LIST: Final = "builtins.list"
_READING: Final = "read"


@frozen
class Meant:
    """The shape that the initial value of a variable may be meant as."""

    shape: Shape
    text: str
    """The sizes as they are told, those that are not known by the names that the program has for them."""


_meant: Final = Memory[Context, Meant]()
"""By the calls that make the variables."""


def remember_sizes(api: CheckerPluginInterface, call: Context, value: Argument) -> None:
    """Note the shape that an initial value with an element type beside it may be meant as."""
    if not isinstance(get_proper_type(value.type), TupleType) and base_of(value.type, _LIST) is None:
        return
    made = only_value(api, value.expr)
    exprs = made.items if isinstance(made, (ListExpr, TupleExpr)) else []
    values = evaluate(api, value.expr, value.type)
    sizes = values if isinstance(values, tuple) and len(values) == len(exprs) else tuple(MISSING for _ in exprs)
    are_sizes = all(_may_be_size(api, *each) for each in zip(exprs, sizes, strict=True))
    if exprs and are_sizes:
        told = [_told(*each) for each in zip(exprs, sizes, strict=True)]
        shape = Shape(tuple(each if type(each) is int else None for each in sizes))
        _meant[call] = Meant(shape, f"({', '.join(told)}{',' * (len(told) == 1)})")


def _may_be_size(api: CheckerPluginInterface, expr: Expression, value: object) -> bool:
    if type(value) is int:
        return value >= 0
    base = base_of(expression_type(api, expr), _INT)
    return value is MISSING and base is not None


def _told(expr: Expression, value: object) -> str:
    """A size, or the name that the program has for it."""
    if type(value) is int:
        return str(value)
    if isinstance(expr, MemberExpr) and isinstance(expr.expr, NameExpr):
        return f"{expr.expr.name}.{expr.name}"
    return expr.name if isinstance(expr, NameExpr) else "..."


def meant_shape(api: CheckerPluginInterface, variable: Expression) -> Meant | None:
    """The shape that the initial value of a variable may be meant as."""
    made = only_value(api, variable)
    return None if made is None else _meant.get(made)


def variable_in(api: CheckerPluginInterface, expr: Expression) -> Expression:
    """The variable that `w.read(scope)` reads; any other expression itself."""
    callee = expr.callee if isinstance(expr, CallExpr) else None
    if not isinstance(callee, MemberExpr) or callee.name != _READING:
        return expr
    return expr if base_of(expression_type(api, callee.expr), VARIABLE) is None else callee.expr


def made_of_sizes(name: str, meant: Meant) -> str:
    """What to write instead of a variable that was made of the numbers of its shape."""
    return MADE_OF_SIZES.format(name, meant.text, meant.text)
