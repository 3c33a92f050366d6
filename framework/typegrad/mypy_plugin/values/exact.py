"""The types of expressions, as exact as they can be.

Numbers and strings have their values, lists and dicts the type of each item, and objects the attributes that their
constructor gives them. A list is a tuple to mypy then, whose class is `list`. A name has the value that it is bound
to only where nothing can change that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from mypy.nodes import (
    ARG_POS,
    CallExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    ListComprehension,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import FunctionLike, Instance, ProperType, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import is_of_typegrad
from typegrad.mypy_plugin.base.dims import shape_type
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of
from typegrad.mypy_plugin.base.provided import Provided
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of
from typegrad.mypy_plugin.values.bindings import Growth, has_fields
from typegrad.mypy_plugin.values.comprehensions import types_by_pass, types_in_passes
from typegrad.mypy_plugin.values.evaluation import evaluate, length_of, shape_of_array
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import growth_before, keeps_fields, only_value
from typegrad.mypy_plugin.values.iterables import (
    MOST_ITEMS,
    item_type,
    items_of,
    items_of_call,
    known_type,
    types_of_targets,
)
from typegrad.mypy_plugin.values.objects import Types, attributes_in, is_container, items_in, original, with_items
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.value_types import text_of, tuple_of, value_type
from typegrad.shapes.values import MAX_VALUE

__all__ = ["appended_types", "assigned_type", "exact_type", "grown_types", "returned_type", "type_of_call"]

_COPIES: Final = frozenset({"builtins.list", "builtins.tuple"})

appended_types: Final = Memory[ForStmt, Sequence[Mapping[Expression, Type]]]()
"""The types of what the passes of a loop append to lists, pass by pass."""

type_of_call: Final = Provided[[CheckerPluginInterface, CallExpr, TypeInfo | FuncDef], "Type | None"]()
"""The type of what a call of a class or function makes, with its parts; of `flow/bodies`, which follows calls."""


@known_type.provide
def exact_type(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Type:
    """The type of an expression, as exact as it can be, but still a subtype of `type_`."""
    if base_of(type_, OPERAND) is not None or attributes_in(type_) is not None or is_container(type_):
        return type_
    if base_of(type_, ARRAY) is not None:
        return _array(api, expr, type_)
    found = value_type(api, evaluate(api, expr, type_))
    if found is None or not is_subtype(found, type_):
        known = only_value(api, expr)
        found = None if known is None else _type_made(api, expr, known, type_)
        if found is None and (known is None or isinstance(known, CallExpr)):
            found = _grown(api, expr, type_) or _of_loop(api, expr)
    return type_ if found is None or not is_subtype(found, type_) else found


def assigned_type(api: CheckerPluginInterface, target: NameExpr, value: Expression, type_: Type) -> Type:
    """The type of the list that a statement has just assigned to a name which others assign, too."""
    stores = bindings_of(checker_of(api).tree, target)
    variable = target.node
    if not isinstance(variable, Var) or None in stores.stores.get(variable, [None]) or not stores.keeps(variable):
        return type_
    if not isinstance(value, ListComprehension):
        return exact_type(api, value, type_)
    generator = value.generator
    if any(isinstance(each, RefExpr) and each.node is variable for each in nodes_of(generator.left_expr)):
        return type_
    types, whole = types_in_passes(api, generator, generator.left_expr), get_proper_type(type_)
    return TupleType(types, whole) if types is not None and isinstance(whole, Instance) else type_


def _array(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Type:
    """The type of an array, with its shape."""
    proper, shape = get_proper_type(type_), shape_type(api, shape_of_array(api, expr), is_gradual=False)
    if shape is None or not isinstance(proper, Instance) or proper.type.fullname != ARRAY:
        return type_
    exact = proper.copy_modified(args=[shape, proper.args[1]])
    return exact if is_subtype(exact, type_) else type_


def _type_made(api: CheckerPluginInterface, owner: Expression, expr: Expression, type_: Type) -> Type | None:
    """The type of what an expression makes, which `owner` is bound to: a list, a tuple, a dict or an object."""
    whole = get_proper_type(type_)
    if isinstance(expr, CallExpr):
        return _copied(api, expr, whole) or _called(api, owner, expr)
    if isinstance(expr, DictExpr) and isinstance(whole, Instance):
        return _of_items(api, expr.items, whole)
    if isinstance(expr, OpExpr) and expr.op == "|" and isinstance(whole, Instance):
        return _of_items(api, [(None, expr.left), (None, expr.right)], whole)
    if isinstance(expr, DictionaryComprehension) and isinstance(whole, Instance):
        return _comprehended_dict(api, expr, whole)
    types = [item_type(api, each) for each in expr.items] if is_plain(expr) else None
    if isinstance(expr, ListComprehension):
        types = types_by_pass(api, expr.generator, expr.generator.left_expr)
    if types is None or (isinstance(whole, Instance) and whole.type.fullname != "builtins.list"):
        return None
    return TupleType(types, whole) if isinstance(whole, Instance) else tuple_of(api, types)


def _copied(api: CheckerPluginInterface, call: CallExpr, whole: ProperType) -> Type | None:
    """The type of `list(layers)` and `tuple(layers)`."""
    function = call.callee.fullname if isinstance(call.callee, RefExpr) else ""
    if function not in _COPIES or call.arg_kinds != [ARG_POS] or not isinstance(whole, Instance):
        return None
    items = items_of_call(api, function, call.args)
    return None if items is None else TupleType(list(items), whole)


def _called(api: CheckerPluginInterface, owner: Expression, call: CallExpr) -> Type | None:
    """The type of what a call of a class or function makes, which `owner` is bound to."""
    callee = _class_of(api, call.callee) or _function(call.callee)
    if callee is None or (isinstance(callee, TypeInfo) and has_fields(callee) and not keeps_fields(api, owner, callee)):
        return None
    made = type_of_call(api, call, callee)
    return made if made is None or isinstance(callee, TypeInfo) or _stays(api, owner, call, made) else None


def _class_of(api: CheckerPluginInterface, callee: Expression) -> TypeInfo | None:
    """The class that is called, by its name or by the `cls` of a method of the class."""
    node = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(node, TypeInfo):
        return node
    known = checker_of(api).binder.get(callee) if isinstance(callee, NameExpr) and node is not None else None
    proper = None if known is None else get_proper_type(known)
    return proper.type_object() if isinstance(proper, FunctionLike) and proper.is_type_obj() else None


def _function(callee: Expression) -> FuncDef | None:
    """The function that is called by its name, or as a method of its class: `Layer.make(8, 4)`."""
    if not isinstance(callee, MemberExpr) or callee.fullname:
        node = callee.node if isinstance(callee, RefExpr) else None
        return node if isinstance(node, FuncDef) else None
    info = callee.expr.node if isinstance(callee.expr, RefExpr) else None
    symbol = info.names.get(callee.name) if isinstance(info, TypeInfo) else None
    method = symbol.node if symbol is not None else None
    function = method.func if isinstance(method, Decorator) and not method.decorators else None
    return function if function is not None and (function.is_static or function.is_class) else None


def returned_type(api: CheckerPluginInterface, call: CallExpr) -> Type | None:
    """The type of what a call of a function of this file returns, as its body makes it of these arguments."""
    function = _function(call.callee)
    return None if function is None else type_of_call(api, call, function)


def _stays(api: CheckerPluginInterface, owner: Expression, call: CallExpr, made: Type) -> bool:
    """Whether nothing changes the parts of what a call of a function makes, which `owner` is bound to."""
    if owner is call:
        return True
    if not is_container(made):
        info = original(made)
        return info is None or not has_fields(info) or keeps_fields(api, owner, info)
    variable = owner.node if isinstance(owner, NameExpr) else None
    return isinstance(variable, Var) and bindings_of(checker_of(api).tree, owner).keeps(variable)


def _grown(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Type | None:
    """The type of a list or dict that has grown up to an expression."""
    growth, whole = growth_before(api, expr), get_proper_type(type_)
    if growth is None or not isinstance(whole, Instance):
        return None
    if whole.type.fullname == "builtins.dict":
        return _grown_dict(api, growth, whole)
    types = grown_types(api, growth)
    return TupleType(types, whole) if types is not None and len(types) <= MOST_ITEMS else None


def _grown_dict(api: CheckerPluginInterface, growth: Growth, whole: Instance) -> Type | None:
    """The type of a dict that begins as a display, or as what a function returns, and has grown."""
    made = growth.made
    begun = _of_items(api, made.items, whole) if isinstance(made, DictExpr) else None
    if isinstance(made, CallExpr):
        begun = _called(api, made, made)
    items = None if begun is None else items_in(begun)
    if items is None or not _is_certain(api, growth) or any(each.addition.key is None for each in growth.added):
        return None
    result = dict(items)
    for loop, group in groupby(growth.added, attrgetter("loop")):
        exprs = [part for each in group for part in (each.addition.key, each.addition.expr) if part is not None]
        parts = _added_types(api, loop, exprs)
        added = None if parts is None else _by_key(parts[::2], parts[1::2])
        if added is None:
            return None
        result |= added
    return with_items(whole, result) if len(result) <= MOST_ITEMS else None


def _of_items(
    api: CheckerPluginInterface, items: Sequence[tuple[Expression | None, Expression]], whole: Instance
) -> Type | None:
    """The type of a dict with these items; the last one of a key counts."""
    result: dict[str, Type] = {}
    for key, value in items:
        merged = _merged(api, value) if key is None else None
        if isinstance(key, StrExpr):
            merged = {key.value: item_type(api, value)}
        if merged is None:
            return None
        result |= merged
    return with_items(whole, result) if whole.type.fullname == "builtins.dict" else None


def _merged(api: CheckerPluginInterface, expr: Expression) -> Types | None:
    """The items of a dict that goes into another one: `{**layers, "out": w}`, `layers | {"out": w}`."""
    inner = as_written(expr)
    return items_in(exact_type(api, inner, expression_type(api, inner)))


def _of_loop(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The type of a name that a loop binds to items of one type."""
    variable = expr.node if isinstance(expr, NameExpr) else None
    bindings = bindings_of(checker_of(api).tree, expr)
    if not isinstance(variable, Var) or variable not in bindings.loops or len(bindings.stores[variable]) != 1:
        return None
    loop = bindings.loops[variable]
    targets = [types_of_targets(loop.index, each) or {} for each in items_of(api, loop.expr) or ()]
    types = [type_ for each in targets for name, type_ in each.items() if name.node is variable]
    return types[0] if types and len(types) == len(targets) and all(each == types[0] for each in types) else None


