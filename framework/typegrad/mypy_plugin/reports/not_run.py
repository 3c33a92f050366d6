"""Runs that are described and not run: `session.runner().feed(x, a).add_target(step)` as a statement, without `.run()`.

A runner that has a name, is an argument or is returned may be run later, so only one is told that nothing refers to.
"""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, Expression, ExpressionStmt, MemberExpr, TryStmt
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.expected import is_expected
from typegrad.mypy_plugin.base.reporting import is_refused, report
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["refuse_not_run"]

_STEPS: Final = ("add_target", "feed", "fetch")
_MAKES: Final = "runner"
_SESSION: Final = "typegrad.session.session.Session"


def refuse_not_run(api: CheckerPluginInterface) -> None:
    """Report them, but for those that are there for an error of a step."""
    tree = checker_of(api).tree
    nodes = list(nodes_of(tree))
    tried = {id(node) for each in nodes if isinstance(each, TryStmt) and each.handlers for node in nodes_of(each.body)}
    for statement in nodes:
        if not isinstance(statement, ExpressionStmt) or not _is_not_run(api, statement.expr):
            continue
        if id(statement) not in tried and not is_expected(tree, statement) and not is_refused(api, statement):
            report(api, CALL, "Session.runner(): the steps are not run; end with .run()", statement.expr)


def _is_not_run(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is steps of a new runner."""
    has_steps = False
    while isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr):
        callee = expr.callee
        if callee.name == _MAKES:
            return has_steps and _is_session(api, callee.expr)
        if callee.name not in _STEPS:
            return False
        has_steps = True
        expr = callee.expr
    return False


def _is_session(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether the runners of an object are typegrad's, of which nothing else knows."""
    type_ = get_proper_type(expression_type(api, expr))
    found = type_.type.get(_MAKES) if isinstance(type_, Instance) else None
    owner = getattr(found.node if found is not None else None, "info", None)
    return owner is not None and owner.fullname == _SESSION
