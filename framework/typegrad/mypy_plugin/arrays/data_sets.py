"""The check of `fit`: whether the elements of a data set may be fed to the operands that are named for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.nodes import ARG_POS, CallExpr, Expression, MemberExpr, RefExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.base.brief import counted
from typegrad.mypy_plugin.arrays.conversion import misfit
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, DTYPE
from typegrad.mypy_plugin.base.dtypes import type_name
from typegrad.mypy_plugin.base.operands import ARRAY, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.values.arguments import Argument, arguments
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["FIT", "fit_hook"]

FIT: Final = "typegrad.training.loop.fit"
_DATASET: Final = "typegrad.training.data.dataset.Dataset"
_OF_THE_SAME_TYPES: Final = frozenset({"batch", "prefetch", "progress", "repeat", "shuffle"})
"""The methods of a data set whose results have elements of the same types."""


def fit_hook(ctx: FunctionContext) -> Type:
    """Check the element types of `fit(session, step, dataset, feeds, ...)`, as far as types tell them."""
    passed = arguments(ctx)
    feeds, components = _operands(ctx.api, passed["feeds"]), _components(ctx.api, passed["dataset"])
    if not feeds or not components:
        return ctx.default_return_type
    if len(feeds) != len(components):
        parts, places = counted(len(components), "component"), counted(len(feeds), "operand")
        report(ctx.api, CALL, f"fit: an element has {parts}, but is fed to {places}", ctx.context)
        return ctx.default_return_type
    pairs = list(zip(feeds, components, strict=True))
    wrong = [(key, part, text) for key, part in pairs if (text := _component_misfit(ctx.api, key, part))]
    if len(wrong) == 2:
        (first, one, _), (second, other, _) = wrong
        if not _component_misfit(ctx.api, first, other) and not _component_misfit(ctx.api, second, one):
            text = f"fit: the feeds of {source_of(first)} and {source_of(second)} are swapped"
            wrong = [(first, one, text)]
    for key, _, text in wrong:
        report(ctx.api, DTYPE, text, key)
    return ctx.default_return_type


def _operands(api: CheckerPluginInterface, feeds: Argument) -> Sequence[Expression]:
    """The operands that elements are fed to; none if they are not known."""
    if feeds.expr is not None and operand_of(feeds.type) is not None:
        return [feeds.expr]
    display = only_value(api, feeds.expr)
    return display.items if display is not None and is_plain(display) else []


def _components(api: CheckerPluginInterface, dataset: Argument) -> Sequence[Argument]:
    """What an element of a data set feeds; nothing if it is not known."""
    arrays = _arrays(api, dataset.expr)
    if arrays:
        return [Argument(each, expression_type(api, each)) for each in arrays]
    known = base_of(dataset.type, _DATASET)
    if isinstance(dataset.expr, CallExpr):
        checker = checker_of(api)
        with checker.msg.filter_errors():  # mypy has inferred its type for the parameter, which takes any data set
            known = base_of(checker.expr_checker.accept(dataset.expr), _DATASET)
    element = None if known is None else get_proper_type(known.args[0])
    if isinstance(element, TupleType):
        return [Argument(None, item) for item in element.items]
    return [Argument(None, element)] if isinstance(element, Instance) and element.type.fullname == ARRAY else []


def _arrays(api: CheckerPluginInterface, dataset: Expression | None) -> Sequence[Expression]:
    """The arrays whose rows the elements are made of; none if they are not known."""
    made = only_value(api, dataset)
    while isinstance(made, CallExpr) and isinstance(made.callee, MemberExpr):
        name, owner = made.callee.name, made.callee.expr
        if name == "from_arrays" and isinstance(owner, RefExpr) and owner.fullname == _DATASET:
            return made.args if all(kind is ARG_POS for kind in made.arg_kinds) else []
        made = only_value(api, owner) if name in _OF_THE_SAME_TYPES else None
    return []


def _component_misfit(api: CheckerPluginInterface, key: Expression, part: Argument) -> str:
    """What is wrong with a component of an element; "" if it fits, as far as it is known."""
    operand = operand_of(expression_type(api, key))
    wrong = None if operand is None else misfit(api, operand.dtype, part.expr, part.type)
    if operand is None or wrong is None:
        return ""
    return wrong.alone(f"fit: the feed of {source_of(key)}", type_name(operand.dtype))
