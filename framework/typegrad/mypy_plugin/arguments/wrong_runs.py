"""Fetches and feeds of `session.run` that are none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from attrs import evolve
from mypy.nodes import DictExpr, Expression, StarExpr
from mypy.types import AnyType, FunctionLike, Instance, NoneType, TupleType, Type, TypeType, get_proper_type

from typegrad.arguments.instead import NOT_ITS_VALUE
from typegrad.base.sameness import NO_VALUES
from typegrad.graph.refusals import INSTEAD_OF_FETCH, NO_FETCH
from typegrad.mypy_plugin.arguments.equalities import told_equality
from typegrad.mypy_plugin.arguments.passed import (
    NUMBERS,
    Passed,
    class_name,
    is_display,
    is_number,
    is_variable,
    may_be_any,
)
from typegrad.mypy_plugin.arrays.feeds import NO_FEED, UNNAMED, source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OPERATION, OWN
from typegrad.mypy_plugin.base.dtypes import class_argument
from typegrad.mypy_plugin.base.operands import ARRAY, OP, OPERAND, base_of, union_items
from typegrad.mypy_plugin.types.not_operands import is_no_operand
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.following import bound_values
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["ASSIGN", "RUN", "no_fetch", "wrong_assigned", "wrong_feeds", "wrong_fetch"]

RUN: Final = "Session.run"
ASSIGN: Final = "Session.assign"
_FETCHES: Final = (OPERAND, OP, OPERATION, "builtins.str")
_NO_FETCHES: Final = (*NUMBERS, ARRAY)
_OF_RUNS: Final = (ARRAY, "numpy.generic")
_SEQUENCE: Final = "typing.Sequence"
_FED_OPERAND: Final = "the feed of {} is an operand; give the array that session.run gave for it"
_MAPPED: Final = "feeds maps operands to values"
_OPERAND_AS_VALUE: Final = f"{_MAPPED}, but the value for {{}} is an operand"
_NO_VALUES: Final = ("builtins.dict", "builtins.set", "builtins.frozenset")
_NO_KEYS: Final = (ARRAY, "builtins.list")
_OF_VALUES: Final = ("__array__", "__array_interface__", "__buffer__", "__complex__", "__float__", "__int__", "__len__")
"""The methods by which NumPy makes an array of an object."""


def wrong_fetch(passed: Passed) -> Iterator[str]:
    """The error messages for what cannot be fetched, in any list."""
    if is_display(passed.expr):
        for item in passed.expr.items:
            if isinstance(item, StarExpr):
                yield from _wrong_kinds(evolve(passed, expr=item.expr))
            else:
                yield from wrong_fetch(evolve(passed, expr=item))
        return
    items = passed.expr.items if isinstance(passed.expr, DictExpr) else []
    if any(_is_operand(passed, key) and not _is_fetch(passed, value) for key, value in items):
        yield f"{passed.called}(): what to fetch comes first, and feeds second; write session.run(y, {{x: value}})"
        return
    for _, value in items:
        yield from wrong_fetch(evolve(passed, expr=value))
    if isinstance(passed.type, Instance) and passed.type.type.fullname == _SEQUENCE:
        source = source_of(passed.expr)
        yield f"{RUN}(): {source} may be a list or a tuple, and so may the result; write [*{source}]"
    yield from _wrong_kinds(passed)


def _wrong_kinds(passed: Passed) -> Iterator[str]:
    """The error messages for a value of a class that no fetch has."""
    hint = f"; {NO_VALUES}" if told_equality(passed.api, passed.expr) else ""
    for type_ in filter(_is_no_fetch, union_items(passed.type)):
        run = _run_before(passed) if _is_value(type_) else None
        bound = "" if run is None else f"; line {run.line} binds {source_of(passed.expr)} to it"
        yield f"{passed.called}(): {no_fetch(type_)}{hint}{bound}"


def _run_before(passed: Passed) -> Expression | None:
    """The run to whose result a name is bound last before it is fetched: `loss = session.run(loss)`."""
    bound = [None if each is None else each.expr for each in bound_values(passed.api, passed.expr)]
    checker = checker_of(passed.api)
    runs = [each for each in bound if each is not None and fetches_of(checker, each) is not None]
    return next((each for each in reversed(runs) if each.line <= passed.expr.line), None)


def no_fetch(type_: Type) -> str:
    """The error message for a value that cannot be fetched, by its type."""
    if not isinstance(type_, Instance):
        return f"{NO_FETCH.format('a function or a class')}; {INSTEAD_OF_FETCH['__call__']}"
    remedies = (text for method, text in INSTEAD_OF_FETCH.items() if type_.type.get(method) is not None)
    of_value = [NOT_ITS_VALUE] if _is_value(type_) else []
    return "; ".join((NO_FETCH.format(class_name(type_)), *of_value, *islice(remedies, 1)))


def _is_value(type_: Type) -> bool:
    """Whether a value is one that a run may have returned."""
    return any(base_of(type_, each) is not None for each in _OF_RUNS)


def _is_operand(passed: Passed, key: Expression | None) -> bool:
    return key is not None and base_of(passed.type_of(key), OPERAND) is not None


def _is_fetch(passed: Passed, value: Expression) -> bool:
    if is_display(value):
        return all(_is_fetch(passed, item) for item in value.items)
    type_ = get_proper_type(passed.type_of(value))
    is_open = isinstance(type_, AnyType) or (isinstance(type_, Instance) and may_be_any(type_))
    return is_open or any(base_of(type_, name) is not None for name in _FETCHES)


def _is_no_fetch(type_: Type) -> bool:
    if not isinstance(type_, Instance):
        return isinstance(type_, (FunctionLike, TypeType))
    if any(base_of(type_, name) is not None for name in _FETCHES):
        return False
    is_record = not type_.type.metadata.keys().isdisjoint({"dataclass", "attrs"})
    is_own = type_.type.fullname.startswith(OWN) and not is_record
    return is_own or any(type_.type.has_base(name) for name in _NO_FETCHES)


def wrong_feeds(passed: Passed) -> Iterator[str]:
    """The error messages for what is no dict of feeds, and for wrong keys and values in one."""
    if isinstance(passed.expr, DictExpr):
        for key, value in passed.expr.items:
            text = "" if key is None else _wrong_feed(passed, key, value)
            if text:
                yield f"{RUN}(): {text}"
        return
    type_ = passed.type
    is_mapping = isinstance(type_, Instance) and type_.type.get("items") is not None
    is_other = isinstance(type_, Instance) and not is_mapping and not may_be_any(type_)
    if is_other or isinstance(type_, (FunctionLike, TupleType, TypeType)):
        what = _shown(type_)
        yield f"{RUN}(): {_MAPPED}, but is {what}; write {{x: value}}"
    keys = get_proper_type(type_.args[0]) if is_mapping and isinstance(type_, Instance) and type_.args else None
    if keys is not None and (is_number(keys) or base_of(keys, ARRAY) is not None):
        yield f"{RUN}(): {_MAPPED}, but the keys of {source_of(passed.expr)} are {class_name(keys)}"


def _shown(type_: Type) -> str:
    if not isinstance(type_, Instance):
        return "a tuple" if isinstance(type_, TupleType) else _kind_without_value(type_)
    if base_of(type_, ARRAY) is not None:
        return "an array"
    return "a list" if base_of(type_, "builtins.list") is not None else short_name(type_)


def wrong_assigned(passed: Passed) -> Iterator[str]:
    """The error message for what no variable is assigned in a session."""
    if is_variable(passed.type):
        return  # which is in the place of the other argument
    if not is_no_operand(passed.api, passed.expr) and base_of(passed.type, OPERAND) is not None:
        yield f"{ASSIGN}(): the value for a variable is an operand; give the array that session.run gave for it"
    kind = "a class" if class_argument(passed.type) is not None else _kind_without_value(passed.type)
    if kind:
        yield f"{ASSIGN}(): the value for a variable is {kind}, but must be an array, a number, or a list of such"


def _wrong_feed(passed: Passed, key: Expression, value: Expression) -> str:
    fed = passed.type_of(key)
    if is_variable(fed):
        return NO_FEED.format(source_of(key))
    if is_number(fed) or isinstance(fed, TupleType) or any(base_of(fed, each) is not None for each in _NO_KEYS):
        named = "a key" if source_of(key) == UNNAMED else f"the key {source_of(key)}"
        return f"{_MAPPED}, but {named} is {class_name(fed)}"
    if not is_no_operand(passed.api, value) and base_of(passed.type_of(value), OPERAND) is not None:
        is_known = not isinstance(get_proper_type(fed), AnyType)  # else it may be the array, and in the wrong place
        return (_FED_OPERAND if is_known else _OPERAND_AS_VALUE).format(source_of(key))
    kind = _kind_without_value(passed.type_of(value))
    return f"the feed of {source_of(key)} is {kind}, but must be an array, a number, or a list of such" if kind else ""


def _kind_without_value(type_: Type) -> str:
    """What cannot be fed: None, a function, a dict, a set or an object without a value; empty for anything else."""
    if isinstance(type_, NoneType):
        return "None"
    if isinstance(type_, (FunctionLike, TypeType)):
        return "a class" if isinstance(type_, TypeType) or type_.is_type_obj() else "a function"
    if not isinstance(type_, Instance) or may_be_any(type_):
        return ""
    has_value = any(type_.type.get(each) is not None for each in _OF_VALUES)
    return "" if has_value and type_.type.fullname not in _NO_VALUES else short_name(type_)
