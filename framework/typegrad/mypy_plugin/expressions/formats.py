"""Formats of numbers, as in `f"{loss:.3f}"`, which neither operands nor arrays of several elements have.

Nor has what a run returns for an operation, which is None, or for several fetches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from mypy.nodes import (
    AssertStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    IntExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    StrExpr,
    TupleExpr,
    Var,
    WhileStmt,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, NoneType, Type, get_proper_type

from typegrad.graph.refusals import NO_VALUE
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.arrays.numpy_refusals import check_format
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.expected import is_caught, is_expected
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import is_refused, report_anyway
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of, variable_key
from typegrad.mypy_plugin.calls.runs import value_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, bound_values
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = [
    "FORMAT",
    "FORMAT_METHOD",
    "check_interpolation",
    "format_hook",
    "may_show_numbers",
    "told_number",
    "told_numbers",
]

FORMAT: Final = "builtins.format"
FORMAT_METHOD: Final = "builtins.str.format"
_OF_F_STRINGS: Final = "{:{}}"
"""The string whose `format` mypy calls in the place of each part of an f-string."""
_CONVERSION: Final = re.compile(r"%[-#0 +]*\d*(?:\.\d+)?([a-zA-Z%])")
_NUMBERS: Final[Mapping[str, Callable[[Any], object]]] = {**dict.fromkeys("diu", int), **dict.fromkeys("eEfFgG", float)}
"""What makes a number of a value for each conversion."""
_KINDS: Final = {DictExpr: "a dict", ListExpr: "a list", TupleExpr: "a tuple"}


def format_hook(ctx: FunctionContext | MethodContext) -> Type:
    """Report an operand, or an array of several elements, in a format that is for numbers."""
    call = ctx.context
    if isinstance(call, CallExpr) and len(call.args) == 2 and _is_of_one(call.callee):
        expr, form = call.args
        if isinstance(form, StrExpr) and form.value:
            _check(ctx.api, expr, form.value)
    return ctx.default_return_type


def _is_of_one(callee: Expression) -> bool:
    """Whether a call is of `format`, or is a part of an f-string. What `str.format` takes, mypy itself checks."""
    if not isinstance(callee, MemberExpr):
        return True
    return isinstance(callee.expr, StrExpr) and callee.expr.value == _OF_F_STRINGS


def check_interpolation(api: CheckerPluginInterface, operation: OpExpr) -> None:
    """Report an array of several elements, or None, that `"%.3f" % value` takes for a number.

    mypy itself reports what is no number by its type.
    """
    text = operation.left.value if isinstance(operation.left, StrExpr) else ""
    values = operation.right.items if isinstance(operation.right, TupleExpr) else [operation.right]
    conversions = [each for each in _CONVERSION.finditer(text) if each[1] != "%"]
    if len(conversions) != len(values) or len(conversions) < text.replace("%%", "").count("%"):
        return
    for conversion, value in zip(conversions, values, strict=True):
        if conversion[1] in _NUMBERS:
            told = _told_none(api, value) if isinstance(expression_type(api, value), AnyType) else ""
            _refuse(api, told, value)
            check_format(api, value, _NUMBERS[conversion[1]])


def _check(api: CheckerPluginInterface, expr: Expression, form: str) -> None:
    if base_of(expression_type(api, expr), OPERAND) is not None:
        report_anyway(api, CALL, f"{source_of(expr)} {NO_VALUE}", expr)
        return
    _refuse(api, _told_none(api, expr) or _told_several(api, expr), expr)
    check_format(api, expr, lambda each: format(each, form))


def _refuse(api: CheckerPluginInterface, told: str, expr: Expression) -> None:
    tree = checker_of(api).tree
    if told and not (is_caught(tree, expr) or is_expected(tree, expr) or _is_asked(tree, expr)):
        report_anyway(api, CALL, told, expr)


def told_number(api: CheckerPluginInterface, line: int) -> str:
    """The error message for what a run returns for an operation, where a line makes a number or a text of it."""
    for node in nodes_of(checker_of(api).tree):
        if getattr(node, "line", 0) != line:
            continue
        what, values = _numbers_of(node)
        told = next(filter(None, (_told_none(api, each, what) for each in values)), "")
        if told:
            return told
    return ""


def may_show_numbers(api: CheckerPluginInterface, line: int) -> bool:
    """Whether arrays of any rank that a line formats as numbers may be values of scalars, or numbers of NumPy."""
    nodes = (node for node in nodes_of(checker_of(api).tree) if getattr(node, "line", 0) == line)
    shown = [each for node in nodes for each in _numbers_of(node)[1] if _is_of_any_rank(expression_type(api, each))]
    return bool(shown) and all(_is_fetched(api, each) or _is_computed(api, each) for each in shown)


def _is_of_any_rank(type_: Type) -> bool:
    array = base_of(type_, ARRAY)
    return array is not None and shape_of(array.args[0]).shape.rank is None


def _is_computed(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether a function of NumPy may have made a number."""
    array = array_of(api, expr, expression_type(api, expr))
    return array is not None and array.may_be_number


