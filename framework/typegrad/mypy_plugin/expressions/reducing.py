"""`reduce`, `accumulate` and `sum` of operands: mypy takes the result for the operation that made the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from mypy.expandtype import expand_type
from mypy.nodes import Context, Expression, TempNode
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext
from mypy.subtypes import is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import shape_type
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.types.array_types import type_of_dtype
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.types.widening import holds_operands, joined, widened
from typegrad.mypy_plugin.values.evaluation import length_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["REDUCING", "SUM", "reduce_signature", "sum_hook", "total_of"]

REDUCING: Final = {"functools.reduce": (0, 1), "itertools.accumulate": (1, 0)}
"""Where these functions take the function that they call, and the items."""
SUM: Final = "builtins.sum"


def reduce_signature(ctx: FunctionSigContext, places: tuple[int, int]) -> CallableType:
    """The signature for operands of one element type: of one shape if the function keeps it, else of any."""
    signature, checker = ctx.default_signature, checker_of(ctx.api)
    if len(ctx.args) < 2 or not ctx.args[0] or not ctx.args[1]:
        return signature
    of_function, of_items = places
    function_type = get_proper_type(signature.arg_types[of_function])
    if not isinstance(function_type, CallableType):
        return signature
    (called, *_), (items, *_) = ctx.args[of_function], ctx.args[of_items]
    with checker.msg.filter_errors():
        item = _item(ctx.api, items, expression_type(ctx.api, items))
        initial = [expression_type(ctx.api, expr) for exprs in ctx.args[2:] for expr in exprs]
    if item is None:
        return signature
    common, start = joined(ctx.api, [item, *initial]), joined(ctx.api, initial) if initial else None
    for state, each in ((common, common), (start, item)):
        for known in () if state is None or not holds_operands(state) else (state, widened(state)):
            made = _with_types(signature, function_type.ret_type, known, item if each is item else known)
            expected = made.arg_types[of_function]
            with checker.msg.filter_errors() as errors:
                function = checker.expr_checker.accept(called, type_context=expected)
            if not errors.has_new_errors() and is_subtype(function, expected):
                return made
    return signature


def _with_types(signature: CallableType, result: Type, state: Type, item: Type) -> CallableType:
    """The signature for results of the type `state`, and for items of the type `item` if it tells them apart."""
    result = get_proper_type(result)
    known: dict[TypeVarId, Type] = {
        variable.id: state if isinstance(result, TypeVarType) and variable.id == result.id else item
        for variable in signature.variables
    }
    types = [expand_type(each, known) for each in signature.arg_types]
    return signature.copy_modified(arg_types=types, ret_type=expand_type(signature.ret_type, known), variables=[])


def sum_hook(ctx: FunctionContext) -> Type:
    """The sum of operands: what adding one to the other makes. Without a `start`, it is 0 if there may be none."""
    rows = _sum_of_rows(ctx)
    if rows is not None:
        return rows
    if _is_number_of_arrays(ctx):
        return AnyType(TypeOfAny.special_form)
    if not holds_operands(ctx.default_return_type) or not ctx.args[0]:
        return ctx.default_return_type
    start = ctx.arg_types[1] if len(ctx.arg_types) > 1 else []
    items, is_whole = _items(ctx.api, ctx.args[0][0], ctx.arg_types[0][0])
    operands = [*start, *items]
    if any(base_of(each, OPERAND) is None for each in operands):
        return ctx.default_return_type
    total = total_of(ctx.api, operands, ctx.context)
    if not start:  # 0 is added to the first item, whatever makes that
        total = base_of(total, OPERAND) or total
    elif not is_whole:  # of none of the items, of one, of more
        total = joined(ctx.api, [*start, total, total_of(ctx.api, [total, *items], ctx.context)]) or total
    if is_whole or length_of(ctx.api, ctx.args[0][0]):
        return total
    default = get_proper_type(ctx.default_return_type)
    others = [each for each in default.items if not holds_operands(each)] if isinstance(default, UnionType) else []
    return make_simplified_union([total, *others])


def _sum_of_rows(ctx: FunctionContext) -> Type | None:
    """The sum of the rows of an array of rank 2 or more, which NumPy's types take for an int."""
    if [len(each) for each in ctx.args if each] != [1]:
        return None
    array = array_of(ctx.api, ctx.args[0][0], ctx.arg_types[0][0])
    dims = None if array is None else array.shape.dims
    if array is None or array.dtype is None or not dims or len(dims) < 2 or dims[0] == 0:
        return None
    dtype = type_of_dtype(ctx.api, np.result_type(array.dtype, 0))  # the sum starts at 0
    shape = shape_type(ctx.api, Shape(dims[1:]), is_gradual=False) or any_tuple(ctx.api)
    return None if dtype is None else ctx.api.named_generic_type(ARRAY, [shape, dtype])


def _is_number_of_arrays(ctx: FunctionContext) -> bool:
    """Whether a sum is an int to mypy, which expects ints, although it is of arrays or of an array's items."""
    default = get_proper_type(ctx.default_return_type)
    if not isinstance(default, Instance) or default.type.fullname != "builtins.int" or not ctx.args[0]:
        return False
    expr = ctx.args[0][0]
    type_ = _by_itself(ctx.api, expr)
    item = _item(ctx.api, expr, type_)
    of_arrays = any(each is not None and base_of(each, ARRAY) is not None for each in (type_, item))
    return of_arrays or fetches_of(checker_of(ctx.api), only_value(ctx.api, expr)) is not None


def _items(api: CheckerPluginInterface, expr: Expression, type_: Type) -> tuple[Sequence[Type], bool]:
    """The types of the items of a display and True, or the type that all items have in common and False."""
    if is_plain(expr):
        return [expression_type(api, item) for item in expr.items], True
    item = _item(api, expr, type_)
    operand = None if item is None else base_of(item, OPERAND)
    if operand is not None and isinstance(get_proper_type(operand.args[0]), AnyType):
        item = _item(api, expr, _by_itself(api, expr))
    return [] if item is None else [item], False


def _by_itself(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of an expression of which nothing is expected: with a target that is unknown, the items are, too."""
    checker = checker_of(api)
    with checker.msg.filter_errors():
        return checker.expr_checker.accept(expr)


def _item(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Type | None:
    """The type of the items of an iterable; None if it is none."""
    checker = checker_of(api)
    with checker.msg.filter_errors() as errors:
        item = checker.analyze_iterable_item_type_without_expression(type_, expr)[1]
    return None if errors.has_new_errors() else item


def total_of(api: CheckerPluginInterface, operands: Sequence[Type], context: Context) -> Type:
    """The type of the sum of one operand or more."""
    checker, (total, *others) = checker_of(api), operands
    for each in others:
        total, _ = checker.expr_checker.check_op("__add__", total, TempNode(each, context=context), context)
    return total