def _is_certain(api: CheckerPluginInterface, growth: Growth) -> bool:
    """Whether all statements that add to a container have run behind them."""
    managers = [manager for each in growth.added for manager in each.managers]
    exprs = [each.addition.expr for each in growth.added]
    return all(map(checker_of(api).has_type, exprs)) and all(_never_hides(api, each) for each in managers)


def grown_types(api: CheckerPluginInterface, growth: Growth) -> list[Type] | None:
    """The types of the items of a list that has grown; None if they, or their number, are not known."""
    made = growth.made
    if made is not None and not is_plain(made):
        return None
    if any(each.addition.key is not None for each in growth.added) or not _is_certain(api, growth):
        return None
    result = [] if made is None else [item_type(api, each) for each in made.items]
    for loop, group in groupby(growth.added, attrgetter("loop")):
        types = _added_types(api, loop, [each.addition.expr for each in group])
        if types is None:
            return None
        result += types
    return result


def _added_types(api: CheckerPluginInterface, loop: ForStmt | None, exprs: list[Expression]) -> list[Type] | None:
    """The types of the items that statements append, or a loop in all its passes."""
    if loop is None:
        return [item_type(api, each) for each in exprs]
    if loop in appended_types:
        passes = appended_types[loop]
        are_known = all(each in types for types in passes for each in exprs)
        return [types[each] for types in passes for each in exprs] if are_known else None
    count = length_of(api, loop.expr)
    is_known = isinstance(count, int) and count <= MAX_VALUE
    return [expression_type(api, each) for each in exprs] * count if isinstance(count, int) and is_known else None


def _never_hides(api: CheckerPluginInterface, manager: Expression) -> bool:
    """Whether a context manager lets all exceptions pass, as typegrad's do."""
    return is_of_typegrad(expression_type(api, manager))


def _comprehended_dict(api: CheckerPluginInterface, expr: DictionaryComprehension, whole: Instance) -> Type | None:
    """The type of a comprehension with strings as keys."""
    if expr.key is None:  # {**each for each in dicts}
        return None
    keys, values = (types_by_pass(api, expr, each) for each in (expr.key, expr.value))
    items = None if keys is None or values is None else _by_key(keys, values)
    return with_items(whole, items) if keys and items is not None and len(items) == len(keys) else None


def _by_key(keys: Sequence[Type], values: Sequence[Type]) -> dict[str, Type] | None:
    """The types of values by keys that are known strings; None if one is not known."""
    names = [name for name in map(text_of, keys) if name is not None]
    return dict(zip(names, values, strict=True)) if len(names) == len(keys) else None
