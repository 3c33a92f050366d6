"""Calls of `session.run` with several fetches: the type of each value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mypy.nodes import CallExpr, DictExpr, Expression, MemberExpr, NameExpr, StrExpr, TupleExpr, Var
from mypy.plugin import AttributeContext, CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    PartialType,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)
from mypy.types_utils import remove_optional

from typegrad.mypy_plugin.arrays.feeds import check_feeds
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OPERATION
from typegrad.mypy_plugin.base.operands import ARRAY, OP, OPERAND, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of
from typegrad.mypy_plugin.calls.records import (
    as_expected_record,
    holds_record,
    record_of_values,
    sets_field_hook,
    whole_of,
)
from typegrad.mypy_plugin.types.array_types import array_type
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import field_value, keeps_fields, only_value
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["callable_hook", "fetched_field_hook", "fetched_type", "run_hook", "run_signature", "value_of"]


def run_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `run`, which also accepts a `TypedDict` of operands.

    For an operand, it is exact: mypy would infer the generic one from the type of the variable that the result goes to,
    and blame the operand if they differ.
    """
    _settle_untyped(ctx.api, [arg for args in ctx.args for arg in args])
    signature = check_feeds(ctx)
    kind = _base_name(signature.ret_type)
    if not ctx.args or not ctx.args[0] or kind not in ("builtins.dict", ARRAY):
        return signature
    with checker_of(ctx.api).msg.filter_errors():
        fetches = get_proper_type(expression_type(ctx.api, ctx.args[0][0]))
    result = signature.ret_type
    if kind == ARRAY:
        operand = base_of(remove_optional(fetches), OPERAND)
        if operand is None:
            return signature
        result = array_type(ctx.api, *operand.args)
    elif not isinstance(fetches, TypedDictType) or _arrays(ctx.api, list(fetches.items.values())) is None:
        return signature
    return signature.copy_modified(arg_types=[fetches, *signature.arg_types[1:]], ret_type=result, variables=[])


def _settle_untyped(api: CheckerPluginInterface, args: Sequence[Expression]) -> None:
    """Have mypy tell once that it does not know what an empty list or dict is for: `updates = []`.

    At the top level of a module, it tells where the name is used, in each overload that it tries, and so takes none.
    """
    checker = checker_of(api)
    names = [each for arg in args for each in nodes_of(arg) if isinstance(each, NameExpr)]
    for name in () if checker.current_node_deferred or checker.errors._watchers else names:
        variable = name.node
        if isinstance(variable, Var) and isinstance(variable.type, PartialType) and variable.type.type is not None:
            type_ = checker.expr_checker.accept(name)
            if variable in checker.partial_reported:
                variable.type = type_


def run_hook(ctx: MethodContext) -> Type:
    """The types of the fetched arrays."""
    return _fetched(ctx, get_proper_type(ctx.default_return_type))


def callable_hook(ctx: MethodContext) -> Type:
    """The function that returns them."""
    default = get_proper_type(ctx.default_return_type)
    if not isinstance(default, Instance) or len(default.args) != 1:
        return default
    return default.copy_modified(args=[_fetched(ctx, get_proper_type(default.args[0]))])


def _fetched(ctx: MethodContext, default: ProperType) -> Type:
    if isinstance(default, AnyType) or _base_name(default) == ARRAY:
        made = value_of(ctx.api, _type_alone(ctx.api, ctx.args[0][0], ctx.arg_types[0][0]))
        return default if made is None else as_expected_record(ctx.api.type_context[-1], made)
    expr, type_ = ctx.args[0][0], get_proper_type(ctx.arg_types[0][0])
    kind = _base_name(default)
    if kind == "builtins.dict":
        mapping = _mapping(ctx, expr, type_)
        return default if mapping is None else mapping
    if kind not in ("builtins.list", "builtins.tuple") or not (is_plain(expr) or isinstance(type_, TupleType)):
        return default
    values, expected = fetched_type(ctx.api, expr) or default, ctx.api.type_context[-1]
    if expected is not None and holds_record(values) and not is_subtype(values, expected):
        return default  # which may be declared as records of fetches
    return values


