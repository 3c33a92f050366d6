"""Calls that drop dimensions, of operations and of functions, and the options that keep these."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, Node, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.base.shape import KEEPING
from typegrad.graph.dropped import by_function
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.values.callees import callee_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, only_value
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["dropped_by", "with_option"]

_KEEPING: Final = ("keep_dims", "keepdims")
"""The options of operations, and of functions, that keep the dimensions of a reduction."""


def dropped_by(api: CheckerPluginInterface, node: Node | None) -> tuple[str, str] | None:
    """The operation or function of a call that drops dimensions, and the option that keeps them; None for others."""
    callee = node.callee if isinstance(node, CallExpr) else None
    if not isinstance(node, CallExpr) or not isinstance(callee, (MemberExpr, NameExpr)):
        return None
    owner = callee.expr if isinstance(callee, MemberExpr) else None
    class_ = owner.node if isinstance(owner, RefExpr) and isinstance(owner.node, TypeInfo) else None
    fullname = callee.fullname if class_ is None else f"{class_.fullname}.{callee.name}"
    if owner is not None and not fullname:  # of the facade
        type_ = get_proper_type(expression_type(api, owner))
        fullname = f"{type_.type.fullname}.{callee.name}" if isinstance(type_, Instance) else ""
    if not fullname.startswith(OWN) or _is_scalar(expression_type(api, node)):
        return None
    with suppress(NotStatic):
        takes = callee_of(api, fullname).by_name
        option = next((each for each in _KEEPING if each in takes), None)
        name = callee.name if class_ is None else class_.name
        return None if option is None or option in node.arg_names else (name, option)
    return None


def with_option(api: CheckerPluginInterface, text: str, operands: Iterable[Expression]) -> str:
    """The error message that tells the option of a function, if it tells that of operations and a function is meant."""
    if KEEPING not in text:
        return text
    found = {dropped_by(api, _made(api, each)) for each in operands}
    of_functions = [each for each in found if each is not None and each[1] != _KEEPING[0]]
    return by_function(text, *of_functions[0]) if len(of_functions) == 1 else text


def _made(api: CheckerPluginInterface, expr: Expression) -> Expression | None:
    """What makes an operand, also as one of several results: `mean, variance = moments(...)`, `moments(...)[0]`."""
    bound = bound_to(api, expr) if isinstance(expr, NameExpr) else None
    made = bound.expr if bound is not None else only_value(api, expr)
    return only_value(api, made.base) if isinstance(made, IndexExpr) else made


def _is_scalar(result: Type) -> bool:
    """Whether an operand, or the first of several, has no dimensions, as of a reduction over all of them."""
    proper = get_proper_type(result)
    operand = base_of(proper.items[0] if isinstance(proper, TupleType) and proper.items else proper, OPERAND)
    shape = None if operand is None else get_proper_type(operand.args[1])
    return operand is None or (isinstance(shape, TupleType) and not shape.items)
