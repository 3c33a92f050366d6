"""Sizes that calls state as numbers: the n of `def rows(n: N) -> Operand[F, tuple[N]]`, and of a class of layers.

The shape of `def zeros(shape: S) -> Operand[F, S]` states all sizes. mypy infers `int` for a type variable that a
number is passed for. So the number is looked up: in the call itself, or in the call that made the object whose method
is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, MemberExpr, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, Type, TypeVarType, get_proper_type
from mypy.typevars import fill_typevars

from typegrad.base.shape import Shape
from typegrad.base.size import Size
from typegrad.mypy_plugin.base.dims import Name, Rest, dim_of, is_variable, rest_of
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.values.arguments import Argument
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import named_value

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
    made = _construction(ctx.api, _object(ctx.context.callee, type_.type), type_.type)
    signature = _maker(made, type_.type) if isinstance(made, CallExpr) else None
    if signature is None or not is_plain_call(made):
        return {}
    names = [*signature.arg_names[: made.arg_names.count(None)], *filter(None, made.arg_names)]
    passed = zip(names, made.args, strict=False)
    args = {name or "": Argument(each, expression_type(ctx.api, each)) for name, each in passed}
    stated = stated_sizes(ctx.api, args, numbers_of(signature))
    result = get_proper_type(signature.ret_type)
    pairs = zip(type_.type.defn.type_vars, result.args if isinstance(result, Instance) else (), strict=False)
    dims = [(_variable(own), _variable(given)) for own, given in pairs]
    return {own: stated[given] for own, given in dims if own is not None and given is not None and given in stated}


def _variable(type_: Type) -> Name | None:
    size = rest_of(type_) or dim_of(type_)
    return size if is_variable(size) else None


def _maker(made: CallExpr, info: TypeInfo) -> CallableType | None:
    """The signature of the constructor, function or class method that makes an object, without what it is bound to."""
    node = made.callee.node if isinstance(made.callee, RefExpr) else None
    class_ = made.callee.expr if isinstance(made.callee, MemberExpr) and node is None else None
    if isinstance(class_, RefExpr) and class_.node is info and isinstance(made.callee, MemberExpr):
        symbol = info.names.get(made.callee.name)
        node = None if symbol is None else symbol.node
    is_class = node is info
    if is_class:
        symbol = info.names.get("__init__")
        node = None if symbol is None else symbol.node
    function = node.func if isinstance(node, Decorator) and not node.decorators else node
    type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    if not isinstance(function, FuncDef) or not isinstance(type_, CallableType):
        return None
    whole = fill_typevars(info)
    is_bound = is_class or function.is_class
    result = whole if is_class or _is_self(type_.ret_type) else get_proper_type(type_.ret_type)
    if (
        not isinstance(result, Instance)
        or result.type is not info
        or (function.info and not is_bound and not function.is_static)
    ):
        return None
    types, kinds, arg_names = type_.arg_types[is_bound:], type_.arg_kinds[is_bound:], type_.arg_names[is_bound:]
    return type_.copy_modified(arg_types=types, arg_kinds=kinds, arg_names=arg_names, ret_type=result)


def _construction(api: CheckerPluginInterface, expr: Expression, info: TypeInfo) -> Expression | None:
    """The expression that makes an object, before calls of methods that return `Self`, which keeps sizes."""
    made = named_value(api, expr)
    while isinstance(made, CallExpr) and isinstance(made.callee, MemberExpr) and _is_of_self(info, made.callee.name):
        made = named_value(api, made.callee.expr)
    return made


def _is_of_self(info: TypeInfo, method: str) -> bool:
    """Whether a method of objects returns `Self`."""
    symbol = info.names.get(method)
    type_ = get_proper_type(symbol.node.type) if symbol and isinstance(symbol.node, FuncDef) else None
    return isinstance(type_, CallableType) and _is_self(type_.ret_type)


def _is_self(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, TypeVarType) and proper.id.is_self()


def _object(callee: Expression, info: TypeInfo) -> Expression:
    """The object of class `info` whose method a call calls: `layer` in `layer(x)` and `layer.apply(x)`."""
    return callee.expr if isinstance(callee, MemberExpr) and callee.name in info.names else callee
