"""The keys of dicts that are written out: `session.run({"a": x})["b"]` is an error."""

from __future__ import annotations

from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.errors import CALL, report
from typegrad.mypy_plugin.base.operands import base_of
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of
from typegrad.mypy_plugin.values.evaluation import evaluate, expression_type, is_known
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["check_key"]

_RUNNER: Final = "typegrad.session.run_types.TypedRun"


def check_key(api: CheckerPluginInterface, item: IndexExpr) -> None:
    """Report a key that the results of `session.run` do not have, as no fetch has it."""
    checker = cast("TypeChecker", api)
    run = only_value(api, item.base)
    if not isinstance(item.index, StrExpr) or not isinstance(run, CallExpr) or not _is_run(checker, run):
        return
    if isinstance(item.base, NameExpr) and isinstance(item.base.node, Var):
        if not bindings_of(checker.tree, item.base).keeps(item.base.node):
            return
    elif item.base is not run:
        return
    keys = _keys(api, run.args[0])
    key = item.index.value
    if keys is not None and key not in keys and not _is_asked_for(checker, key):
        report(api, CALL, f"run: there is no fetch {key!r}; the fetches are {', '.join(map(repr, keys))}", item)


def _is_run(checker: TypeChecker, call: CallExpr) -> bool:
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name != "run" or not call.args:
        return False
    return checker.has_type(callee.expr) and base_of(checker.lookup_type(callee.expr), _RUNNER) is not None


def _is_asked_for(checker: TypeChecker, key: str) -> bool:
    """Whether the file asks whether a dict has the key: what uses it then may never run."""
    comparisons = (node for node in nodes_of(checker.tree) if isinstance(node, ComparisonExpr))
    return any(isinstance(each, StrExpr) and each.value == key for node in comparisons for each in node.operands)


def _keys(api: CheckerPluginInterface, expr: Expression | None) -> list[str] | None:
    """The keys of a dict display, or of a comprehension over known names; None if they are not known."""
    known = only_value(api, expr)
    if isinstance(known, DictExpr):
        keys = [key.value for key, _ in known.items if isinstance(key, StrExpr)]
        return keys if len(keys) == len(known.items) else None
    if not isinstance(known, DictionaryComprehension) or len(known.indices) != 1 or any(known.condlists):
        return None
    return _of_target(api, known.key, known.indices[0], known.sequences[0])


def _of_target(
    api: CheckerPluginInterface, key: Expression | None, target: Expression, iterable: Expression
) -> list[str] | None:
    """The values of the name `key` in the targets of a loop."""
    node = key.node if isinstance(key, NameExpr) else None
    if isinstance(target, NameExpr) and target.node is node:
        values = evaluate(api, iterable, expression_type(api, iterable))
        is_text = isinstance(values, tuple) and is_known(values) and all(type(each) is str for each in values)
        return list(values) if is_text else _keys(api, iterable)
    called = iterable.callee if isinstance(iterable, CallExpr) else None
    if not is_plain(target) or not isinstance(iterable, CallExpr):
        return None
    if isinstance(called, MemberExpr) and called.name == "items" and len(target.items) == 2:
        return _of_target(api, key, target.items[0], called.expr)
    if isinstance(called, RefExpr) and called.fullname == "builtins.zip":
        columns = zip(target.items, iterable.args, strict=False)
        return next((_of_target(api, key, each, of) for each, of in columns if _is(each, node)), None)
    return None


def _is(target: Expression, node: object) -> bool:
    return isinstance(target, NameExpr) and target.node is node
