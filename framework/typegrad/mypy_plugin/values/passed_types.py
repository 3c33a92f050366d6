"""The types that a call passes to the parameters of a function: more exact than the declared ones.

Numbers, strings and tuples of them have their values, and objects the attributes that their constructor gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy.checker import TypeChecker
from mypy.erasetype import erase_typevars
from mypy.literals import literal_hash
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    CallExpr,
    Context,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, TypeOfAny, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.values.bindings import Growth, has_fields
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.exact import exact_type, grown_types
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import field_value
from typegrad.mypy_plugin.values.objects import Types, is_container
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.value_types import value_type

__all__ = [
    "after_init",
    "attributes_of",
    "called_with",
    "field_types",
    "fields_of",
    "is_overridden",
    "made_object",
    "part_of_type",
    "passed_types",
]

_ANY = AnyType(TypeOfAny.special_form)
_ITERABLE: Final = "typing.Iterable"
_AFTER_INIT: Final = ("__post_init__", "__attrs_post_init__")


def passed_types(ctx: FunctionContext | MethodContext, function: FuncDef) -> Types:
    """The types of the arguments of a call, by the parameters, where they are more exact than the declared ones."""
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
    """The types of parameters, and of the fields of objects in them, where they are more exact than the declared ones.

    `passed` has the arguments of each parameter behind the `skipped` ones: expression, type, kind.
    """
    signature = get_proper_type(function.type)
    assert isinstance(signature, CallableType)
    result: dict[str, Type] = {}
    parameters = zip(function.arguments[skipped:], signature.arg_types[skipped:], passed, strict=False)
    for argument, declared, given in parameters:
        if any(kind not in (ARG_POS, ARG_NAMED) for _, _, kind in given):
            continue
        exact = [exact_type(api, expr, type_) for expr, type_, _ in given]
        keeps = bindings_of(checker_of(api).tree).keeps_parameter(argument.variable)
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
            type_ = _as_declared(exact[0], parameter)
            if type_ != parameter:
                result[argument.variable.name] = type_
        if len(given) == 1 and argument.kind is not ARG_STAR:
            fields = _fields(api, *given[0][:2])
            result |= {f"{argument.variable.name}.{name}": type_ for name, type_ in fields.items()}
    return {name: type_ for name, type_ in result.items() if not isinstance(get_proper_type(type_), AnyType)}


def _as_declared(type_: Type, declared: Type) -> Type:
    """The type of an operand of any operation, if the parameter takes such: the body tells no operations apart."""
    proper = get_proper_type(declared)
    is_operand = isinstance(proper, Instance) and proper.type.fullname == OPERAND
    return (base_of(type_, OPERAND) if is_operand else None) or type_


def _default(api: CheckerPluginInterface, expr: Expression) -> Type:
    if isinstance(expr, NameExpr) and expr.fullname == "builtins.None":
        return NoneType()
    return value_type(api, evaluate(api, expr, _ANY)) or _ANY


def made_object(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> tuple[FuncDef, Types] | None:
    """The constructor that a call of a class runs, and what is passed to it; None if they are not known."""
    constructor = _member(info, "__init__")
    if not isinstance(constructor, FuncDef) or constructor.info.module_name != checker_of(api).tree.fullname:
        return None
    types = called_with(api, made, constructor, 1)
    return None if types is None else (constructor, types)


def called_with(api: CheckerPluginInterface, call: CallExpr, function: FuncDef, skipped: int) -> Types | None:
    """What a call passes to the parameters behind the first `skipped` ones; None if it is not known."""
    signature = get_proper_type(function.type)
    if not isinstance(signature, CallableType) or not is_plain_call(call):
        return None
    names = function.arg_names[skipped:]
    by_name = dict(zip([*names[: call.arg_names.count(None)], *filter(None, call.arg_names)], call.args, strict=False))
    passed = [[by_name[name]] if name in by_name else [] for name in names]
    if ARG_STAR in function.arg_kinds:
        place = function.arg_kinds.index(ARG_STAR) - skipped
        passed[place] = call.args[place : call.arg_names.count(None)]
    given = [[(each, expression_type(api, each), ARG_POS) for each in exprs] for exprs in passed]
    return _types(api, function, skipped, given)


def fields_of(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> Types:
    """The types of the fields that a call of a dataclass or a named tuple gives its object, if nothing assigns them."""
    bindings, result = bindings_of(checker_of(api).tree), dict[str, Type]()
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


def field_types(ctx: FunctionContext | MethodContext) -> Types:
    """The types of the fields of the dataclass or named tuple that is made, or whose method is called."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo):
        return _fields(ctx.api, ctx.context, ctx.default_return_type)
    owner = callee.expr if isinstance(callee, MemberExpr) else callee
    return _fields(ctx.api, owner, ctx.type) if isinstance(ctx, MethodContext) else {}


