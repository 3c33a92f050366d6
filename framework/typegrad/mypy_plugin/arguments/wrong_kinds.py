"""Literals and functions that a parameter does not take: `Adam(graph, "0.1")`.

The check at run time tells, which is asked about a value like the argument. mypy alone lists the types that the
parameter takes, in words that the program does not contain, or all overloads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from attrs import frozen
from mypy.nodes import (
    ARG_POS,
    Expression,
    FloatExpr,
    FuncDef,
    IntExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    StrExpr,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, TypeOfAny, get_proper_type

from typegrad.arguments.calls import form
from typegrad.arguments.guarding import in_place_of, kind_in, without_first
from typegrad.arguments.instead import instead
from typegrad.base.brief import described
from typegrad.base.types import TFloat32
from typegrad.graph.graph import Graph
from typegrad.graph.refusals import NO_VALUE
from typegrad.graph.scope import Scope
from typegrad.mypy_plugin.arguments.passed import Passed, class_name, is_display, is_text_or_number, type_of_argument
from typegrad.mypy_plugin.base.classes import GRAPH, SCOPE
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, SESSION, base_of
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["no_values", "refused_kind", "wrong_array", "wrong_kinds", "wrong_objects"]

_OF_SCHEDULE: Final = 2
"""The number of parameters of a schedule of learning rates."""
_OBJECTS: Final = (GRAPH, SESSION)
_VALUES: Final = (ARRAY, "builtins.dict", "builtins.list")
_MAP: Final = "Dataset.map"
_ARRAY: Final = "ArrayLike"
"""The annotation of what takes values alone."""
_PASS: Final = "call it, and pass its result"


@frozen
class _Sample:
    """A value like the one that an argument is."""

    value: object
    text: str
    type: Type
    hint: str = ""


def wrong_kinds(passed: Passed) -> Iterator[str]:
    """The error message for the argument of a parameter."""
    expr, name, callee = passed.expr, passed.name, passed.callee
    if isinstance(expr, LambdaExpr) and name == "learning_rate":
        yield from (f"{passed.called}(): learning_rate: {text}" for text in _wrong_schedule(expr))
        return
    if callee.name == _MAP and _is_of_several(passed):
        from typegrad.training.data.dataset import ONE_ARGUMENT  # for few programs

        yield f"{passed.called}(): {ONE_ARGUMENT}"
        return
    sample = _sample(passed.api, expr) or (_other(passed) if callee.overloads else None)
    if sample is None or callee.takes(name, sample.type):
        return
    kind = kind_in(callee.function, name)
    integer = passed.api.named_generic_type("builtins.int", [])
    is_of_one = "Operand[" in passed.annotation and callee.takes(name, integer)
    if is_of_one and _is_several_integers(sample.value):
        yield f"{passed.text} must be an integer, not a list of integers"
    elif kind is not None and not kind.accepts(sample.value):
        mistake = kind.refused(sample.value)
        hint = sample.hint or _of_call(passed, sample.value) or instead(passed.called, name) or mistake.hint
        yield f"{passed.text} must be {mistake.kind.one}, not {sample.text}{'; ' if hint else ''}{hint}"


def _is_several_integers(value: object) -> bool:
    """Whether a value is a list of integers, of which no operation takes several; `ExpandDims` takes one in a list."""
    return isinstance(value, (list, tuple)) and len(value) > 1 and all(type(each) is int for each in value)


def refused_kind(passed: Passed) -> str:
    """The error message for an argument that mypy has refused; "" if a value like it is not known to be wrong."""
    if passed.annotation == _ARRAY and base_of(passed.type, OPERAND) is not None:
        return f"{passed.called}(): argument `{passed.name}` is an operand, which {NO_VALUE}"
    kind = kind_in(passed.callee.function, passed.name)
    sample = _like(passed.api, passed.expr, passed.type)
    if kind is None or sample is None or kind.accepts(sample):
        return ""
    mistake = kind.refused(sample)
    if mistake.wrong_type:  # the element type of the sample is its own
        return ""
    hint = instead(passed.called, passed.name) or in_place_of(mistake, passed.called, passed.name) or mistake.hint
    problem = f"argument `{passed.name}{mistake.place}` must be {mistake.kind.one}, not {_named(mistake.value)}"
    return f"{passed.called}(): {problem}{'; ' if hint else ''}{hint}"


def _like(api: CheckerPluginInterface, expr: Expression, type_: Type) -> object:
    """An operand, a literal, or a list of such, as an argument is; None for anything else."""
    if is_display(expr):
        items = [_like(api, item, type_of_argument(api, item)) for item in expr.items]
        return None if not items or None in items else tuple(items) if isinstance(expr, TupleExpr) else items
    return _operand() if base_of(type_, OPERAND) is not None else _literal(expr)


def _named(value: object) -> str:
    """A value that is like an argument, in words."""
    if isinstance(value, (list, tuple)) and any(each is _operand() for each in value):
        return f"a {type(value).__name__} of operands"
    return "an operand" if value is _operand() else described(value)


def _is_of_several(passed: Passed) -> bool:
    """Whether an argument is a function that cannot be called with one argument."""
    expr = passed.expr
    if isinstance(expr, LambdaExpr):
        return expr.arg_kinds.count(ARG_POS) != 1 and set(expr.arg_kinds) <= {ARG_POS}
    type_ = passed.type if isinstance(expr, (MemberExpr, NameExpr)) else None
    return isinstance(type_, CallableType) and not type_.is_type_obj() and type_.arg_kinds.count(ARG_POS) > 1


def wrong_objects(passed: Passed) -> Iterator[str]:
    """The error message for another object in the place of a graph, a session, a step of training or a data set."""
    type_, kind = passed.type, kind_in(passed.callee.function, passed.name)
    if kind is None or passed.callee.takes(passed.name, type_):
        return
    is_operand = base_of(type_, OPERAND) is not None
    is_object = isinstance(type_, Instance) and type_.type.fullname in (*_OBJECTS, *_VALUES)
    is_several = isinstance(type_, TupleType) or base_of(type_, "builtins.list") is not None
    if (is_operand or is_object or is_several) and not (is_several and "Sequence" in passed.annotation):
        what = "an operand" if is_operand else class_name(type_)
        usage = _of_call(passed, _operand()) if is_operand else ""
        remedy = usage or instead(passed.called, passed.name) or kind.hint
        yield f"{passed.called}(): argument `{passed.name}` must be {kind.one}, not {what}; {remedy}"


def _of_call(passed: Passed, value: object) -> str:
    """How the function is called, if its graph is missing; "" otherwise."""
    is_graph = passed.annotation == "Graph"
    return without_first(passed.callee.function, passed.name, value, passed.called) if is_graph else ""


def no_values(passed: Passed) -> Iterator[str]:
    """The error message for what is neither an operand nor a value, in a call that fits no overload."""
    sample = _other(passed) if passed.callee.overloads else None
    if sample is None or not (sample.value is None or isinstance(sample.value, (type, Scope))):
        return
    if ("None" if sample.value is None else "type[") not in passed.annotation:
        yield f"{passed.text} must be an operand or a value, not {sample.text}"


def wrong_array(passed: Passed) -> Iterator[str]:
    """The error message for a list, a number, an operand or the like in the place of an array."""
    type_ = passed.type
    is_list = isinstance(type_, TupleType) or base_of(type_, "builtins.list") is not None
    is_operand = base_of(type_, OPERAND) is not None
    if is_list or is_operand or is_text_or_number(type_) or isinstance(type_, NoneType):
        what = "an operand" if is_operand else "None" if isinstance(type_, NoneType) else class_name(type_)
        yield f"{passed.called}(): argument `{passed.name}` must be a NumPy array, not {what}; np.asarray makes one"


def _wrong_schedule(function: LambdaExpr) -> Iterator[str]:
    from typegrad.training.optimizers.schedules import NO_OPERAND, NO_SCHEDULE  # for few programs

    if len(function.arguments) != _OF_SCHEDULE:
        yield NO_SCHEDULE
    elif isinstance(function.expr(), (FloatExpr, IntExpr)):
        yield NO_OPERAND


def _sample(api: CheckerPluginInterface, expr: Expression) -> _Sample | None:
    if isinstance(expr, (FloatExpr, StrExpr)):
        kind = type(expr.value).__name__
        type_ = api.named_generic_type(f"builtins.{kind}", [])
        return _Sample(expr.value, f"the Python {kind} {expr.value!r}", type_)
    if isinstance(expr, LambdaExpr) or _is_function(api, expr):
        anything = AnyType(TypeOfAny.special_form)
        function = CallableType([], [], [], anything, api.named_generic_type("builtins.function", []))
        return _Sample(lambda: None, "a function", function.copy_modified(is_ellipsis_args=True), _PASS)
    return None


def _other(passed: Passed) -> _Sample | None:
    """A value like an argument that fits no overload, unless it might be a value of many kinds."""
    expr, type_ = passed.expr, passed.type
    class_ = class_argument(type_)
    leaf = None if class_ is None else leaf_of(class_)
    if leaf is not None:
        return _Sample(leaf, described(leaf), type_)
    if isinstance(type_, NoneType):
        return _Sample(None, "None", type_)
    if isinstance(type_, Instance) and type_.type.fullname == SCOPE:
        return _Sample(Scope(Graph()), "a Scope", type_, form(passed.callee.function, passed.called))
    if base_of(type_, OPERAND) is not None:
        takes_none = not re.search(r"Operand|Like|Variable|Output|X\[|Ys", passed.annotation)
        return _Sample(_operand(), "an operand", type_) if takes_none else None
    value = _literal(expr)
    return None if value is None else _Sample(value, described(value), type_)


@cache
def _operand() -> object:
    from typegrad.op.core import Placeholder  # for few programs

    return Placeholder.create(Scope(Graph()), TFloat32)


def _literal(expr: Expression) -> object:
    """The value of a literal, or of a list or a tuple of literals; None if it is not known."""
    if isinstance(expr, (FloatExpr, IntExpr, StrExpr)):
        return expr.value
    values = list(map(_literal, expr.items)) if is_display(expr) else [None]
    return None if None in values else tuple(values) if isinstance(expr, TupleExpr) else values


def _is_function(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is the name of a function or a method, as in `model.variables` without parentheses."""
    if isinstance(expr, NameExpr):
        return isinstance(expr.node, FuncDef)
    type_ = get_proper_type(expression_type(api, expr)) if isinstance(expr, MemberExpr) and not expr.fullname else None
    return isinstance(type_, CallableType) and isinstance(type_.definition, FuncDef)
