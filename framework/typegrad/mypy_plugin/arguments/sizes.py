"""Sizes of operands: `x.shape[1]`, and names that are bound to them, also by `batch, time, _ = x.shape`.

A size is declared as all that it may be: an int, a name, arithmetic with names, or None.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, CastExpr, Expression, IndexExpr, MemberExpr, NameExpr, OpExpr, RefExpr, TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import LITERAL_TYPE_NAMES, Instance, Type, UnionType, get_proper_type

from typegrad.base.shape import Dim
from typegrad.base.size import Size, combined, names_of
from typegrad.graph.conversion import only_in_a_run
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.dims import is_variable
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.values.evaluation import known_value
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, only_value
from typegrad.mypy_plugin.values.static_values import SIZE_OPERATORS

__all__ = [
    "SHAPE_AS_SIZES",
    "SIZE",
    "UNKNOWN_SIZE",
    "is_arithmetic",
    "is_size",
    "is_unknown_size",
    "known_dims",
    "may_be_size",
    "refused_size",
    "size_of",
    "type_for_size",
]

SIZE: Final = "typegrad.base.size.Size"
SHAPE_AS_SIZES: Final = "a shape may be unknown before the run; write {}.as_ints() for known sizes"
UNKNOWN_SIZE: Final = (
    "a size may be unknown before the run; write x.shape[1:].as_ints() for sizes that are known, "
    "core.Shape.create(scope, x) for those in a run"
)


def may_be_size(expr: Expression) -> bool:
    """Whether an expression looks like `x.shape[0]` or `x.shape[0] or 1`, or is the name of such a size."""
    if isinstance(expr, OpExpr) and expr.op == "or":
        return may_be_size(expr.left)
    if isinstance(expr, NameExpr):
        return isinstance(expr.node, Var) and expr.node.type is not None and is_size(expr.node.type)
    return isinstance(expr, IndexExpr) and isinstance(expr.base, MemberExpr) and expr.base.name == "shape"


def is_size(type_: Type) -> bool:
    """Whether a type is the one of the items of a shape."""
    proper = get_proper_type(type_)
    items = [get_proper_type(item) for item in proper.items] if isinstance(proper, UnionType) else []
    return any(isinstance(item, Instance) and item.type.fullname == SIZE for item in items)


def refused_size(api: CheckerPluginInterface, expr: Expression) -> str:
    """What to say of a size in the place of an integer."""
    size = size_of(api, expr)
    is_named = isinstance(size, (str, Size)) and not any(map(is_variable, names_of(size)))
    return only_in_a_run(size) if is_named else UNKNOWN_SIZE


def is_arithmetic(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression computes a size that has no number before the run."""
    return isinstance(expr, OpExpr) and expr.op in SIZE_OPERATORS and isinstance(size_of(api, expr), (str, Size))


def type_for_size(item: Expression) -> str:
    """What an item of a shape is that only annotations take; "" for any other."""
    base = item.base if isinstance(item, IndexExpr) else None
    if isinstance(base, RefExpr) and base.fullname in LITERAL_TYPE_NAMES:
        return f"{base.fullname.rpartition('.')[2]}, which is for annotations; write the number alone"
    node = item.node if isinstance(item, RefExpr) else None
    if isinstance(node, TypeInfo) and node.is_newtype and not node.has_base("builtins.int"):
        return f"{node.name}; the name of a size is a NewType of int"
    return ""


def is_unknown_size(api: CheckerPluginInterface, expr: Expression, axis: int) -> bool:
    """Whether what makes x states a size in `x.shape` as None; of other operands, each call may have a number."""
    written = as_written(expr)
    made = only_value(api, written.expr) if isinstance(written, MemberExpr) else None
    shapes = [known_value(api, each) for each in made.args] if isinstance(made, CallExpr) else []
    return any(isinstance(each, tuple) and -len(each) <= axis < len(each) and each[axis] is None for each in shapes)


def known_dims(api: CheckerPluginInterface, expr: Expression) -> tuple[Dim, ...] | None:
    """The sizes of `x.shape`; None for any other expression and if the rank is not known."""
    written = as_written(expr)
    if not isinstance(written, MemberExpr) or written.name != "shape":
        return None
    operand = operand_of(expression_type(api, written.expr))
    return None if operand is None else operand.static.shape.dims


def size_of(api: CheckerPluginInterface, expr: Expression) -> Dim:
    """The size that `x.shape[1]` is, arithmetic with it, or a name that is bound to it alone, if it is known."""
    if isinstance(expr, CastExpr):  # by `refusals`
        return size_of(api, expr.expr)
    if isinstance(expr, OpExpr) and expr.op in SIZE_OPERATORS:
        sides = [_side(api, side) for side in (expr.left, expr.right)]
        return None if None in sides else combined(SIZE_OPERATORS[expr.op], sides)
    if isinstance(expr, NameExpr) and is_size(expression_type(api, expr)):
        bound = bound_to(api, expr)
        dims = None if bound is None or len(bound.path) != 1 else known_dims(api, bound.expr)
        if bound is not None and dims is not None:
            return _item(dims, bound.path[0])
        known = only_value(api, expr)
        return None if known is None or isinstance(known, NameExpr) else size_of(api, known)
    if not isinstance(expr, IndexExpr):
        return None
    dims, axis = known_dims(api, expr.base), known_value(api, expr.index)
    return None if dims is None or type(axis) is not int else _item(dims, axis)


def _item(dims: tuple[Dim, ...], axis: int) -> Dim:
    return dims[axis] if -len(dims) <= axis < len(dims) else None


def _side(api: CheckerPluginInterface, expr: Expression) -> Dim:
    number = known_value(api, expr)
    return number if type(number) is int else size_of(api, expr)
