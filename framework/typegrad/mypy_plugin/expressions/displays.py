"""Displays for which mypy infers a type that their items do not have, and merged dicts.

- `{**feeds, y: b}` and `feeds | {y: b}`: the keys of a dict are invariant, so mypy refuses operands of two types.
- `{"relu": nn.Relu.create, "elu": nn.Elu.create}`, also in a dict of such dicts: the join of two generic functions
  accepts no operand. The join of two objects of `functools.partial` is no function at all.
- `{"encoder": [w], "decoder": [v]}`: lists are invariant, so that the join of two is `object` if the shapes differ.
- `fetches = {"loss": loss, "count": count}`: operands are invariant in their element type, so the join is `object`.

Before mypy checks such an expression, casts replace its parts: to a dict of anything, to a union of the functions, to
containers of operands of any shape, to an operand of any type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, TypeGuard

from mypy.nodes import (
    ARG_NAMED,
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    StarExpr,
    TupleExpr,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_same_type, is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.arrays.feeds import has_operands
from typegrad.mypy_plugin.base.casts import as_written, cast_to
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of, maps_operands, union_items
from typegrad.mypy_plugin.expressions.refusals import any_operand, makes_operation, type_of
from typegrad.mypy_plugin.types.widening import CONTAINERS, any_of, holds_operands, joined, of_any_shape, widened
from typegrad.mypy_plugin.values.following import bound_values

__all__ = [
    "PARTIAL",
    "Display",
    "Operands",
    "chooses_function",
    "is_display",
    "is_own_function",
    "may_be_operands",
    "settle_display",
    "settle_grown",
    "settle_operands",
]

Operands: TypeAlias = DictExpr | ListExpr | TupleExpr
Display: TypeAlias = CallExpr | ConditionalExpr | DictExpr | ListExpr | OpExpr | TupleExpr
PARTIAL: Final = "functools.partial"
_DICT: Final = "builtins.dict"
_MAPPING: Final = "typing.Mapping"
_ITERABLE: Final = "typing.Iterable"
_ORDERED: Final = "collections.OrderedDict"
_CONTAINERS: Final = (
    *(DictExpr, DictionaryComprehension, ListComprehension, ListExpr, SetComprehension, SetExpr),
    *(LambdaExpr, MemberExpr, NameExpr),
)
"""What may be a container or a function, and costs little to look at."""


def is_display(expr: Expression) -> TypeGuard[Display]:
    """Whether an expression may be one that mypy alone refuses."""
    if isinstance(expr, OpExpr):
        return expr.op == "|"
    if isinstance(expr, DictExpr) and any(key is None for key, _ in expr.items):
        return True
    parts = _parts(expr)
    if isinstance(expr, DictExpr) and len(parts) == 1:
        return is_display(parts[0])
    columns = [parts, *_columns(parts)] if len(parts) > 1 else []
    return any(_are_functions(each) or _may_be_objects(expr, each) for each in columns)


def settle_display(api: CheckerPluginInterface, expr: Display) -> None:
    """Put casts into a display."""
    if isinstance(expr, OpExpr):
        if not any(_item_of(api, side) for side in (expr.left, expr.right)):
            expr.left, expr.right = (_of_anything(api, side) for side in (expr.left, expr.right))
        return
    if isinstance(expr, DictExpr) and _merge(api, expr):
        return
    if isinstance(expr, DictExpr):
        expr.items = [(key, value if key else _of_anything(api, value, _MAPPING)) for key, value in expr.items]
    parts = _parts(expr)
    if isinstance(expr, DictExpr) and len(parts) == 1 and is_display(parts[0]):
        settle_display(api, parts[0])
    _replace(expr, _settled(api, expr, parts))
    rows = [part for part in parts if isinstance(part, TupleExpr)]
    for position, column in enumerate(_columns(parts)):
        for row, item in zip(rows, _settled(api, expr, column), strict=True):
            row.items[position] = item


def _merge(api: CheckerPluginInterface, display: DictExpr) -> bool:
    """Put casts to what its items have in common into a merged dict of operands; return whether it is one."""
    if all(key is not None for key, _ in display.items):
        return False
    items = [_item_of(api, value) if key is None else type_of(api, value) for key, value in display.items]
    known = [each for each in items if each is not None and holds_operands(each)]
    common = (joined(api, known) or any_of(known)) if len(known) == len(items) else None
    if common is None:
        return False
    merged = api.named_generic_type(_MAPPING, [api.named_generic_type("builtins.str", []), common])
    types = [common if key else merged for key, _ in display.items]
    rows = [(key, value, type_) for (key, value), type_ in zip(display.items, types, strict=True)]
    display.items = [
        (key, value if is_same_type(type_of(api, value), type_) else cast_to(value, type_))
        for key, value, type_ in rows
    ]
    return True


def _item_of(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The operand that a dict with strings as keys holds; None for anything else, such as feeds."""
    mapping = base_of(type_of(api, expr), _MAPPING)
    is_named = mapping is not None and base_of(mapping.args[0], "builtins.str") is not None
    return mapping.args[-1] if mapping is not None and is_named and holds_operands(mapping.args[-1]) else None