def _is_fetched(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether a value may be what a session's run returns."""
    if isinstance(expr, IndexExpr):
        return _is_fetched(api, expr.base)
    if isinstance(expr, (MemberExpr, NameExpr)):
        values = bound_values(api, expr)
        return any(each is not None and _is_fetched(api, each.expr) for each in values)
    return fetches_of(checker_of(api), expr) is not None


def _numbers_of(node: Node) -> tuple[str, Sequence[Expression]]:
    """What a node makes of numbers, and these."""
    if isinstance(node, OpExpr) and isinstance(node.left, StrExpr):
        return "format", node.right.items if isinstance(node.right, TupleExpr) else [node.right]
    if isinstance(node, OpExpr):
        return node.op, [node.left, node.right]
    if isinstance(node, CallExpr) and isinstance(node.callee, (MemberExpr, NameExpr)):
        is_format = isinstance(node.callee, MemberExpr) and isinstance(node.callee.expr, StrExpr)
        is_builtin = node.callee.fullname.startswith("builtins.")
        return node.callee.name, node.args if is_format or is_builtin else ()
    return "", ()


def told_numbers(api: CheckerPluginInterface, what: str) -> str:
    """The error message for a list of what a run in the file returns for an operation."""
    calls = (each for each in nodes_of(checker_of(api).tree) if isinstance(each, CallExpr))
    told = next(filter(None, (_told_none(api, each) for each in calls)), "")
    return told and told.replace("format of None", f"{what} of a list of None")


def _told_none(api: CheckerPluginInterface, expr: Expression, what: str = "format") -> str:
    """The error message for what a run returns for an operation."""
    fetch, checker = _fetch_of(api, expr), checker_of(api)
    if fetch is None or is_plain(fetch):
        return ""
    # Behind the run, the name of what is fetched may have another type.
    type_ = checker.lookup_type(fetch) if checker.has_type(fetch) else expression_type(api, fetch)
    made = value_of(api, type_)
    if made is None or not isinstance(get_proper_type(made), NoneType):
        return ""
    source = source_of(fetch)
    operation = "the operation" if source == UNNAMED else f"the operation {source}"
    return f"{what} of None: {operation} has no value; fetch the operand to show, such as the loss"


def _told_several(api: CheckerPluginInterface, expr: Expression) -> str:
    """The error message for what a run returns for several fetches."""
    fetch = _fetch_of(api, expr)
    kind = _KINDS.get(type(fetch)) if isinstance(fetch, DictExpr) or is_plain(fetch) else None
    return f"format of {kind}: session.run returns one for several fetches; take the value to show" if kind else ""


def _fetch_of(api: CheckerPluginInterface, expr: Expression) -> Expression | None:
    """What a session fetches whose value an expression is, also a name for it; None for any other expression."""
    if isinstance(expr, IndexExpr):
        fetches = _fetch_of(api, expr.base) if _keeps_items(api, expr.base) else None
        return _item(fetches, expr.index.value) if isinstance(expr.index, IntExpr) else None
    bound = bound_to(api, expr) if isinstance(expr, (MemberExpr, NameExpr)) else None
    call, path = (expr, ()) if bound is None else (bound.expr, bound.path)
    if path and is_refused(api, call):  # the names may be for other values
        return None
    fetch = fetches_of(checker_of(api), call)
    for position in path:
        fetch = _item(fetch, position)
    return fetch


def _keeps_items(api: CheckerPluginInterface, values: Expression) -> bool:
    """Whether nothing changes the list that a run returns."""
    if not isinstance(values, NameExpr):
        return isinstance(values, CallExpr)
    return isinstance(values.node, Var) and bindings_of(checker_of(api).tree).keeps(values.node)


def _item(fetch: Expression | None, position: int) -> Expression | None:
    return fetch.items[position] if is_plain(fetch) and position < len(fetch.items) else None


def _is_asked(tree: Node, expr: Expression) -> bool:
    """Whether a condition asks for a name, which may not be formatted then: `if value is not None`."""
    keys = set() if isinstance(expr, CallExpr) else {variable_key(each) for each in nodes_of(expr)} - {None}
    asked = (part for node in nodes_of(tree) for part in _conditions(node)) if keys else ()
    return any(variable_key(each) in keys for part in asked for each in nodes_of(part))


def _conditions(node: Node) -> Iterator[Expression]:
    """The expressions in a node whose values tell what runs next."""
    if isinstance(node, ComparisonExpr):
        yield node
    elif isinstance(node, IfStmt):
        yield from node.expr
    elif isinstance(node, ConditionalExpr):
        yield node.cond
    elif isinstance(node, (AssertStmt, WhileStmt)):
        yield node.expr
    elif isinstance(node, MatchStmt):
        yield node.subject
    elif isinstance(node, OpExpr) and node.op in ("and", "or"):
        yield node.left
    elif isinstance(node, GeneratorExpr):
        yield from (each for conditions in node.condlists for each in conditions)
