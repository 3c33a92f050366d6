"""What NumPy refuses to do with an array that a run returns, whatever its values are.

Types tell the shape of such an array. Its values are unknown, as they are where a program is followed, so the arrays of
a dry run tell what NumPy refuses. Of a size that is not known, all are tried that might fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np
from attrs import evolve
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    FloatExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, get_proper_type

from typegrad.base.size import Size
from typegrad.dry_run.known.unknown import UNKNOWN
from typegrad.mypy_plugin.arrays.ndarrays import array_of, part_of
from typegrad.mypy_plugin.arrays.numpy_arguments import NumpyCall, function_of
from typegrad.mypy_plugin.arrays.numpy_results import (
    AnyOf,
    Arguments,
    Function,
    Samples,
    leaves_of,
    method_of,
    of_numpy,
)
from typegrad.mypy_plugin.arrays.numpy_rules import BINARY, Array, Part
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import SHAPE
from typegrad.mypy_plugin.base.dims import Name
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
_LITERALS: Final = (FloatExpr, IntExpr, StrExpr)
_SIZED: Final = frozenset({"reshape", "resize"})
"""The functions that take other sizes than those that their arguments state."""
_RUN: Final = "run"
_MOST_SIZES: Final = 2000
"""The number of combinations of sizes up to which all are tried."""
_LARGEST: Final = 10**8
_UNFIT: Final = "the sizes do not fit each other"

_OF_SHAPES: Final = "operands could not be broadcast together with shapes"
"""What NumPy says with the shapes, which the error begins with anyway."""

_MODULES: Final = ("fft", "linalg")
"""The modules of NumPy whose names are part of a function's."""


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
                    _check(api, operator, of_numpy(BINARY[operator]), (list(map(_typed, parts)), {}), expr)


def check_array_truth(api: CheckerPluginInterface, expr: Expression) -> None:
    """Report an array of several elements whose truth value is asked for."""
    parts = expr.operands if isinstance(expr, ComparisonExpr) else [expr]
    with suppress(NotStatic):
        if any(is_fetched(api, each) for each in parts):
            _check(api, "truth", bool, ([array_of(api, expr, expression_type(api, expr))], {}), expr)


def check_format(api: CheckerPluginInterface, expr: Expression, convert: Callable[[Any], object]) -> None:
    """Report an array that is formatted as a number is; `convert` is what Python does with it then."""
    with suppress(NotStatic):
        if is_fetched(api, expr):
            array = array_of(api, expr, expression_type(api, expr))
            _check(api, "format", convert, ([array], {}), expr)


def is_fetched(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is what a run returns, as its type tells: NumPy's types state no sizes of their own."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        return any(is_fetched(api, item) for item in expr.items)
    if isinstance(expr, _LITERALS) or (isinstance(expr, RefExpr) and isinstance(expr.node, TypeInfo)):
        return False  # most arguments of NumPy's functions are sizes and element types
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


def _typed(part: Part | None) -> object:
    """An operand of an operator, which is refused for its sizes alone."""
    return evolve(part, dtype=np.dtype(float)) if isinstance(part, Array) and part.dtype is None else part


def _arrays_of_call(call: CallExpr) -> Iterator[Expression]:
    yield from call.args
    if isinstance(call.callee, MemberExpr) and not call.callee.fullname:
        yield call.callee.expr


def _call(api: CheckerPluginInterface, call: CallExpr) -> tuple[str, Function, Arguments]:
    """The name of a function, the function and its arguments; a method takes its object first."""
    callee = call.callee
    if not isinstance(callee, (MemberExpr, NameExpr)):
        raise NotStatic
    positional, keywords = NumpyCall(api, call).arguments()
    if callee.fullname in NUMBERS:
        return callee.name, NUMBERS[callee.fullname], (positional, keywords)
    if callee.fullname.startswith("numpy."):
        function = function_of(api, callee)
        if function is None:
            raise NotStatic
        module = next((f"{each}." for each in _MODULES if callee.fullname.startswith(f"numpy.{each}.")), "")
        return module + callee.name, of_numpy(function), (positional, keywords)
    if callee.fullname or not isinstance(callee, MemberExpr):
        raise NotStatic
    owner = array_of(api, callee.expr, expression_type(api, callee.expr))
    return callee.name, method_of(callee.name), ([owner, *positional], keywords)


def _check(api: CheckerPluginInterface, name: str, function: Function, arguments: Arguments, context: Context) -> None:
    """Report the arguments if the function refuses them for all sizes that they may have."""
    if is_caught(checker_of(api).tree, context):
        return
    leaves = list(leaves_of(arguments))
    arrays = [each for each in leaves if isinstance(each, Array)]
    if any(each is UNKNOWN or isinstance(each, (AnyOf, Name, Size)) for each in leaves):
        return
    if any(array.dtype is None or array.shape.dims is None for array in arrays):
        return
    if name in _SIZED and not all(array.shape.is_static for array in arrays):
        return
    text = _refusal(function, arguments)
    if text is None:
        return
    shapes = [str(array.shape) for array in arrays]
    of_shapes = f"an array of shape {shapes[0]}" if len(shapes) == 1 else f"arrays of shapes {' and '.join(shapes)}"
    with of_operator(api):
        report_anyway(api, SHAPE, f"{name} of {of_shapes}: {text}", context)


def _refusal(function: Function, arguments: Arguments) -> str | None:
    """What NumPy says where it refuses the arrays for all sizes that they may have; None if it takes them for some."""
    from typegrad.dry_run.known.arrays import RefusedError
    from typegrad.dry_run.known.unknown import UncertainError

    samples = Samples(arguments, most=None)
    if samples.count > _MOST_SIZES:
        return None
    told = None
    for chosen in samples.chosen():
        if samples.elements(chosen) > _LARGEST:
            return None
        try:
            samples.call(function, chosen)
        except (RefusedError, ValueError, IndexError) as error:
            is_told = not samples.options or isinstance(error, (RefusedError, np.exceptions.AxisError))
            told = _UNFIT if _OF_SHAPES in str(error) or not is_told else str(error)
        except (UncertainError, TypeError, ArithmeticError, AttributeError):
            return None
        else:
            return None
    return told
