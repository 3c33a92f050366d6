# mypy has no public way to keep the types of expressions in one pass apart from those in others.
"""The types of expressions, as exact as they can be.

Numbers and strings have their values, lists and dicts the type of each item, and objects the attributes that their
constructor gives them. A list is a tuple to mypy then, whose class is `list`. A name has the value that it is bound
to only where nothing can change that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any, Final, cast

from mypy.nodes import (
    ARG_POS,
    CallExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UnpackType,
    get_proper_type,
)

from typegrad.base.size import Size
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Name, dim_type, shape_type
from typegrad.mypy_plugin.base.memory import Memory, forget_types, rechecking, restore_types
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of
from typegrad.mypy_plugin.base.provided import Provided
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of
from typegrad.mypy_plugin.values.bindings import Growth, has_fields
from typegrad.mypy_plugin.values.evaluation import evaluate, expression_type, known_value, length_of, shape_of_array
from typegrad.mypy_plugin.values.following import growth_before, keeps_fields, only_value
from typegrad.mypy_plugin.values.objects import Types, attributes_in, items_in, original, with_items
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.shapes.values import MAX_VALUE

__all__ = [
    "appended_types",
    "assigned_type",
    "exact_type",
    "grown_types",
    "is_container",
    "item_type",
    "items_of",
    "returned_type",
    "type_of_call",
    "types_of_targets",
    "unpacked",
    "value_type",
]

ANY: Final = AnyType(TypeOfAny.special_form)
_MOST_ITEMS: Final = 16
"""The length up to which comprehensions are checked item by item."""
_OF_ITEMS: Final = frozenset({"builtins.list", "builtins.reversed", "builtins.tuple"})
_COPIES: Final = frozenset({"builtins.list", "builtins.tuple"})
_OWN: Final = "typegrad."

appended_types: Final = Memory[ForStmt, Sequence[Mapping[Expression, Type]]]()
"""The types of what the passes of a loop append to lists, pass by pass."""
_comprehensions: Final = Memory[tuple[Expression, int], list[Type]](per_recheck=True)
"""The types of parts of comprehensions, pass by pass."""

type_of_call: Final = Provided[[CheckerPluginInterface, CallExpr, TypeInfo | FuncDef], "Type | None"]()
"""The type of what a call of a class or function makes, with its parts; of `flow/bodies`, which follows calls."""


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
    types, whole = _check_passes(api, generator, generator.left_expr), get_proper_type(type_)
    return TupleType(types, whole) if types is not None and isinstance(whole, Instance) else type_


def _array(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Type:
    """The type of an array, with its shape."""
    proper, shape = get_proper_type(type_), shape_type(api, shape_of_array(api, expr), is_gradual=False)
    if shape is None or not isinstance(proper, Instance) or proper.type.fullname != ARRAY:
        return type_
    exact = proper.copy_modified(args=[shape, proper.args[1]])
    return exact if is_subtype(exact, type_) else type_


def is_container(type_: Type) -> bool:
    """Whether values of a type are lists or dicts, with the type of each item."""
    proper = get_proper_type(type_)
    is_list = isinstance(proper, TupleType) and proper.partial_fallback.type.fullname == "builtins.list"
    return is_list or items_in(type_) is not None


def value_type(api: CheckerPluginInterface, value: Any) -> Type | None:
    """The type of a value, as exact as it can be; None if there is no such type."""
    if isinstance(value, (bool, int, str)) and not isinstance(value, Name):
        return LiteralType(value, api.named_generic_type(f"builtins.{type(value).__name__}", []))
    if isinstance(value, (Name, Size)):
        return dim_type(api, value, is_gradual=False)
    if not isinstance(value, tuple):
        return None
    items = [value_type(api, item) for item in value]
    known = [item for item in items if item is not None]
    return _tuple(api, known) if len(known) == len(items) else None


def _tuple(api: CheckerPluginInterface, items: Sequence[Type]) -> TupleType:
    return TupleType(list(items), api.named_generic_type("builtins.tuple", [ANY]))


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
        types = _comprehended(api, expr)
    if types is None or (isinstance(whole, Instance) and whole.type.fullname != "builtins.list"):
        return None
    return TupleType(types, whole) if isinstance(whole, Instance) else _tuple(api, types)


def _copied(api: CheckerPluginInterface, call: CallExpr, whole: ProperType) -> Type | None:
    """The type of `list(layers)` and `tuple(layers)`."""
    function = call.callee.fullname if isinstance(call.callee, RefExpr) else ""
    if function not in _COPIES or call.arg_kinds != [ARG_POS] or not isinstance(whole, Instance):
        return None
    items = _of_function(api, function, call.args)
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
    return TupleType(types, whole) if types is not None and len(types) <= _MOST_ITEMS else None


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
        names = [_text(each) for each in parts[::2]] if parts is not None else [None]
        known = [each for each in names if each is not None]
        if parts is None or len(known) < len(names):
            return None
        result |= dict(zip(known, parts[1::2], strict=True))
    return with_items(whole, result) if len(result) <= _MOST_ITEMS else None


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
        return [types[each] for types in appended_types[loop] for each in exprs]
    count = length_of(api, loop.expr)
    is_known = isinstance(count, int) and count <= MAX_VALUE
    return [expression_type(api, each) for each in exprs] * count if isinstance(count, int) and is_known else None


def _never_hides(api: CheckerPluginInterface, manager: Expression) -> bool:
    """Whether a context manager lets all exceptions pass, as typegrad's do."""
    proper = get_proper_type(expression_type(api, manager))
    return isinstance(proper, Instance) and proper.type.fullname.startswith(_OWN)