def _type_alone(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Type:
    """The type of fetches, of an object of a generic class that is made here: mypy infers `Any` from the parameter."""
    proper = get_proper_type(type_)
    if not isinstance(expr, CallExpr) or not isinstance(proper, Instance) or not proper.args:
        return type_
    checker = checker_of(api)
    with checker.msg.filter_errors():
        return checker.expr_checker.accept(expr)


def fetched_type(api: CheckerPluginInterface, expr: Expression, *, is_field: bool = False) -> Type | None:
    """The type of the value of what an expression fetches, also in a field of a record; None if it is not known."""
    if isinstance(expr, DictExpr):
        are_names = all(isinstance(key, StrExpr) for key, _ in expr.items)
        return _dict(api, api.named_generic_type("builtins.str", []) if are_names else AnyType(TypeOfAny.special_form))
    if not is_plain(expr):
        return value_of(api, _type_alone(api, expr, expression_type(api, expr)), is_field=is_field)
    values = [fetched_type(api, item) for item in expr.items]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return TupleType(known, any_tuple(api)) if isinstance(expr, TupleExpr) else _list(api, known)


def fetched_field_hook(ctx: AttributeContext) -> Type:
    """The type of a field of a record that a run returned: of what is fetched there, which may be more exact."""
    declared, expr = sets_field_hook(ctx), ctx.context
    fetch = _fetch_of(ctx.api, expr) if isinstance(expr, MemberExpr) and not ctx.is_lvalue else None
    found = None if fetch is None else fetched_type(ctx.api, fetch, is_field=True)
    return declared if found is None or not is_subtype(found, declared) else found


def _fetch_of(api: CheckerPluginInterface, field: MemberExpr) -> Expression | None:
    """What is fetched in the place of a field of a record; None if it is not known."""
    fetches = fetches_of(checker_of(api), only_value(api, field.expr))
    record = None if fetches is None else whole_of(expression_type(api, fetches))
    symbol = record.type.get(field.name) if isinstance(record, Instance) else None
    if fetches is None or not isinstance(record, Instance) or symbol is None:
        return None
    if not isinstance(symbol.node, Var) or not keeps_fields(api, field.expr, record.type):
        return None
    return field_value(api, fetches, record.type, symbol.node)


def _base_name(type_: Type) -> str:
    proper = get_proper_type(type_)
    return proper.type.fullname if isinstance(proper, Instance) else ""


def _arrays(api: CheckerPluginInterface, fetches: Sequence[Type]) -> list[Type] | None:
    """The types of the values of fetches, an array or None for an operation; None if one is not known."""
    values = [value_of(api, fetch) for fetch in fetches]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None


def value_of(api: CheckerPluginInterface, fetch: Type, *, is_field: bool = False) -> Type | None:
    """The type of the value of a fetch, which may be a structure of fetches; None if it is not known.

    A run refuses None, but in a field of a record.
    """
    operand = base_of(fetch, OPERAND)
    if operand is not None:
        return array_type(api, *operand.args)
    proper = get_proper_type(fetch)
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.list":
        item = value_of(api, proper.args[0])
        return None if item is None else _list(api, [item])
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.tuple":
        item = value_of(api, proper.args[0])
        return None if item is None else proper.copy_modified(args=[item])
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.dict":
        return _dict(api, proper.args[0])
    if isinstance(proper, TupleType):
        values = _arrays(api, proper.items)
        kind = proper.partial_fallback.type.fullname
        if kind not in ("builtins.list", "builtins.tuple"):
            return record_of_values(api, proper, partial(value_of, api, is_field=True))
        if values is None:
            return None
        return TupleType(values, any_tuple(api)) if kind == "builtins.tuple" else _list(api, values)
    if isinstance(proper, NoneType) or base_of(fetch, OPERATION):
        return NoneType()
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.str":
        return AnyType(TypeOfAny.special_form)
    if base_of(fetch, OP):
        definition = definition_of(api, fetch)
        has_no_output = definition is not None and not definition.op.outputs
        return NoneType() if has_no_output else AnyType(TypeOfAny.special_form)
    if isinstance(proper, UnionType):
        return _any_of(api, [item for item in proper.items if not _is_no_fetch(item, is_field=is_field)])
    return record_of_values(api, proper, partial(value_of, api, is_field=True))


def _any_of(api: CheckerPluginInterface, fetches: Sequence[Type]) -> Type | None:
    values = _arrays(api, fetches)
    return make_simplified_union(values) if values else None


def _is_no_fetch(type_: Type, *, is_field: bool) -> bool:
    """Whether what may be of this type is no fetch then, but the value of one, or None."""
    if isinstance(get_proper_type(type_), NoneType):
        return not is_field
    return _base_name(type_) in (ARRAY, "builtins.bool", "builtins.complex", "builtins.float", "builtins.int")


def _dict(api: CheckerPluginInterface, key: Type) -> Type:
    """The type of a dict of values, to which users add others."""
    return api.named_generic_type("builtins.dict", [key, AnyType(TypeOfAny.special_form)])


def _list(api: CheckerPluginInterface, values: list[Type]) -> Type | None:
    """The type of a list of values of one type, or of arrays of one element type, of any shape if theirs differ."""
    if not values:
        return None
    first, *others = [get_proper_type(value) for value in values]
    if all(is_same_type(first, other) for other in others):
        return api.named_generic_type("builtins.list", [first])
    if _base_name(first) != ARRAY or not isinstance(first, Instance):
        return None
    shape = first.args[0]
    for other in others:
        is_array = isinstance(other, Instance) and _base_name(other) == ARRAY
        if not isinstance(other, Instance) or not is_array or not is_same_type(other.args[1], first.args[1]):
            return None
        if not is_same_type(other.args[0], shape):
            shape = any_tuple(api)
    return api.named_generic_type("builtins.list", [first.copy_modified(args=[shape, first.args[1]])])


def _mapping(ctx: MethodContext, expr: object, type_: Type) -> Type | None:
    """The `TypedDict` of the arrays, for a `TypedDict` of fetches, or a dict display where one is expected."""
    context = get_proper_type(ctx.api.type_context[-1]) if ctx.api.type_context[-1] is not None else None
    proper = get_proper_type(type_)
    if isinstance(proper, TypedDictType):
        arrays = _arrays(ctx.api, list(proper.items.values()))
        if arrays is None:
            return None
        return _as_expected(
            context, proper.copy_modified(item_types=arrays, fallback=proper.create_anonymous_fallback())
        )
    if not isinstance(context, TypedDictType) or not isinstance(expr, DictExpr):
        return None
    keys = [key.value for key, _ in expr.items if isinstance(key, StrExpr)]
    arrays = _arrays(ctx.api, [expression_type(ctx.api, value) for _, value in expr.items])
    if arrays is None or len(keys) != len(arrays):
        return None
    made = TypedDictType(dict(zip(keys, arrays, strict=True)), set(keys), set(), context.create_anonymous_fallback())
    return _as_expected(context, made)


def _as_expected(context: Type | None, made: TypedDictType) -> TypedDictType:
    """The expected `TypedDict` if every array fits it; its items may be less exact than the arrays."""
    if (
        isinstance(context, TypedDictType)
        and context.items.keys() == made.items.keys()
        and all(is_subtype(made.items[key], item) for key, item in context.items.items())
    ):
        return context
    return made
