"""The types of the items of iterables, and of the names that are bound to such items."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, cast

from mypy.nodes import ARG_POS, CallExpr, Expression, MemberExpr, NameExpr, RefExpr, StarExpr, TupleExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import TupleType, Type, UnpackType, get_proper_type

from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.provided import Provided
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.values.evaluation import evaluate, known_value
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.objects import is_container, items_in
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.value_types import ANY, tuple_of, value_type

__all__ = ["MOST_ITEMS", "item_type", "items_of", "items_of_call", "known_type", "types_of_targets", "unpacked"]

MOST_ITEMS: Final = 16
"""The length up to which items are followed one by one."""
_OF_ITEMS: Final = frozenset({"builtins.list", "builtins.reversed", "builtins.tuple"})
"""Python's functions whose result has the items of their argument."""

known_type: Final = Provided[[CheckerPluginInterface, Expression, Type], Type]()
"""The type of an expression, as exact as it can be; of `values/exact`, which itself asks for items."""


def items_of(api: CheckerPluginInterface, expr: Expression) -> Sequence[Type] | None:
    """The types of the items of an iterable; None if they, or their number, are not known."""
    plain = expression_type(api, expr)
    numbers = value_type(api, evaluate(api, expr, plain))  # also of a list, such as `sizes[1:]`
    whole = get_proper_type(numbers if isinstance(numbers, TupleType) else known_type(api, expr, plain))
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
    return items_of_call(api, callee.fullname, positional)


def _of_dict(api: CheckerPluginInterface, method: MemberExpr) -> Sequence[Type] | None:
    """The items of `layers.values()` or `layers.items()`."""
    items = items_in(known_type(api, method.expr, expression_type(api, method.expr)))
    if items is None or method.name not in ("items", "values"):
        return None
    if method.name == "values":
        return list(items.values())
    return [tuple_of(api, [value_type(api, name) or ANY, type_]) for name, type_ in items.items()]


def items_of_call(api: CheckerPluginInterface, function: str, args: Sequence[Expression]) -> Sequence[Type] | None:
    """The items of what one of Python's functions returns."""
    if function == "builtins.range":
        bounds = [known_value(api, each) for each in args]
        if any(type(bound) is not int for bound in bounds) or 0 in bounds[2:]:
            return None
        numbers = range(*bounds)
        return [value_type(api, each) or ANY for each in numbers] if len(numbers) <= MOST_ITEMS else None
    columns = [items_of(api, each) for each in args]
    known = [each for each in columns if each is not None]
    if len(known) < len(columns):
        return None
    if function == "builtins.zip":
        return [tuple_of(api, row) for row in zip(*known, strict=False)]
    if function == "itertools.pairwise":
        return [tuple_of(api, pair) for pair in pairwise(known[0])]
    if function == "builtins.enumerate" and len(args) == 1:
        return [tuple_of(api, [value_type(api, place) or ANY, item]) for place, item in enumerate(known[0])]
    if function not in _OF_ITEMS:
        return None
    return known[0][::-1] if function == "builtins.reversed" else known[0]


def item_type(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of an item. A list in a list may change, so it keeps the type that mypy gives it."""
    inner = as_written(expr)
    plain = expression_type(api, inner)
    exact = known_type(api, inner, plain)
    return plain if is_container(exact) else exact


def types_of_targets(target: Expression, type_: Type) -> dict[NameExpr, Type] | None:
    """The type of each name in a target that is assigned a value of this type."""
    if isinstance(target, NameExpr):
        return {target: type_}
    proper = get_proper_type(type_)
    if not is_plain(target) or not isinstance(proper, TupleType) or len(target.items) != len(proper.items):
        return None
    parts = [types_of_targets(each, item) for each, item in zip(target.items, proper.items, strict=True)]
    return None if None in parts else {name: each for part in parts if part for name, each in part.items()}


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
