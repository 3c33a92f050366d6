"""Conditions such as `core.Sum.create(scope, x) == 0`, which are never true, in functions without annotations.

mypy does not check these. What the condition itself makes is an operand, whatever the function is called with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from mypy.nodes import (
    AssertStmt,
    ConditionalExpr,
    Expression,
    FloatExpr,
    FuncDef,
    IfStmt,
    IntExpr,
    NameExpr,
    Node,
    OpExpr,
    UnaryExpr,
    Var,
    WhileStmt,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.arguments.equalities import is_equality, never_equal
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import TRUTH
from typegrad.mypy_plugin.base.operands import OPERAND
from typegrad.mypy_plugin.base.reporting import is_refused, report
from typegrad.mypy_plugin.base.syntax import made_class, nodes_of
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["refuse_unchecked_equalities"]


def refuse_unchecked_equalities(api: CheckerPluginInterface, ran: Collection[tuple[str, str]]) -> None:
    """Report them, in the functions that the followed program calls; `ran` has the file and the name of each."""
    checker = checker_of(api)
    functions = [] if checker.options.check_untyped_defs else nodes_of(checker.tree)
    for each in functions:
        if isinstance(each, FuncDef) and each.is_dynamic() and (checker.path, each.name) in ran:
            for expr in (part for node in nodes_of(each.body) for part in _parts(_conditions(node))):
                if is_equality(expr) and _is_never_true(api, *expr.operands) and not is_refused(api, expr):
                    report(api, TRUTH, never_equal(expr), expr)


def _conditions(node: Node) -> Sequence[Expression]:
    """The expressions whose truth value a node asks for."""
    if isinstance(node, (AssertStmt, WhileStmt)):
        return [node.expr]
    return node.expr if isinstance(node, IfStmt) else [node.cond] if isinstance(node, ConditionalExpr) else []


def _parts(conditions: Sequence[Expression]) -> Iterator[Expression]:
    """What conditions ask for besides: `a == 0` and `b` in `not (a == 0 and b)`."""
    for each in conditions:
        if isinstance(each, OpExpr):
            yield from _parts([each.left, each.right])
        else:
            yield from _parts([each.expr]) if isinstance(each, UnaryExpr) else [each]


def _is_never_true(api: CheckerPluginInterface, left: Expression, right: Expression) -> bool:
    """Whether a side makes an operand, or has the name of one that a number is compared with."""
    return _is_made(api, left, right) or _is_made(api, right, left)


def _is_made(api: CheckerPluginInterface, expr: Expression, other: Expression) -> bool:
    if isinstance(expr, NameExpr) and isinstance(expr.node, Var) and isinstance(other, (FloatExpr, IntExpr)):
        bound = bindings_of(checker_of(api).tree, expr).only(expr.node)
        expr = expr if bound is None or bound.path else bound.expr
    info = made_class(expr)
    return info is not None and info.has_base(OPERAND)
