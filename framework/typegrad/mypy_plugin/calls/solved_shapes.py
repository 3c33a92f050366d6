"""Results whose type variables mypy solves with the exact shape of one argument, though another one leaves it open.

In `[x] + [layer(x)]`, `reduce(lambda h, layer: layer(h), layers, x)` and `parts.get("a", layer(x))`, an operand of any
shape fits where the shape of `x` is expected, and mypy takes the result for one of that shape.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FuncDef,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    OverloadedFuncDef,
    SetComprehension,
    SetExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
)
from mypy.plugin import FunctionContext, MethodContext
from mypy.typeops import get_all_type_vars
from mypy.types import (
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypeVarLikeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import dim_of
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.widening import holds_operands, of_any_shape

__all__ = ["alone", "solved_hook", "solving"]

_IN_CONTEXT: Final = (
    *(CallExpr, DictExpr, DictionaryComprehension, GeneratorExpr, ListComprehension, ListExpr),
    *(SetComprehension, SetExpr, TupleExpr),
)
"""The expressions whose types depend on what is expected."""
_ANY_NUMBER: Final = -1


def solving(function: SymbolNode | None) -> dict[int, frozenset[int]]:
    """The parameters that have type variables of the result, by the number of parameters of each overload.

    Type variables for sizes do not count. Those of a class are of all parameters of its constructor.
    """
    if isinstance(function, TypeInfo):
        return {_ANY_NUMBER: frozenset()} if function.defn.type_vars else {}
    type_ = get_proper_type(function.type) if isinstance(function, (FuncDef, OverloadedFuncDef)) else None
    is_bound = isinstance(function, (FuncDef, OverloadedFuncDef)) and bool(function.info) and not function.is_static
    found: dict[int, frozenset[int]] = {}
    for item in type_.items if isinstance(type_, FunctionLike) else []:
        parameters = item.arg_types[is_bound:]
        positions = _with_any(parameters, set(filter(_is_no_size, get_all_type_vars(item.ret_type))))
        if positions:
            found[len(parameters)] = found.get(len(parameters), frozenset()) | positions
    return found


def _with_any(parameters: Sequence[Type], variables: set[TypeVarLikeType]) -> frozenset[int]:
    pairs = enumerate(parameters)
    return frozenset(position for position, each in pairs if not variables.isdisjoint(get_all_type_vars(each)))


def _is_no_size(variable: TypeVarLikeType) -> bool:
    return isinstance(variable, TypeVarType) and dim_of(variable) is None


def solved_hook(
    ctx: FunctionContext | MethodContext, solved: Mapping[int, Collection[int]], own: Callable[[Any], Type] | None
) -> Type:
    """The type of a result, with operands of any shape if an argument leaves their shapes open."""
    result = ctx.default_return_type if own is None else own(ctx)
    if not _holds_operands(result) or is_open(result):
        return result
    positions = range(len(ctx.args)) if _ANY_NUMBER in solved else solved.get(len(ctx.args), ())
    pairs = [pair for position in positions for pair in zip(ctx.args[position], ctx.arg_types[position], strict=True)]
    return of_any_shape(result) if any(_leaves_open(alone(ctx, *pair)) for pair in pairs) else result


def _holds_operands(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return holds_operands(proper) or (isinstance(proper, Instance) and any(map(_holds_operands, proper.args)))


def alone(ctx: FunctionContext | MethodContext, expr: Expression, type_: Type) -> Type:
    """The type of an argument where nothing is expected."""
    if not isinstance(expr, _IN_CONTEXT) or not _holds_operands(type_):
        return type_
    checker = checker_of(ctx.api)
    with checker.msg.filter_errors():
        return checker.expr_checker.accept(expr)


def _leaves_open(type_: Type) -> bool:
    """Whether an argument is or holds an operand of open shape, or is a function that returns one."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return any(map(_leaves_open, proper.items))
    if isinstance(proper, CallableType):
        return _leaves_open(proper.ret_type)
    return _holds_operands(proper) and is_open(proper)
