"""Sizes that calls state as numbers: the n of `def rows(n: N) -> Operand[F, tuple[N]]`, and of a class of layers.

The shape of `def zeros(shape: S) -> Operand[F, S]` states all sizes. mypy infers `int` for a type variable that a
number is passed for. So the number is looked up: in the call itself, or in the call that made the object whose method
is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, FuncDef, MemberExpr, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, TypeVarType, get_proper_type

from typegrad.base.shape import Shape
from typegrad.base.size import Size
from typegrad.mypy_plugin.base.dims import Name, Rest, dim_of, is_variable, rest_of
from typegrad.mypy_plugin.values.arguments import Argument
from typegrad.mypy_plugin.values.evaluation import evaluate, expression_type
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["Stated", "numbers_of", "sizes_of_object", "stated_sizes"]

Stated: TypeAlias = dict[Name, tuple[str, Shape]]
"""The value of each type variable for a size, with the parameter that it was passed for."""


def numbers_of(function: CallableType) -> dict[str, Name]:
    """The parameters that are of a type variable for a size, or for a tuple of sizes."""
    types = {name: type_ for name, type_ in zip(function.arg_names, function.arg_types, strict=True) if name}
    sizes = {name: rest_of(type_) or dim_of(type_) for name, type_ in types.items()}
    return {name: size for name, size in sizes.items() if is_variable(size)}


def stated_sizes(api: CheckerPluginInterface, args: Mapping[str, Argument], numbers: Mapping[str, Name]) -> Stated:
    """The sizes that the arguments of a call state."""
    result: Stated = {}
    for name, variable in numbers.items():
        value = evaluate(api, args[name].expr, args[name].type) if name in args else None
        dims = value if isinstance(variable, Rest) else (value,)
        if isinstance(dims, tuple) and all(isinstance(each, (Name, Size)) or _is_count(each) for each in dims):
            result.setdefault(variable, (name, Shape(dims)))
    return result


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def sizes_of_object(ctx: FunctionContext | MethodContext) -> Stated:
    """The sizes that were stated for the object whose method is called, if it is made once."""
    if not isinstance(ctx, MethodContext) or not isinstance(ctx.context, CallExpr):
        return {}
    type_ = get_proper_type(ctx.type)
    if not isinstance(type_, Instance) or not type_.args:
        return {}
    made = _made(ctx.api, _object(ctx.context.callee, type_.type), type_.type)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or made.callee.node is not type_.type:
        return {}
    symbol = type_.type.names.get("__init__")
    signature = get_proper_type(symbol.node.type) if symbol and isinstance(symbol.node, FuncDef) else None
    if not isinstance(signature, CallableType) or not {ARG_POS, ARG_NAMED}.issuperset(made.arg_kinds):
        return {}
    names = [*signature.arg_names[1:][: made.arg_names.count(None)], *filter(None, made.arg_names)]
    passed = zip(names, made.args, strict=False)
    args = {name or "": Argument(each, expression_type(ctx.api, each)) for name, each in passed}
    return stated_sizes(ctx.api, args, numbers_of(signature))


def _made(api: CheckerPluginInterface, expr: Expression, info: TypeInfo) -> Expression | None:
    """The expression that makes an object, before calls of methods that return `Self`, which keeps sizes."""
    made = only_value(api, expr)
    while isinstance(made, CallExpr) and isinstance(made.callee, MemberExpr) and _is_of_self(info, made.callee.name):
        made = only_value(api, made.callee.expr)
    return made


def _is_of_self(info: TypeInfo, method: str) -> bool:
    """Whether a method of objects returns `Self`."""
    symbol = info.names.get(method)
    type_ = get_proper_type(symbol.node.type) if symbol and isinstance(symbol.node, FuncDef) else None
    result = get_proper_type(type_.ret_type) if isinstance(type_, CallableType) else None
    return isinstance(result, TypeVarType) and result.id.is_self()


def _object(callee: Expression, info: TypeInfo) -> Expression:
    """The object of class `info` whose method a call calls: `layer` in `layer(x)` and `layer.apply(x)`."""
    return callee.expr if isinstance(callee, MemberExpr) and callee.name in info.names else callee
