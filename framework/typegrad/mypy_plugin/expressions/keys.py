"""The keys of dicts that are written out: `session.run({"a": x})["b"]` is an error, as is `{"a": x}["b"]`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from mypy.checker import TypeChecker
from mypy.constant_fold import constant_fold_expr
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TryStmt,
    Var,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of
from typegrad.mypy_plugin.values.evaluation import known_value
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.session_calls import fetches_of
from typegrad.mypy_plugin.values.static_values import is_known

__all__ = ["check_key", "fetch_at", "report_key"]

_ERRORS: Final = frozenset(f"builtins.{name}" for name in ("KeyError", "LookupError"))


def check_key(api: CheckerPluginInterface, item: IndexExpr) -> bool:
    """Report a key that a dict does not have, nor the results of `session.run`, as no fetch has it."""
    made = only_value(api, item.base)
    key = item.index.value if isinstance(item.index, StrExpr) else None
    if key is None:
        return False
    if isinstance(made, DictExpr):
        return report_key(api, item, key, _keys(api, made))
    fetches = _fetches_kept(checker_of(api), item.base, made)
    if fetches is None:
        return False
    return _report(api, f"run: there is no fetch {key!r}; the fetches are", key, _keys(api, fetches), item)


def fetch_at(api: CheckerPluginInterface, item: IndexExpr) -> Expression | None:
    """What is fetched by a key or a position in the results of `session.run`; None if it is not known."""
    made, key = only_value(api, item.base), constant_fold_expr(item.index, checker_of(api).tree.fullname)
    kept = None if key is None else _fetches_kept(checker_of(api), item.base, made)
    if kept is None:
        return None
    fetches = only_value(api, kept)
    if isinstance(fetches, ListExpr) and is_plain(fetches) and isinstance(key, int):
        return fetches.items[key] if -len(fetches.items) <= key < len(fetches.items) else None
    pairs = fetches.items if isinstance(fetches, DictExpr) else []
    named = {each.value: fetch for each, fetch in pairs if isinstance(each, StrExpr)}
    return named.get(str(key)) if len(named) == len(pairs) else None


def report_key(api: CheckerPluginInterface, item: IndexExpr, key: str, keys: Collection[str] | None) -> bool:
    """Report a key that a dict with these keys does not have."""
    whole = "the dict" if isinstance(item.base, DictExpr) else source_of(item.base)
    return _report(api, f"{whole} has no key {key!r}; its keys are", key, keys, item)


def _report(api: CheckerPluginInterface, text: str, key: str, keys: Collection[str] | None, item: IndexExpr) -> bool:
    is_wrong = bool(keys) and key not in (keys or ()) and not _is_handled(checker_of(api), key)
    if is_wrong:
        report(api, CALL, f"{text} {', '.join(map(repr, keys or ()))}", item)
    return is_wrong


def _fetches_kept(checker: TypeChecker, expr: Expression, made: Expression | None) -> Expression | None:
    """The fetches of the call of `session.run` that made what an expression is, if nothing changes that."""
    fetches = fetches_of(checker, made)
    return fetches if fetches is not None and _keeps(checker, expr, made) else None


def _keeps(checker: TypeChecker, expr: Expression, made: Expression | None) -> bool:
    """Whether nothing changes the dict that a call has made."""
    if isinstance(expr, NameExpr) and isinstance(expr.node, Var):
        return bindings_of(checker.tree, expr).keeps(expr.node)
    return expr is made


def _is_handled(checker: TypeChecker, key: str) -> bool:
    """Whether the file asks whether a dict has the key, so that what uses it may never run, or handles its absence."""
    for node in nodes_of(checker.tree):
        errors = node.types if isinstance(node, TryStmt) else [node]
        if any(isinstance(each, NameExpr) and each.fullname in _ERRORS for each in errors):
            return True
        operands = node.operands if isinstance(node, ComparisonExpr) else ()
        if any(isinstance(each, StrExpr) and each.value == key for each in operands):
            return True
    return False


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
        values = known_value(api, iterable)
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
