"""What NumPy refuses to do with an array that a run returns, whatever its values are.

Types tell the shape of such an array. Its values are unknown, as they are where a program is followed, so the arrays of
a dry run tell what NumPy refuses. Of a size that is not known, all are tried that might fit.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from math import prod
from operator import attrgetter
from typing import Any, Final, TypeAlias

import numpy as np
from attrs import frozen
from mypy.nodes import CallExpr, ComparisonExpr, Context, Expression, ListExpr, MemberExpr, NameExpr, OpExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from typegrad.base.array import DType
from typegrad.mypy_plugin.arrays.ndarrays import array_of, part_of
from typegrad.mypy_plugin.arrays.numpy_arguments import NumpyCall, name_in_numpy
from typegrad.mypy_plugin.arrays.numpy_rules import BINARY, Array
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import SHAPE
from typegrad.mypy_plugin.base.expected import is_caught
from typegrad.mypy_plugin.base.operands import ARRAY, base_of
from typegrad.mypy_plugin.base.reporting import of_operator, report_anyway
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["NUMBERS", "check_array_truth", "check_array_use", "check_format", "is_fetched"]

NUMBERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "builtins.complex": complex,
    "builtins.float": float,
    "builtins.int": int,
}
"""The functions that take an array of one element for a number."""
_SIZED: Final = frozenset({"reshape", "resize"})
"""The functions that take other sizes than those that their arguments state."""
_RUN: Final = "run"
_MOST_SIZES: Final = 500
"""The number of combinations of sizes up to which all are tried."""
_LARGEST: Final = 10**8
_SMALL: Final = (1, 2, 4)
"""The sizes that are tried anyway: what takes no array of one element takes two, or four."""
_UNFIT: Final = "the sizes do not fit each other"

_OF_SHAPES: Final = "operands could not be broadcast together with shapes"
"""What NumPy says with the shapes, which the error begins with anyway."""

_Arguments: TypeAlias = tuple[Sequence[object], Mapping[str, object]]
_Function: TypeAlias = Callable[..., object]


def check_array_use(ctx: FunctionContext | MethodContext) -> None:
    """Report a call or an operator that NumPy refuses for the arrays of a run."""
    expr, api = ctx.context, ctx.api
    with suppress(NotStatic):
        if isinstance(expr, CallExpr) and any(is_fetched(api, each) for each in _arrays_of_call(expr)):
            name, function, arguments = _call(api, expr)
            _check(api, name, function, arguments, expr)
        elif isinstance(expr, (ComparisonExpr, OpExpr)):
            sides = expr.operands if isinstance(expr, ComparisonExpr) else [expr.left, expr.right]
            operator = expr.operators[0] if isinstance(expr, ComparisonExpr) else expr.op
            if len(sides) == 2 and operator in BINARY and any(is_fetched(api, each) for each in sides):
                parts = [part_of(api, each) for each in sides]
                if None not in parts:
                    _check(api, operator, _of_numpy(BINARY[operator]), (parts, {}), expr)


def check_array_truth(api: CheckerPluginInterface, expr: Expression) -> None:
    """Report an array of several elements whose truth value is asked for."""
    parts = expr.operands if isinstance(expr, ComparisonExpr) else [expr]
    with suppress(NotStatic):
        if any(is_fetched(api, each) for each in parts):
            _check(api, "truth", bool, ([array_of(api, expr, expression_type(api, expr))], {}), expr)


def check_format(api: CheckerPluginInterface, expr: Expression, form: str) -> None:
    """Report an array that is formatted as a number is."""
    with suppress(NotStatic):
        if is_fetched(api, expr):
            array = array_of(api, expr, expression_type(api, expr))
            _check(api, "format", lambda each: format(each, form), ([array], {}), expr)


def is_fetched(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is what a run returns, as its type tells: NumPy's types state no sizes of their own."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        return any(is_fetched(api, item) for item in expr.items)
    with checker_of(api).msg.filter_errors():
        array = base_of(expression_type(api, expr), ARRAY)
    sizes = None if array is None else get_proper_type(array.args[0])
    if not isinstance(sizes, TupleType):
        return False
    callee = expr.callee if isinstance(expr, CallExpr) else None
    is_run = isinstance(callee, MemberExpr) and callee.name == _RUN
    return is_run or not all(map(_is_open, sizes.items))


def _is_open(size: Type) -> bool:
    proper = get_proper_type(size)
    is_int = isinstance(proper, Instance) and proper.type.fullname == "builtins.int"
    return is_int or isinstance(proper, AnyType)


def _arrays_of_call(call: CallExpr) -> Iterator[Expression]:
    yield from call.args
    if isinstance(call.callee, MemberExpr) and not call.callee.fullname:
        yield call.callee.expr


def _call(api: CheckerPluginInterface, call: CallExpr) -> tuple[str, _Function, _Arguments]:
    """The name of a function, the function and its arguments; a method takes its object first."""
    callee = call.callee
    if not isinstance(callee, (MemberExpr, NameExpr)):
        raise NotStatic
    positional, keywords = NumpyCall(api, call).arguments()
    if callee.fullname in NUMBERS:
        return callee.name, NUMBERS[callee.fullname], (positional, keywords)
    if callee.fullname.startswith("numpy."):
        name = name_in_numpy(callee)
        try:
            return name, _of_numpy(attrgetter(name)(np)), (positional, keywords)
        except AttributeError as error:
            raise NotStatic from error
    if callee.fullname or not isinstance(callee, MemberExpr):
        raise NotStatic
    owner = array_of(api, callee.expr, expression_type(api, callee.expr))
    return callee.name, _method(callee.name), ([owner, *positional], keywords)


def _method(name: str) -> _Function:
    def function(array: object, *args: object, **keywords: object) -> object:
        return _of_numpy(getattr(array, name))(*args, **keywords)

    return function


def _of_numpy(function: Any) -> _Function:
    """A function of NumPy for arrays whose values are unknown."""
    from typegrad.dry_run.computing.numpy_calls import is_numpy, numpy_result

    if not (is_numpy(function) or function in BINARY.values()):
        raise NotStatic
    return lambda *args, **keywords: numpy_result(function, args, keywords)


def _check(
    api: CheckerPluginInterface, name: str, function: _Function, arguments: _Arguments, context: Context
) -> None:
    """Report the arguments if the function refuses them for all sizes that they may have."""
    arrays = [each for each in _leaves(arguments) if isinstance(each, Array)]
    is_operator = isinstance(context, (ComparisonExpr, OpExpr))
    is_open = not all(array.shape.is_static for array in arrays)
    if is_caught(checker_of(api).tree, context):
        return
    if (is_open and name in _SIZED) or not (is_operator or all(array.dtype is not None for array in arrays)):
        return
    text = _refusal(function, arguments)
    if text is None:
        return
    shapes = [str(array.shape) for array in arrays]
    of_shapes = f"an array of shape {shapes[0]}" if len(shapes) == 1 else f"arrays of shapes {' and '.join(shapes)}"
    with of_operator(api):
        report_anyway(api, SHAPE, f"{name} of {of_shapes}: {text}", context)


def _refusal(function: _Function, arguments: _Arguments) -> str | None:
    """What NumPy says where it refuses the arrays for all sizes that they may have; None if it takes them for some."""
    from typegrad.dry_run.known.arrays import RefusedError
    from typegrad.dry_run.known.unknown import UncertainError

    opened = _opened(arguments)
    leaves = list(_leaves(opened))
    known = set(_sizes_in(opened))
    names = list(dict.fromkeys(dim for each in leaves if isinstance(each, _Opened) for dim in each.names()))
    sizes = sorted({*_SMALL, *known, *(each + 1 for each in known)})
    if len(sizes) ** len(names) > _MOST_SIZES:
        return None
    told = None
    for chosen in product(sizes, repeat=len(names)):
        by_name = dict(zip(names, chosen, strict=True))
        if prod(each.count(by_name) for each in leaves if isinstance(each, _Opened)) > _LARGEST:
            return None
        positional, keywords = _filled(opened, by_name)
        try:
            with warnings.catch_warnings(action="ignore"):
                function(*positional, **keywords)
        except (RefusedError, ValueError, IndexError) as error:
            is_told = not names or isinstance(error, (RefusedError, np.exceptions.AxisError))
            told = _UNFIT if _OF_SHAPES in str(error) or not is_told else str(error)
        except (UncertainError, TypeError, ArithmeticError, AttributeError):
            return None
        else:
            return None
    return told


def _sizes_in(opened: Any) -> Iterator[int]:
    """The sizes that arguments speak of: of arrays, lists and tuples, and numbers, which may be sizes or positions."""
    if isinstance(opened, _Opened):
        yield from (dim for dim in opened.dims if isinstance(dim, int))
    elif isinstance(opened, np.ndarray):
        yield from opened.shape
    elif type(opened) is int:
        yield abs(opened)
    elif isinstance(opened, (dict, list, tuple)):
        yield len(opened)
        for each in opened.values() if isinstance(opened, dict) else opened:
            yield from _sizes_in(each)


@frozen
class _Opened:
    """An array of which each size has a value or a name, which is an object of its own where it has none."""

    dims: tuple[Hashable, ...]
    dtype: DType

    def names(self) -> list[Hashable]:
        return [dim for dim in self.dims if type(dim) is not int]

    def sizes(self, by_name: Mapping[Hashable, int]) -> list[int]:
        return [dim if isinstance(dim, int) else by_name[dim] for dim in self.dims]

    def count(self, by_name: Mapping[Hashable, int]) -> int:
        return prod(self.sizes(by_name))


def _opened(value: Any) -> Any:
    """Arguments with arrays of open sizes; `NotStatic` if a rank or a value is unknown."""
    if isinstance(value, Array):
        if value.shape.dims is None:
            raise NotStatic
        dims = tuple(object() if dim is None else dim for dim in value.shape.dims)
        return _Opened(dims, value.dtype or np.dtype(float))
    return _mapped(_opened, value)


def _filled(value: Any, by_name: Mapping[Hashable, int]) -> Any:
    """Arguments with arrays of these sizes, without values."""
    from typegrad.dry_run.known.arrays import stand_in

    if isinstance(value, _Opened):
        return stand_in(value.sizes(by_name), value.dtype)
    return _mapped(partial(_filled, by_name=by_name), value)


def _mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """A list, a tuple or a dict with the results of a function for its items; any other value itself."""
    if isinstance(value, dict):
        return {key: function(each) for key, each in value.items()}
    return type(value)(map(function, value)) if type(value) in (list, tuple) else value


def _leaves(value: Any) -> Iterator[Any]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    if parts is None:
        yield value
    for part in parts or ():
        yield from _leaves(part)
