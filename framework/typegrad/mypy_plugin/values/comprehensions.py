# mypy has no public way to keep the types of expressions in one pass apart from those in others.
"""The types of the parts of comprehensions, pass by pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy.nodes import DictionaryComprehension, Expression, GeneratorExpr, NameExpr, RefExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory, forget_types, rechecking, restore_types
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.values.iterables import MOST_ITEMS, item_type, items_of, types_of_targets
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["types_by_pass", "types_in_passes"]

_known: Final = Memory[tuple[Expression, int], list[Type]](per_recheck=True)


def types_by_pass(
    api: CheckerPluginInterface, generator: GeneratorExpr | DictionaryComprehension, expr: Expression
) -> list[Type] | None:
    """The type of a part of a comprehension in each pass."""
    key = expr, checker_of(api).pass_num
    types = _known.get(key)
    if types is None and all(map(_is_fixed(api), nodes_of(generator))):
        types = types_in_passes(api, generator, expr)
    if types is not None:  # else the iterable may be known later
        _known[key] = types
    return types


def types_in_passes(
    api: CheckerPluginInterface, generator: GeneratorExpr | DictionaryComprehension, expr: Expression
) -> list[Type] | None:
    """The type of a part of a comprehension in each pass, as names are bound at this point."""
    if len(generator.sequences) != 1 or generator.condlists[0]:
        return None
    items = items_of(api, generator.sequences[0])
    targets = [types_of_targets(generator.indices[0], each) for each in items or ()]
    known = [each for each in targets if each is not None]
    if items is None or len(known) < len(items) or len(items) > MOST_ITEMS:
        return None
    return [_in_pass(api, expr, types) for types in known]


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
