"""Truth values that are asked for where names have a type only once mypy has checked the statement.

Those are the conditions of comprehensions, the guards of patterns, what is inside a lambda, and the items that `any`,
`all` and `filter` go through. They are looked at when the whole file is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import Expression, GeneratorExpr, ListComprehension, ListExpr, SetComprehension, SetExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface

from typegrad.graph.refusals import NO_TRUTH
from typegrad.mypy_plugin.arguments.equalities import told_truth_of_equality
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import TRUTH
from typegrad.mypy_plugin.base.operands import are_operands, base_of
from typegrad.mypy_plugin.base.reporting import is_refused, report
from typegrad.mypy_plugin.expressions.sites import Sites

__all__ = ["refuse_later"]

_ITERABLE: Final = "typing.Iterable"


def refuse_later(api: CheckerPluginInterface, inspected: Sequence[Sites]) -> None:
    """Report the operands among them, but none beside another error."""
    checker = checker_of(api)
    exprs = [expr for sites in inspected for expr in sites.later_truths]
    iterables = [expr for sites in inspected for expr in sites.asked_items]
    exprs += [item for iterable in iterables for item in _items(iterable)]
    wrong = [(f"{source_of(expr)} {NO_TRUTH}", expr) for expr in exprs if _are_operands(checker, expr)]
    wrong += [(f"{_item_of(each)} {NO_TRUTH}", each) for each in iterables if _holds_operands(checker, each)]
    wrong += [(text, expr) for expr in exprs if (text := told_truth_of_equality(api, expr))]
    for text, place in wrong:
        if not is_refused(api, place):
            report(api, TRUTH, text, place)


def _items(iterable: Expression) -> Sequence[Expression]:
    """The expressions that make the items of an iterable, which have a type of their own."""
    if isinstance(iterable, (ListExpr, SetExpr, TupleExpr)):
        return iterable.items
    generator = iterable.generator if isinstance(iterable, (ListComprehension, SetComprehension)) else iterable
    return [generator.left_expr] if isinstance(generator, GeneratorExpr) else []


def _item_of(iterable: Expression) -> str:
    name = source_of(iterable)
    return "an item" if name == UNNAMED else f"an item of {name}"


def _are_operands(checker: TypeChecker, expr: Expression) -> bool:
    return checker.has_type(expr) and are_operands(checker.lookup_type(expr))


def _holds_operands(checker: TypeChecker, expr: Expression) -> bool:
    iterable = base_of(checker.lookup_type(expr), _ITERABLE) if checker.has_type(expr) else None
    return iterable is not None and are_operands(iterable.args[0])
