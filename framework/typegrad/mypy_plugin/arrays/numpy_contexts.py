"""Arrays that are made of another dtype or rank than the program declares where it makes them.

mypy looks for an overload of NumPy's function that fits what is declared, and there is one for arrays of any dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mypy.nodes import CallExpr, Expression, IntExpr, ListExpr, MemberExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    CallableType,
    Instance,
    NoneType,
    Overloaded,
    TupleType,
    Type,
    TypeType,
    UnpackType,
    get_proper_type,
)

from typegrad.mypy_plugin.arrays.numpy_calls import returned_array
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import ARRAY, base_of, union_items
from typegrad.mypy_plugin.types.array_types import scalars, type_of_dtype
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.program_files import uses_library
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["made_hook"]


def made_hook(ctx: Any, own: Callable[[Any], Type] | None) -> Type:
    """The type of the array that a function of NumPy makes, where that does not fit the declared one."""
    type_: Type = ctx.default_return_type if own is None else own(ctx)
    made, call = get_proper_type(type_), ctx.context
    if not isinstance(call, CallExpr) or not isinstance(made, Instance) or made.type.fullname != ARRAY:
        return type_
    stated = _stated(ctx.api)
    if not stated or not uses_library(checker_of(ctx.api).path):
        return type_
    try:
        array = returned_array(ctx.api, call)
    except NotStatic:
        return type_
    if array is None or array.is_doubtful or array.is_number:
        return type_
    shape, dtype = _other_rank(ctx.api, call, stated, array), _other_dtype(ctx.api, call, stated, array)
    return made.copy_modified(args=[shape or made.args[0], dtype or made.args[1]])


def _stated(api: CheckerPluginInterface) -> Sequence[Instance]:
    """The arrays that are declared where a call is; none if it may be something else."""
    context = checker_of(api).expr_checker.type_context[-1]
    items = [] if context is None else [get_proper_type(each) for each in union_items(context)]
    arrays = [each for each in items if isinstance(each, Instance) and each.type.fullname == ARRAY]
    return arrays if all(each in arrays or isinstance(each, NoneType) for each in items) else []


def _other_dtype(api: CheckerPluginInterface, call: CallExpr, stated: Sequence[Instance], array: Array) -> Type | None:
    """The dtype of an array, if it is certain to be none of the stated ones, and to be of the call itself."""
    dtype = None if array.dtype is None else type_of_dtype(api, array.dtype)
    names = None if dtype is None else scalars(dtype)
    if names is None or not (_states_dtype(api, call) or not _takes_arrays(api, call)):
        return None
    declared = [scalars(each.args[1]) for each in stated]
    return dtype if all(each is not None and each.isdisjoint(names) for each in declared) else None


def _other_rank(api: CheckerPluginInterface, call: CallExpr, stated: Sequence[Instance], array: Array) -> Type | None:
    """The same for the type of the sizes, which are written in the call."""
    sizes = [get_proper_type(each.args[0]) for each in stated]
    tuples = [each for each in sizes if isinstance(each, TupleType) and not _is_open(each)]
    is_written = any(isinstance(each, (IntExpr, ListExpr, TupleExpr)) for each in call.args)
    if array.shape.dims is None or not is_written or _takes_arrays(api, call) or len(tuples) < len(sizes):
        return None
    rank = len(array.shape.dims)
    if any(len(each.items) == rank for each in tuples):
        return None
    return tuples[0].copy_modified(items=[api.named_generic_type("builtins.int", [])] * rank)


def _is_open(sizes: TupleType) -> bool:
    return any(isinstance(each, UnpackType) for each in sizes.items)


def _states_dtype(api: CheckerPluginInterface, call: CallExpr) -> bool:
    """Whether a call has a dtype among its arguments."""
    types = [get_proper_type(expression_type(api, each)) for each in call.args]
    return "dtype" in call.arg_names or any(
        isinstance(each, (CallableType, Overloaded, TypeType)) or base_of(each, "numpy.dtype") for each in types
    )


def _takes_arrays(api: CheckerPluginInterface, call: CallExpr) -> bool:
    """Whether a call takes arrays, which may be of another type than they are declared."""
    return any(base_of(expression_type(api, each), ARRAY) is not None for each in _values(call))


def _values(call: CallExpr) -> Iterator[Expression]:
    """The arguments of a call, the items of those that are displays, and the object of a method."""
    waiting = [*call.args, *([call.callee.expr] if isinstance(call.callee, MemberExpr) else [])]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.items if isinstance(each, (ListExpr, TupleExpr)) else []
