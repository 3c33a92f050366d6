"""The types that a call passes to the parameters of a function: more exact than the declared ones.

Numbers, strings and tuples of them have their values, and objects the attributes that their constructor gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from mypy.checker import TypeChecker
from mypy.erasetype import erase_typevars
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    CallExpr,
    Expression,
    FuncDef,
    NameExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    get_proper_type,
)

from typegrad.mypy_plugin.bindings import bindings_of
from typegrad.mypy_plugin.evaluation import evaluate, expression_type
from typegrad.mypy_plugin.exact import exact_type, is_container, value_type
from typegrad.mypy_plugin.objects import Types

__all__ = ["attributes_of", "fields_of", "is_overridden", "made_object", "passed_types"]

_ANY = AnyType(TypeOfAny.special_form)


def passed_types(ctx: FunctionContext | MethodContext, function: FuncDef) -> Types:
    """The types of the arguments of a call, by the parameters, where they are subtypes of the declared ones."""
    skipped = len(function.arg_names) - len(ctx.callee_arg_names)
    passed = [
        list(zip(exprs, types, kinds, strict=True))
        for exprs, types, kinds in zip(ctx.args, ctx.arg_types, ctx.arg_kinds, strict=True)
    ]
    return _types(ctx.api, function, skipped, passed)


def _types(
    api: CheckerPluginInterface,
    function: FuncDef,
    skipped: int,
    passed: Sequence[Sequence[tuple[Expression, Type, Any]]],
) -> Types:
    signature = get_proper_type(function.type)
    assert isinstance(signature, CallableType)
    result: dict[str, Type] = {}
    parameters = zip(function.arguments[skipped:], signature.arg_types[skipped:], passed, strict=False)
    for argument, declared, given in parameters:
        if any(kind not in (ARG_POS, ARG_NAMED) for _, _, kind in given):
            continue
        exact = [exact_type(api, expr, type_) for expr, type_, _ in given]
        keeps = bindings_of(cast("TypeChecker", api).tree).keeps_parameter(argument.variable)
        exact = [
            each if keeps or not is_container(each) else type_ for each, (_, type_, _) in zip(exact, given, strict=True)
        ]
        parameter = declared
        if argument.kind is ARG_STAR:
            parameter = api.named_generic_type("builtins.tuple", [parameter])
            exact = [TupleType(exact, parameter)]
        elif not given and argument.initializer is not None:
            exact = [_default(api, argument.initializer)]
        if len(exact) == 1 and is_subtype(exact[0], erase_typevars(parameter)):
            result[argument.variable.name] = exact[0]
    return {name: type_ for name, type_ in result.items() if not isinstance(get_proper_type(type_), AnyType)}


def _default(api: CheckerPluginInterface, expr: Expression) -> Type:
    if isinstance(expr, NameExpr) and expr.fullname == "builtins.None":
        return NoneType()
    return value_type(api, evaluate(api, expr, _ANY)) or _ANY


def made_object(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> tuple[FuncDef, Types] | None:
    """The constructor that a call of a class runs, and what is passed to it; None if they are not known."""
    constructor = _member(info, "__init__")
    if not isinstance(constructor, FuncDef) or constructor.info.module_name != cast("TypeChecker", api).tree.fullname:
        return None
    signature = get_proper_type(constructor.type)
    if not isinstance(signature, CallableType) or not {ARG_POS, ARG_NAMED}.issuperset(made.arg_kinds):
        return None
    names = constructor.arg_names[1:]
    by_name = dict(zip([*names[: made.arg_names.count(None)], *filter(None, made.arg_names)], made.args, strict=False))
    passed = [[by_name[name]] if name in by_name else [] for name in names]
    if ARG_STAR in constructor.arg_kinds:
        place = constructor.arg_kinds.index(ARG_STAR) - 1
        passed[place] = made.args[place : made.arg_names.count(None)]
    given = [[(each, expression_type(api, each), ARG_POS) for each in exprs] for exprs in passed]
    return constructor, _types(api, constructor, 1, given)


def fields_of(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> Types:
    """The types of the fields that a call of a dataclass or a named tuple gives its object, if nothing assigns them."""
    bindings, result = bindings_of(cast("TypeChecker", api).tree), dict[str, Type]()
    for name, symbol in info.names.items():
        variable = symbol.node
        value = bindings.value_of_field(info, variable, made) if isinstance(variable, Var) else None
        if value is None or symbol.type is None:
            continue
        exact = exact_type(api, value, expression_type(api, value))
        is_certain = not isinstance(get_proper_type(exact), AnyType) and not is_container(exact)
        if is_certain and is_subtype(exact, symbol.type):
            result[name] = exact
    return result


def _member(info: TypeInfo, name: str) -> SymbolNode | None:
    symbol = info.get(name)
    return None if symbol is None else symbol.node


def is_overridden(ctx: FunctionContext | MethodContext, method: FuncDef) -> bool:
    """Whether a class of this file, which the object may be of, has another method of this name."""
    type_ = get_proper_type(ctx.type) if isinstance(ctx, MethodContext) else None
    info = type_.type if isinstance(type_, Instance) else method.info
    classes = bindings_of(cast("TypeChecker", ctx.api).tree).classes
    return any(info in each.mro and _member(each, method.name) is not method for each in classes)


def attributes_of(checker: TypeChecker, function: FuncDef) -> Types:
    """The types of the attributes that a constructor assigns and nothing else does; mypy has just checked its body."""
    if function.name != "__init__":
        return {}
    result: dict[str, Type] = {}
    bindings = bindings_of(checker.tree)
    for name, symbol in function.info.names.items():
        variable = symbol.node
        bound = bindings.attribute(function.info, variable, is_class=False) if isinstance(variable, Var) else None
        if bound is None or bound.path or not checker.has_type(bound.expr) or not isinstance(variable, Var):
            continue
        result[name] = exact_type(checker, bound.expr, checker.lookup_type(bound.expr))
    return result
