"""What mypy says of fetches, in the words of the run: `session.run([step, model])` of an object of the program.

Only mypy can tell that such a fetch is wrong: the type that it infers for a list depends on what is expected there. It
blames any of the fetches, or lists all overloads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ListComprehension,
    MemberExpr,
    StarExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import FunctionLike, Instance, TupleType, Type, TypeAliasType, TypeType

from typegrad.mypy_plugin.arguments.passed import is_display, item_types, may_be_any, type_of_argument
from typegrad.mypy_plugin.arguments.wrong_runs import no_fetch
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import PART
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import base_of, union_items
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.mistakes.spoilt_calls import errors_by_call
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["reword_fetches"]

_METHODS: Final = ("callable", "run")
_FETCHES: Final = (PART, "typegrad.graph.operators.Fetchable", "builtins.str")
_OF_OTHER_FETCHES: Final = ("__attrs_attrs__", "__dataclass_fields__", "_asdict", "reverse")
"""The attributes of records, and of lists."""
_ITERATOR: Final = "typing.Iterator"
"""A protocol as generators are, of which no value is a fetch."""
_TUPLES: Final = ("builtins.list", "builtins.tuple")
_CONTAINERS: Final = ("typing.Mapping", "typing.Sequence")
_TEXTS: Final = ("builtins.bytes", "builtins.str")


def reword_fetches(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about fetches that are objects of the program, or other values, by one of each run."""
    checker = checker_of(api)
    errors = errors_of(checker)
    for call, about in errors_by_call(checker, errors).items():
        fetches = fetches_of(checker, call, _METHODS)
        wrong = None if fetches is None else next(filter(_is_refused, _fetched(api, fetches)), None)
        if wrong is not None and isinstance(call.callee, MemberExpr):
            drop(errors, about)
            report(api, CALL, f"Session.{call.callee.name}(): {no_fetch(wrong)}", call)


def _fetched(api: CheckerPluginInterface, expr: Expression) -> Iterator[Type]:
    """The types of all fetches, also in lists and the like."""
    if isinstance(expr, StarExpr):
        for each in item_types(type_of_argument(api, expr.expr)):
            yield from _held(each)
        return
    parts = _parts(expr)
    if parts is None:
        yield from _held(type_of_argument(api, expr))
    for part in parts or ():
        yield from _fetched(api, part)


def _parts(expr: Expression) -> Sequence[Expression] | None:
    """The expressions whose values an expression has as fetches; None if that is not written out."""
    match expr:
        case DictExpr():
            return [value for _, value in expr.items]
        case ConditionalExpr():
            return expr.if_expr, expr.else_expr
        case ListComprehension():
            return [expr.generator.left_expr]
        case DictionaryComprehension():
            return [expr.value]
    return expr.items if is_display(expr) else None


def _held(fetches: Type) -> Iterator[Type]:
    """The types of what values of a type hold as fetches."""
    if isinstance(fetches, TypeAliasType) and fetches.is_recursive:
        return
    for type_ in union_items(fetches):
        items = _items(type_)
        if items is None:
            yield type_
        for each in items or ():
            yield from _held(each)


def _items(type_: Type) -> Sequence[Type] | None:
    """The types of the items of a tuple, a list or a mapping; None for what is none of these."""
    if isinstance(type_, TupleType):
        return type_.items if type_.partial_fallback.type.fullname in _TUPLES else None
    container = next(filter(None, (base_of(type_, each) for each in _CONTAINERS)), None)
    is_text = any(base_of(type_, each) is not None for each in _TEXTS)
    return None if container is None or is_text else container.args[-1:]


def _is_refused(type_: Type) -> bool:
    """Whether mypy takes no value of a type for a fetch; one of an unknown class may be one."""
    if not isinstance(type_, Instance):
        return isinstance(type_, (FunctionLike, TypeType))
    is_protocol = type_.type.is_protocol and base_of(type_, _ITERATOR) is None
    is_open = may_be_any(type_) or is_protocol or type_.type.fullname == "builtins.object"
    is_fetch = any(base_of(type_, each) is not None for each in _FETCHES)
    return not is_open and not is_fetch and all(type_.type.get(each) is None for each in _OF_OTHER_FETCHES)