def item_type(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of an item. A list in a list may change, so it keeps the type that mypy gives it."""
    inner = as_written(expr)
    plain = expression_type(api, inner)
    exact = exact_type(api, inner, plain)
    return plain if is_container(exact) else exact


def _comprehended(api: CheckerPluginInterface, expr: ListComprehension) -> list[Type] | None:
    """The type of each item of a comprehension over something whose items are known."""
    return _types_by_pass(api, expr.generator, expr.generator.left_expr)


def _types_by_pass(
    api: CheckerPluginInterface, generator: GeneratorExpr | DictionaryComprehension, expr: Expression
) -> list[Type] | None:
    """The type of a part of a comprehension in each pass."""
    key = expr, checker_of(api).pass_num
    types = _comprehensions.get(key)
    if types is None and all(map(_is_fixed(api), nodes_of(generator))):
        types = _check_passes(api, generator, expr)
    if types is not None:  # else the iterable may be known later
        _comprehensions[key] = types
    return types


def _check_passes(
    api: CheckerPluginInterface, generator: GeneratorExpr | DictionaryComprehension, expr: Expression
) -> list[Type] | None:
    if len(generator.sequences) != 1 or generator.condlists[0]:
        return None
    items = items_of(api, generator.sequences[0])
    targets = [types_of_targets(generator.indices[0], each) for each in items or ()]
    known = [each for each in targets if each is not None]
    if items is None or len(known) < len(items) or len(items) > _MOST_ITEMS:
        return None
    return [_in_pass(api, expr, types) for types in known]


def _comprehended_dict(api: CheckerPluginInterface, expr: DictionaryComprehension, whole: Instance) -> Type | None:
    """The type of a comprehension with strings as keys."""
    if expr.key is None:  # {**each for each in dicts}
        return None
    keys, values = (_types_by_pass(api, expr, each) for each in (expr.key, expr.value))
    names = [_text(each) for each in keys or ()]
    known = [each for each in names if each is not None]
    is_known = values is not None and keys is not None and len(set(known)) == len(keys) and known
    return with_items(whole, dict(zip(known, values, strict=True))) if values is not None and is_known else None


def _text(type_: Type) -> str | None:
    proper = get_proper_type(type_)
    return proper.value if isinstance(proper, LiteralType) and isinstance(proper.value, str) else None


def _is_fixed(api: CheckerPluginInterface) -> Callable[[object], bool]:
    """Whether a part of an expression means the same wherever it is evaluated: no name in it is bound twice."""
    stores = bindings_of(checker_of(api).tree).stores

    def is_fixed(node: object) -> bool:
        return not isinstance(node, RefExpr) or not isinstance(node.node, Var) or len(stores.get(node.node, ())) < 2

    return is_fixed


def _in_pass(api: CheckerPluginInterface, expr: Expression, types: dict[NameExpr, Type]) -> Type:
    """The type of an expression while names have these types."""
    checker = checker_of(api)
    binder = checker.binder
    before = forget_types(checker, expr)
    variables = [(name.node, name.node.type) for name in types if isinstance(name.node, Var)]
    checker._type_maps.append({})
    binder.push_frame()
    try:
        with rechecking(), checker.msg.filter_errors():
            for name, type_ in types.items():
                if isinstance(name.node, Var):  # mypy narrows a union of functions to one that returns Never
                    name.node.type = type_
                binder.put(name, type_)
            checker.expr_checker.accept(expr)
            return item_type(api, expr)
    finally:
        for variable, declared in variables:
            variable.type = declared
        binder.frames.pop()
        binder.options_on_return.pop()
        checker._type_maps.pop()
        restore_types(before)


def items_of(api: CheckerPluginInterface, expr: Expression) -> Sequence[Type] | None:
    """The types of the items of an iterable; None if they, or their number, are not known."""
    plain = expression_type(api, expr)
    numbers = value_type(api, evaluate(api, expr, plain))  # also of a list, such as `sizes[1:]`
    whole = get_proper_type(numbers if isinstance(numbers, TupleType) else exact_type(api, expr, plain))
    if isinstance(whole, TupleType):
        return None if any(isinstance(item, UnpackType) for item in whole.items) else whole.items
    items = items_in(whole)
    if items is not None:
        return [value_type(api, name) or ANY for name in items]
    callee = expr.callee if isinstance(expr, CallExpr) else None
    if not isinstance(expr, CallExpr) or not isinstance(callee, RefExpr):
        return None
    if isinstance(callee, MemberExpr) and not expr.args:
        return _of_dict(api, callee)
    positional = [arg for arg, kind in zip(expr.args, expr.arg_kinds, strict=True) if kind is ARG_POS]
    if len(positional) + ("strict" in expr.arg_names) < len(expr.args) or not positional:
        return None
    return _of_function(api, callee.fullname, positional)


def _of_dict(api: CheckerPluginInterface, method: MemberExpr) -> Sequence[Type] | None:
    """The items of `layers.values()` or `layers.items()`."""
    items = items_in(exact_type(api, method.expr, expression_type(api, method.expr)))
    if items is None or method.name not in ("items", "values"):
        return None
    if method.name == "values":
        return list(items.values())
    return [_tuple(api, [value_type(api, name) or ANY, type_]) for name, type_ in items.items()]


def _of_function(api: CheckerPluginInterface, function: str, args: Sequence[Expression]) -> Sequence[Type] | None:
    """The items of what one of Python's functions returns."""
    if function == "builtins.range":
        bounds = [known_value(api, each) for each in args]
        if any(type(bound) is not int for bound in bounds) or 0 in bounds[2:]:
            return None
        numbers = range(*bounds)
        return [value_type(api, each) or ANY for each in numbers] if len(numbers) <= _MOST_ITEMS else None
    columns = [items_of(api, each) for each in args]
    known = [each for each in columns if each is not None]
    if len(known) < len(columns):
        return None
    if function == "builtins.zip":
        return [_tuple(api, row) for row in zip(*known, strict=False)]
    if function == "itertools.pairwise":
        return [_tuple(api, pair) for pair in pairwise(known[0])]
    if function == "builtins.enumerate" and len(args) == 1:
        return [_tuple(api, [value_type(api, place) or ANY, item]) for place, item in enumerate(known[0])]
    if function not in _OF_ITEMS:
        return None
    return known[0][::-1] if function == "builtins.reversed" else known[0]


def unpacked(api: CheckerPluginInterface, target: TupleExpr, value: Expression) -> dict[NameExpr, Type]:
    """The types of the names in a target with a star, `*hidden, last`; of the list, if nothing can change it."""
    items, count = items_of(api, value), len(target.items)
    if items is None or len(items) < count - 1 or not all(map(_is_name, target.items)):
        return {}
    place = next(place for place, each in enumerate(target.items) if isinstance(each, StarExpr))
    end = len(items) - (count - 1 - place)
    starred, bindings = cast("StarExpr", target.items[place]).expr, bindings_of(checker_of(api).tree)
    single = [*target.items[:place], *target.items[place + 1 :]]
    result = dict(zip(cast("list[NameExpr]", single), [*items[:place], *items[end:]], strict=True))
    if isinstance(starred, NameExpr) and isinstance(starred.node, Var) and bindings.keeps(starred.node):
        result[starred] = TupleType(list(items[place:end]), api.named_generic_type("builtins.list", [ANY]))
    return result


def _is_name(target: Expression) -> bool:
    return isinstance(target.expr if isinstance(target, StarExpr) else target, NameExpr)


def types_of_targets(target: Expression, type_: Type) -> dict[NameExpr, Type] | None:
    """The type of each name in a target that is assigned a value of this type."""
    if isinstance(target, NameExpr):
        return {target: type_}
    proper = get_proper_type(type_)
    if not is_plain(target) or not isinstance(proper, TupleType) or len(target.items) != len(proper.items):
        return None
    parts = [types_of_targets(each, item) for each, item in zip(target.items, proper.items, strict=True)]
    return None if None in parts else {name: each for part in parts if part for name, each in part.items()}