def _fields(api: CheckerPluginInterface, owner: Context | None, type_: Type) -> Types:
    """The types of the fields of an object that are more exact than the declared ones, where nothing assigns them."""
    checker, proper = checker_of(api), get_proper_type(type_)
    if not isinstance(proper, Instance) or not isinstance(owner, (CallExpr, NameExpr, MemberExpr)):
        return {}
    if not has_fields(proper.type) or proper.type.module_name != checker.tree.fullname:
        return {}
    result = dict[str, Type]()
    for name, symbol in proper.type.names.items():
        variable = symbol.node
        if symbol.type is None or not isinstance(variable, Var) or variable.is_classvar:
            continue
        known = None if literal_hash(owner) is None else checker.binder.get(MemberExpr(owner, name))
        value = field_value(api, owner, proper.type, variable) if known is None else None
        if value is not None and checker.has_type(value):
            known = exact_type(api, value, checker.lookup_type(value))
        if known is None or known == symbol.type or isinstance(get_proper_type(known), AnyType):
            continue
        if is_subtype(known, symbol.type):
            result[name] = known
    return result


def after_init(info: TypeInfo) -> FuncDef | None:
    """The method that runs after the constructor of a dataclass or a class of attrs, with all that it needs."""
    methods = (_member(info, name) for name in _AFTER_INIT) if has_fields(info) else ()
    return next((each for each in methods if isinstance(each, FuncDef) and len(each.arg_names) == 1), None)


def _member(info: TypeInfo, name: str) -> SymbolNode | None:
    symbol = info.get(name)
    return None if symbol is None else symbol.node


def is_overridden(ctx: FunctionContext | MethodContext, method: FuncDef) -> bool:
    """Whether a class of this file, which the object may be of, has another method of this name."""
    type_ = get_proper_type(ctx.type) if isinstance(ctx, MethodContext) else None
    info = type_.type if isinstance(type_, Instance) else method.info
    classes = bindings_of(checker_of(ctx.api).tree).classes
    return any(info in each.mro and _member(each, method.name) is not method for each in classes)


def _filled(checker: TypeChecker, name: str, variable: Var, growth: Growth) -> Types:
    """The type of a list that a constructor has filled, by its name."""
    types, whole = grown_types(checker, growth), get_proper_type(variable.type)
    return {name: TupleType(types, whole)} if types is not None and isinstance(whole, Instance) else {}


def part_of_type(path: Sequence[int], type_: Type) -> Type | None:
    """The type of the part of a value that a name is bound to; None if it is not known."""
    for position in path:
        proper = get_proper_type(type_)
        if isinstance(proper, TupleType):
            type_ = proper.items[position]
            continue
        iterable = base_of(proper, _ITERABLE)
        if iterable is None:
            return None
        type_ = iterable.args[0]
    return type_


def attributes_of(checker: TypeChecker, function: FuncDef, *, has_run: bool = True) -> Types:
    """The types of the attributes that a constructor assigns and nothing else does.

    While mypy checks its body, `has_run` is false, and the parts of lists and objects are left out: what they are may
    follow from the very call that asks.
    """
    if function.name not in ("__init__", *_AFTER_INIT):
        return {}
    result: dict[str, Type] = {}
    bindings = bindings_of(checker.tree)
    for name, symbol in function.info.names.items():
        variable = symbol.node
        if not isinstance(variable, Var):
            continue
        growth = bindings.growth_of_attribute(function.info, variable, function.body) if has_run else None
        if growth is not None:
            result |= _filled(checker, name, variable, growth)
            continue
        bound = bindings.attribute(function.info, variable, is_class=False)
        if bound is None or not checker.has_type(bound.expr):
            continue
        type_ = checker.lookup_type(bound.expr)
        if bound.path:
            part = part_of_type(bound.path, type_)
            result |= {} if part is None or base_of(part, OPERAND) is None else {name: part}
            continue
        if has_run:
            result[name] = exact_type(checker, bound.expr, type_)
        else:
            result[name] = value_type(checker, evaluate(checker, bound.expr, type_)) or type_
        result |= {f"{name}.{each}": field for each, field in _fields(checker, bound.expr, type_).items()}
    return result