def _settled(api: CheckerPluginInterface, expr: Expression, parts: Sequence[Expression]) -> Sequence[Expression]:
    if _are_functions(parts):
        return _as_union(api, expr, parts, [type_of(api, part) for part in parts])
    return _of_any_shape(api, expr, parts) if _may_be_objects(expr, parts) else parts


def _as_union(
    api: CheckerPluginInterface, expr: Expression, parts: Sequence[Expression], types: Sequence[Type]
) -> Sequence[Expression]:
    """Functions, or containers of such, with casts to their union; anything else as it is."""
    functions = _functions_in(types)
    if functions is None:
        return parts
    is_chosen = isinstance(expr, (CallExpr, DictExpr)) and _differ(functions, all(map(_is_callable, types)))
    function = _any_function(api, functions) if is_chosen else UnionType.make_union(functions)
    return [_as_common(api, part, _with_functions(type_, function)) for part, type_ in zip(parts, types, strict=True)]


def _differ(functions: Sequence[Type], is_flat: bool) -> bool:
    """Whether no call fits all of the functions in a dict, or not every one in different dicts of it."""
    callables = [each for each in functions if isinstance(each, CallableType)]
    most = {sum(kind.is_positional() for kind in each.arg_kinds) for each in callables}
    return len({each.min_args for each in callables}) > 1 or (len(most) > 1 and not is_flat)


def _functions_in(types: Sequence[Type]) -> Sequence[Type] | None:
    """The functions that types are, or that containers of one type hold; None for anything else."""
    proper = list(map(get_proper_type, types))
    functions = [each for type_ in proper for each in (type_.items if isinstance(type_, UnionType) else [type_])]
    if all(map(_is_callable, functions)):
        return functions
    first, wholes = proper[0], [each for each in proper if isinstance(each, Instance)]
    if not isinstance(first, Instance) or first.type.fullname not in CONTAINERS or len(wholes) < len(proper):
        return None
    if any(each.type is not first.type or not _are_same([*first.args[:-1], *each.args[:-1]]) for each in wholes):
        return None
    return _functions_in([each.args[-1] for each in wholes])


def _with_functions(type_: Type, function: Type) -> Type:
    """The type of a function, or of a container of such, that may be any of several."""
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance) or proper.type.fullname not in CONTAINERS:
        return function
    return proper.copy_modified(args=[*proper.args[:-1], _with_functions(proper.args[-1], function)])


def _any_function(api: CheckerPluginInterface, functions: Sequence[Type]) -> CallableType:
    """A function that takes anything, and returns an operand if each of the functions does."""
    anything: Type = AnyType(TypeOfAny.special_form)
    results = [base_of(each.ret_type, OPERAND) for each in functions if isinstance(each, CallableType)]
    result = any_operand(api) if len(results) == len(functions) and None not in results else anything
    fallback = api.named_generic_type("builtins.function", [])
    kinds = [ARG_STAR, ARG_STAR2]
    return CallableType([anything, anything], kinds, [None, None], result, fallback, is_ellipsis_args=True)


def _as_common(api: CheckerPluginInterface, part: Expression, common: Type) -> Expression:
    """A function with a cast to a union, or a container of such.

    In a display, it is the functions that have a cast, as mypy gives the display the type that is expected of it.
    """
    whole = get_proper_type(common)
    if not isinstance(part, (DictExpr, ListExpr)) or not isinstance(whole, Instance):
        written = as_written(part)
        return written if is_same_type(type_of(api, written), common) else cast_to(written, common)
    made = DictExpr(part.items) if isinstance(part, DictExpr) else ListExpr(part.items)  # mypy keeps the type of `part`
    _replace(made, [_as_common(api, each, whole.args[-1]) for each in _parts(part)])
    made.set_line(part)
    return made


def _may_be_objects(expr: Expression, parts: Sequence[Expression]) -> bool:
    """Whether parts of a list or dict, which has one type for all of them, may be containers, objects or functions."""
    is_joined = isinstance(expr, (CallExpr, DictExpr, ListExpr)) and len(parts) > 1
    return is_joined and all(isinstance(each, _CONTAINERS) or _makes_object(each) for each in parts)


