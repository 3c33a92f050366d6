"""The shapes that a name may have behind a branch or a loop: the name has what they have in common.

Which of them it has may depend on what no checker knows, such as how often the loop ran. An operation is an error if it
fits none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mypy.nodes import Expression, NameExpr, SymbolNode
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, UnionType, get_proper_type

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import shape_type
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.types.symbols import any_tuple, class_info

__all__ = ["merge", "options_of"]

_options: Final = Memory[SymbolNode, tuple[Instance, tuple[Shape, ...]]]()
"""The type that each name has behind the last branch or loop that assigned it, and the shapes that it may have there.

The name has one of these shapes where its type is this very object. Where a branch in each of two branches has led to
equal types, mypy keeps one of them, so the shapes are the ones of both.
"""


def merge(api: CheckerPluginInterface, names: Sequence[NameExpr], known: Mapping[NameExpr, Type]) -> None:
    """Give the names that a loop or a branch has assigned their types, if these are `known`, or what they share."""
    for name in names:
        if name in known:
            checker_of(api).binder.put(name, known[name])
        else:
            _merge(api, name)


def _merge(api: CheckerPluginInterface, name: NameExpr) -> None:
    """Give a name that has one of several shapes what they have in common, and remember them."""
    binder = checker_of(api).binder
    union = get_proper_type(binder.get(name))
    operand = operand_of(union) if isinstance(union, UnionType) else None
    if not isinstance(union, UnionType) or operand is None or isinstance(get_proper_type(operand.dtype), AnyType):
        return
    shapes = _shapes(name, union)
    if len(shapes) > 1:
        shape = shape_type(api, operand.static.shape, is_gradual=True) or any_tuple(api)
        are_variables = all(base_of(item, VARIABLE) is not None for item in union.items)
        merged = Instance(class_info(api, VARIABLE if are_variables else OPERAND), [operand.dtype, shape])
        binder.put(name, merged)
        if name.node is not None:
            earlier, others = _options.get(name.node, (None, ()))
            _options[name.node] = merged, tuple(dict.fromkeys(shapes + others)) if earlier == merged else shapes


def options_of(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> tuple[Shape, ...]:
    """The shapes that an operand may have, if there are several."""
    current = checker_of(api).binder.get(expr) if isinstance(expr, NameExpr) else None
    shapes = _shapes(expr, type_ if current is None or isinstance(get_proper_type(type_), UnionType) else current)
    return shapes if len(shapes) > 1 else ()


def _shapes(expr: Expression | None, type_: Type) -> tuple[Shape, ...]:
    """The different shapes of an operand of this type."""
    known = _options.get(expr.node) if isinstance(expr, NameExpr) and expr.node is not None else None
    proper = get_proper_type(type_)
    shapes: list[Shape] = []
    for item in proper.items if isinstance(proper, UnionType) else [proper]:
        operand = operand_of(item)
        if operand is not None:
            shapes += known[1] if known is not None and known[0] is item else [operand.static.shape]
    return tuple(dict.fromkeys(shapes))
