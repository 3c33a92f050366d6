"""Sizes of operands in programs: `x.shape[1]`, `batch, time, _ = x.shape`, and arithmetic with them.

To mypy alone a size is an int that may be anything else. Here it is all that it may be: an int, a name, arithmetic with
names, or None. Where the shape is known, so is the size: an int is one, and the others have the operators of `Size`.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import AssignmentStmt, CastExpr, Expression, IndexExpr, MemberExpr, NameExpr, OpExpr
from mypy.plugin import AttributeContext, CheckerPluginInterface, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from typegrad.mypy_plugin.arguments.sizes import is_unknown_size, known_dims, size_of
from typegrad.mypy_plugin.base.casts import as_written, cast_to
from typegrad.mypy_plugin.base.classes import SHAPE_CLASS
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.types.symbols import class_info
from typegrad.mypy_plugin.values.evaluation import known_value
from typegrad.mypy_plugin.values.following import bound_to
from typegrad.mypy_plugin.values.static_values import SIZE_OPERATORS

__all__ = ["RANK", "SHAPE_ITEM", "is_symbolic", "rank_hook", "settle_sizes", "size_hook"]

RANK: Final = f"{SHAPE_CLASS}.rank"
SHAPE_ITEM: Final = f"{SHAPE_CLASS}.__getitem__"


def size_hook(ctx: MethodContext) -> Type:
    """The type of `x.shape[1]`: int, if it is known to be one. With its value, mypy would refuse to compare it."""
    expr = ctx.context
    if not isinstance(expr, IndexExpr) or not isinstance(get_proper_type(ctx.default_return_type), UnionType):
        return ctx.default_return_type  # of a slice, a shape
    size, axis = size_of(ctx.api, expr), known_value(ctx.api, expr.index)
    if isinstance(size, int):
        return ctx.api.named_generic_type("builtins.int", [])
    is_open = size is None and not (type(axis) is int and is_unknown_size(ctx.api, expr.base, axis))
    return ctx.default_return_type if is_open else _type_of_size(ctx.api)


def rank_hook(ctx: AttributeContext) -> Type:
    """The type of `x.shape.rank`: int, if the rank is known."""
    whole = ctx.context.expr if isinstance(ctx.context, MemberExpr) else None
    is_known = whole is not None and known_dims(ctx.api, whole) is not None
    return ctx.api.named_generic_type("builtins.int", []) if is_known else ctx.default_attr_type


def settle_sizes(api: CheckerPluginInterface, statement: AssignmentStmt) -> bool:
    """Have mypy take the sizes that are known to be ints for ints, in `batch, time, _ = x.shape`.

    A name that is bound again may hold another size then. What is known may change where a body is checked once more,
    for the arguments of a call.
    """
    written = as_written(statement.rvalue)
    if not isinstance(written, MemberExpr) or written.name != "shape":
        return False
    dims = known_dims(api, written)
    if dims is None and written is statement.rvalue:
        return False
    statement.rvalue = written
    targets = statement.lvalues[0]
    if dims is not None and len(statement.lvalues) == 1 and is_plain(targets) and len(targets.items) == len(dims):
        items = [_item_type(api, written, axis, target) for axis, target in enumerate(targets.items)]
        fallback = api.named_generic_type("builtins.tuple", [_type_of_size(api)])
        statement.rvalue = cast_to(written, TupleType(items, fallback))
    return True


def _item_type(api: CheckerPluginInterface, shape: MemberExpr, axis: int, target: Expression) -> Type:
    """The type of a name that a size of `x.shape` is bound to."""
    dims = known_dims(api, shape)
    size = None if dims is None else dims[axis]
    integer = api.named_generic_type("builtins.int", [])
    if isinstance(size, int) and _is_bound_once(api, target):
        return integer
    if size is None and not is_unknown_size(api, shape, axis):
        return UnionType([integer, AnyType(TypeOfAny.special_form)])
    return _type_of_size(api)


def _is_bound_once(api: CheckerPluginInterface, target: Expression) -> bool:
    return isinstance(target, NameExpr) and bound_to(api, target) is not None


def _type_of_size(api: CheckerPluginInterface) -> Type:
    """What the dimensions of a shape are declared as."""
    dims = get_proper_type(class_info(api, SHAPE_CLASS).names["dims"].type)
    assert isinstance(dims, UnionType)
    return next(each.args[0] for each in map(get_proper_type, dims.items) if isinstance(each, Instance))


def is_symbolic(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a size that is known by its names: `x.shape[0] + 1` is `Batch + 1`."""
    if isinstance(expr, CastExpr):  # by `refusals`
        return is_symbolic(api, expr.expr)
    if isinstance(expr, OpExpr) and expr.op in SIZE_OPERATORS:
        sides = expr.left, expr.right
        return any(is_symbolic(api, each) for each in sides) and all(_is_size(api, each) for each in sides)
    size = size_of(api, expr)
    return size is not None and not isinstance(size, int)


def _is_size(api: CheckerPluginInterface, expr: Expression) -> bool:
    return is_symbolic(api, expr) or isinstance(known_value(api, expr), int)