def _makes_object(expr: Expression) -> bool:
    """Whether an expression creates an object of a generic class: `Cell(x)`."""
    class_ = expr.callee.node if isinstance(expr, CallExpr) and isinstance(expr.callee, RefExpr) else None
    return isinstance(class_, TypeInfo) and bool(class_.defn.type_vars) and not class_.fullname.startswith(OWN)


def _of_any_shape(api: CheckerPluginInterface, expr: Expression, parts: Sequence[Expression]) -> Sequence[Expression]:
    """Objects with casts to what they are if the shapes may be any, functions to their union; else as they are."""
    for part in parts:
        if is_display(part):
            settle_display(api, part)
    types: list[Type] = [type_of(api, part) for part in parts]
    if _are_same(types):
        return parts
    if any(map(_holds_own_function, types)):
        return _as_union(api, expr, parts, types)
    for wide in ([_opened(type_) for type_ in types], [_of_any_class(type_) for type_ in types]):
        if _are_same(wide):
            pairs = zip(parts, types, strict=True)
            return [part if is_same_type(type_, wide[0]) else cast_to(part, wide[0]) for part, type_ in pairs]
    return parts


def _opened(type_: Type) -> Type:
    """What holds operands, or a function that returns one, for operands of any shape."""
    if isinstance(type_, CallableType):
        return type_.copy_modified(ret_type=of_any_shape(type_.ret_type))
    return type_ if _is_value(type_) else of_any_shape(type_)


def _of_any_class(type_: Type) -> Type:
    """The type of a container of operands, widened to operands of any operation; an operand's or array's own type."""
    return type_ if _is_value(type_) else widened(type_, keeps_variables=True)


def _is_value(type_: Type) -> bool:
    """Whether a type is an operand or an array itself."""
    return base_of(type_, OPERAND) is not None or base_of(type_, ARRAY) is not None


def _holds_own_function(type_: Type) -> bool:
    """Whether a type is a function of typegrad, a union with one, or a container of such."""
    proper = get_proper_type(type_)
    if isinstance(proper, CallableType):
        return proper.definition is not None and proper.definition.fullname.startswith(OWN)
    if isinstance(proper, UnionType):
        return any(map(_holds_own_function, proper.items))
    return isinstance(proper, Instance) and proper.type.fullname in CONTAINERS and _holds_own_function(proper.args[-1])


def settle_operands(api: CheckerPluginInterface, expr: Operands) -> None:
    """Put casts into a display of operands of several element types, or of operands and operations such as updates."""
    parts = _parts(expr)
    wholes = [type_of(api, part.expr) for part in parts if isinstance(part, StarExpr)]
    if isinstance(expr, TupleExpr) and all(isinstance(whole, TupleType) for whole in wholes):
        return  # mypy knows the items one by one
    types = [_unpacked(api, part) if isinstance(part, StarExpr) else type_of(api, part) for part in parts]
    items = [item for type_ in types for item in union_items(type_)]
    elements = [each.args[0] for each in (base_of(item, OPERAND) for item in items) if each is not None]
    common = any_of(types)
    if common is not None and elements and (len(elements) < len(items) or not _are_same(elements)):
        _replace(expr, [_cast_item(api, part, common) for part in parts])


def _unpacked(api: CheckerPluginInterface, part: StarExpr) -> Type:
    """The type of each item that a part with a star unpacks to."""
    checker, whole = checker_of(api), type_of(api, part.expr)
    with checker.msg.filter_errors():
        return checker.analyze_iterable_item_type_without_expression(whole, part)[1]


def _cast_item(api: CheckerPluginInterface, part: Expression, common: Type) -> Expression:
    if not isinstance(part, StarExpr):
        return cast_to(part, common)
    starred = StarExpr(cast_to(part.expr, api.named_generic_type(_ITERABLE, [common])))
    starred.set_line(part)
    return starred


def settle_grown(api: CheckerPluginInterface, target: IndexExpr) -> None:
    """Give a container that has grown in a branch one type, for which there is a hook: `table["x"] = x`."""
    binder, name = checker_of(api).binder, target.base
    union = get_proper_type(binder.get(name)) if isinstance(name, (MemberExpr, NameExpr)) else None
    wholes = (
        [each for each in map(get_proper_type, union.items) if isinstance(each, Instance)]
        if isinstance(union, UnionType)
        else []
    )
    if not isinstance(union, UnionType) or len(wholes) < len(union.items) or not all(each.args for each in wholes):
        return
    first, items = wholes[0], [each.args[-1] for each in wholes]
    if first.type.fullname not in CONTAINERS or not _are_same(
        [each.copy_modified(args=[*each.args[:-1], items[0]]) for each in wholes]
    ):
        return
    wide = (each for each in items if all(is_subtype(other, each) for other in items))
    common = joined(api, items) or next(wide, None)
    if common is not None:
        binder.put(name, first.copy_modified(args=[*first.args[:-1], common]))


def may_be_operands(expr: Expression) -> TypeGuard[Operands]:
    """Whether an expression is a display of what may be operands, and costs little to look at."""
    parts = _parts(expr) if isinstance(expr, (DictExpr, ListExpr, TupleExpr)) else ()
    kinds = (MemberExpr, NameExpr, OpExpr, StarExpr)
    return len(parts) > 1 and all(isinstance(each, kinds) or makes_operation(each) for each in parts)


def _are_same(types: Sequence[Type]) -> bool:
    return all(is_same_type(each, types[0]) for each in types[1:])


def _is_callable(type_: Type) -> bool:
    is_partial = isinstance(type_, Instance) and type_.type.fullname == PARTIAL
    return is_partial or (isinstance(type_, FunctionLike) and not type_.is_type_obj())


def _columns(parts: Sequence[Expression]) -> Sequence[Sequence[Expression]]:
    """The columns of a display of tuples: `[(8, relu), (4, tanh)]` has a column of functions."""
    rows = [part.items for part in parts if isinstance(part, TupleExpr)]
    return list(zip(*rows, strict=True)) if len(rows) == len(parts) and len(set(map(len, rows))) == 1 else []


def _parts(expr: Expression) -> Sequence[Expression]:
    if isinstance(expr, DictExpr):
        return [value for key, value in expr.items if key is not None]
    if isinstance(expr, ConditionalExpr):
        return [expr.if_expr, expr.else_expr]
    if isinstance(expr, CallExpr):
        return expr.args if _makes_dict(expr) else []
    return expr.items if isinstance(expr, (ListExpr, TupleExpr)) else []


def _makes_dict(call: CallExpr) -> bool:
    """Whether a call is a display of a dict in other words: `OrderedDict(a=x, b=y)`."""
    is_ordered = isinstance(call.callee, RefExpr) and call.callee.fullname == _ORDERED
    return is_ordered and all(kind == ARG_NAMED for kind in call.arg_kinds)


def _replace(expr: Display, parts: Sequence[Expression]) -> None:
    rest = iter(parts)
    if isinstance(expr, DictExpr):
        expr.items = [(key, next(rest) if key else value) for key, value in expr.items]
    elif isinstance(expr, ConditionalExpr):
        expr.if_expr, expr.else_expr = rest
    elif isinstance(expr, CallExpr):
        expr.args = list(rest)
    elif isinstance(expr, (ListExpr, TupleExpr)):
        expr.items = list(rest)


def _are_functions(parts: Sequence[Expression]) -> bool:
    """Whether expressions may be functions, some of them of typegrad."""
    functions = list(map(_function, parts))
    return (
        len(parts) > 1 and all(isinstance(each, RefExpr) for each in functions) and any(map(is_own_function, functions))
    )


def _function(part: Expression) -> Expression:
    """What a `functools.partial` calls; any other expression itself."""
    is_partial = isinstance(part, CallExpr) and isinstance(part.callee, RefExpr) and part.callee.fullname == PARTIAL
    return part.args[0] if is_partial and isinstance(part, CallExpr) and part.args else part


def chooses_function(type_: Type) -> bool:
    """Whether an item of this type may be any of the functions in a dict."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return all(map(_is_callable, map(get_proper_type, proper.items)))
    return isinstance(proper, CallableType) and proper.is_ellipsis_args


def is_own_function(part: Expression) -> bool:
    """Whether an expression is a function of typegrad: `activations.relu`, `nn.Relu.create`."""
    if not isinstance(part, RefExpr) or isinstance(part.node, TypeInfo):
        return False
    owner = part.expr if isinstance(part, MemberExpr) and not part.fullname else part
    return isinstance(owner, RefExpr) and owner.fullname.startswith(OWN)


def _of_anything(api: CheckerPluginInterface, expr: Expression, class_: str = _DICT) -> Expression:
    """A dict of feeds as one that takes any keys; any other expression as it is.

    So is a display or a call beside `|`, which mypy reads as what is expected.
    """
    displays = bound_values(api, expr)
    is_mixed = bool(displays) and all(has_operands(api, each) for each in displays)
    is_expected = class_ == _DICT and isinstance(expr, (CallExpr, DictExpr))
    if is_expected or not (is_mixed or maps_operands(type_of(api, expr))):
        return expr
    anything = AnyType(TypeOfAny.special_form)
    of_anything = api.named_generic_type(class_, [anything, anything])
    return expr if is_same_type(type_of(api, expr), of_anything) else cast_to(expr, of_anything)
