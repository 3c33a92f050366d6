"""Arguments that their parameters do not take, in the words of the error at run time.

They are those that select an overload, and those for which mypy's own message does not say what to do. `_checks` tells
which modules of this package look at an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Final, TypeAlias

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, RefExpr, StarExpr, StrExpr, TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, CallableType, Instance, NoneType, Overloaded, TupleType, Type, get_proper_type

from typegrad.arguments.calls import form
from typegrad.arguments.instead import of_function, of_operand
from typegrad.base.brief import brief, counted
from typegrad.base.shape import SHAPE_AS_VALUE
from typegrad.base.types import (
    NO_OBJECT,
    TComplex,
    TFloating,
    TIntegral,
    TNumber,
    TReal,
    allowed_names,
    type_hint,
)
from typegrad.graph.definition import leaves
from typegrad.graph.input_order import swap
from typegrad.graph.variable import OF_SHAPE
from typegrad.mypy_plugin.arguments.passed import (
    Passed,
    class_name,
    is_display,
    is_number,
    is_text_or_number,
    item_types,
    may_be_any,
    type_of_argument,
)
from typegrad.mypy_plugin.arguments.sizes import type_for_size
from typegrad.mypy_plugin.arguments.wrong_integers import takes_integers, wrong_integers
from typegrad.mypy_plugin.arguments.wrong_kinds import no_values, refused_kind, wrong_array, wrong_kinds, wrong_objects
from typegrad.mypy_plugin.arguments.wrong_operands import (
    missing_operands,
    takes_operands_alone,
    value_for_operand,
    value_of_run,
    values_among_operands,
    wrong_equality,
    wrong_list,
    wrong_names,
    wrong_operands,
    wrong_operation,
    wrong_pairs,
    wrong_rest,
    wrong_sum,
    wrong_targets,
    wrong_variable,
)
from typegrad.mypy_plugin.arguments.wrong_runs import ASSIGN, RUN, wrong_assigned, wrong_feeds, wrong_fetch
from typegrad.mypy_plugin.arguments.wrong_values import DIFFERENTIATED, OPERANDS, TARGET, wrong_choice, wrong_values
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.classes import ELEMENT_TYPE, GRAPH, OWN, SCOPE, SHAPE_CLASS
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of, leaves_of
from typegrad.mypy_plugin.base.operands import OPERAND, are_operands, base_of
from typegrad.mypy_plugin.types.not_operands import is_no_operand, returns_operand
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.callees import Callee
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.static_values import is_known

__all__ = ["refused_argument", "with_order", "wrong_arguments", "wrong_choices", "wrong_scope"]

_RUNS: Final = (RUN, "TypedRun.callable")
_TAKE_VALUES: Final = ("Constant.create", "Variable.create", ".constant", ".variable")
_NO_TYPES: Final = frozenset(f"builtins.{name}" for name in ("bool", "dict", "float", "int", "list", "tuple"))
_NO_VALUES: Final = ("typing.Mapping", "typing.AbstractSet")
_SHAPES: Final = ("PartialShapeLike", "ShapeLike")
"""The annotations of shapes, which may be None."""
_TYPE: Final = "type["
"""The beginning of the annotation of an element type."""
_MARKERS: Final = (TNumber, TReal, TFloating, TIntegral, TComplex)
"""The classes of several element types, the larger ones first."""
_VARIABLE: Final = "AnyVariable"
_INTEGERS: Final = (" | IntegerArray", " | IntegerVector")
"""What may be in the place of a list of integers, and is spoken of as one."""
_COLLECTION: Final = "Collection["
_SEQUENCE: Final = "Sequence["
_SHAPE: Final = " | Shape"
"""The part of the latter that is no array."""
_OPERATIONS: Final = "Operation | Op | AnyOperand"
"""The annotation of parameters that take operations one by one."""
_OF_OPERATIONS: Final = "typegrad.op."
"""The package of operations, which check their inputs and attributes themselves."""
_SINGLE: Final = ("AnyOperand | Sequence[AnyOperand]", "Dataset[Any]", "Graph", "Operation | Op", "Session")
"""The annotations of parameters that take objects of few classes."""
_LISTED: Final = (f"Iterable[{_OPERATIONS}]", "Operands")
"""The annotations of parameters that take operations or operands in a list."""
_Check: TypeAlias = Callable[[Passed], Iterator[str]]
"""What tells the mistakes in an argument, in error messages."""


def wrong_arguments(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr) -> Iterator[str]:
    """The error messages for the arguments of a call."""
    for position, passed in enumerate(_passed(api, callee, called, call)):
        is_first = position == 0 and call.arg_names[0] is None
        if is_first and "scope" not in callee.accepted and _takes_no_scope(passed.annotation):
            yield from _misplaced_scope(passed)
        yield from _mistakes(passed)


def refused_argument(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr, expr: Expression) -> str:
    """The error message for an argument that mypy has refused, by which it knows the types of all; "" if unknown."""
    text = next(wrong_arguments(api, callee, called, call), "")
    if text:
        return with_order(api, callee, called, call, text)
    passed = () if callee.module.startswith(_OF_OPERATIONS) else _passed(api, callee, called, call)
    return next((refused_kind(each) for each in passed if each.expr is expr), "")


def with_order(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr, text: str) -> str:
    """The error message about an argument, with the order if two are right in each other's place."""
    passed = {each: one for each, one in enumerate(_passed(api, callee, called, call)) if call.arg_names[each] is None}
    wrong = [position for position, each in passed.items() if any(_mistakes(each))]
    if len(wrong) == 1 and is_text_or_number(passed[wrong[0]].type):
        is_misplaced = _is_misplaced_list if _takes_list(passed[wrong[0]]) else _is_misplaced_operand
        wrong += [position for position, each in passed.items() if is_misplaced(each)]
    if len(wrong) == 1 and _takes_type(passed[wrong[0]]):
        wrong += [position for position, each in passed.items() if not _takes_type(each) and _is_element_type(each)]
    if len(wrong) != 2:
        return text
    args = list(call.args)
    args[wrong[0]], args[wrong[1]] = args[wrong[1]], args[wrong[0]]
    if any(wrong_arguments(api, callee, called, CallExpr(call.callee, args, call.arg_kinds, call.arg_names))):
        return text
    pair = {passed[position].name: passed[position] for position in sorted(wrong)}
    if any(map(_takes_list, pair.values())) and any(map(_is_misplaced_list, pair.values())):
        first, second = pair
        return f"{called}(): {swap((first, second), lambda name: f'`{name}` is {_shown(pair[name])}')}"
    misplaced = [name for name, each in pair.items() if _is_misplaced_operand(each)]
    if misplaced and not any(map(_takes_type, pair.values())):
        return f"{text.partition(';')[0]}; `{misplaced[0]}` is an operand; swap them"
    usage = f"; {form(callee.function, called)}"
    return text.removesuffix(usage) + usage


def _takes_type(passed: Passed) -> bool:
    return passed.annotation.startswith(_TYPE)


def _is_element_type(passed: Passed) -> bool:
    class_ = class_argument(passed.type)
    return class_ is not None and leaf_of(class_) is not None


def _takes_list(passed: Passed) -> bool:
    return passed.annotation.startswith(_SEQUENCE)


def _is_misplaced_list(passed: Passed) -> bool:
    """Whether there is a list with what may be operands where a number, a string or an operand is taken."""
    return not _takes_list(passed) and any(are_operands(each) or isinstance(each, AnyType) for each in _listed(passed))


def _listed(passed: Passed) -> Sequence[Type]:
    """The types of the items of a list, by the items themselves where it is written out."""
    # mypy tries one overload after another, and the type of a list in brackets depends on what it expects there.
    if is_display(passed.expr):
        return [passed.type_of(item.expr if isinstance(item, StarExpr) else item) for item in passed.expr.items]
    is_list = isinstance(passed.type, TupleType) or base_of(passed.type, "builtins.list") is not None
    return item_types(passed.type) if is_list else []


def _shown(passed: Passed) -> str:
    """What an argument is, in the words of the error at run time."""
    if are_operands(passed.type):
        return "an operand"
    if not _listed(passed):
        value = evaluate(passed.api, passed.expr, passed.type)
        return brief(value) if is_known(value) else f"a Python {short_name(passed.type)}"
    has_length = isinstance(passed.type, TupleType) or is_display(passed.expr)
    is_open = is_display(passed.expr) and any(isinstance(item, StarExpr) for item in passed.expr.items)
    count = counted(len(_listed(passed)), "operand") if has_length and not is_open else "operands"
    return f"a list of {count}"


def _is_misplaced_operand(passed: Passed) -> bool:
    """Whether an operand is where a number of Python is taken."""
    return "float" in passed.annotation.split(" | ") and are_operands(passed.type)


def _mistakes(passed: Passed) -> Iterator[str]:
    is_rest = passed.name == passed.callee.rest
    yield from _made_type(passed)
    for check in _checks(passed.callee.name, passed.called, passed.name, passed.annotation, is_rest=is_rest):
        yield from check(passed)


@cache
def _checks(function: str, called: str, name: str, annotation: str, *, is_rest: bool) -> Sequence[_Check]:
    """The checks of an argument, by its parameter. Their order matters: the first error is the only one reported."""
    is_fetch, is_target = function in _RUNS and name == "fetches", annotation.startswith(TARGET)
    takes_operands = annotation in (OPERANDS, DIFFERENTIATED)
    takes_list = annotation.startswith(_SEQUENCE)
    is_value = _takes_value(annotation) and annotation not in _SHAPES
    checks: list[tuple[bool, _Check]] = [
        (annotation.startswith(_TYPE), _wrong_type),
        (name in ("value", "initial_value") and called.endswith(_TAKE_VALUES), _wrong_value),
        (annotation in _SHAPES, _wrong_shape),
        (annotation == "Iterable[PairLike]", wrong_pairs),
        (takes_list or annotation in _LISTED, wrong_list),
        (name == "xs" and called.endswith("gradients"), wrong_targets),
        (is_target, value_of_run),
        (annotation.startswith("Iterable[str]"), wrong_names),
        (takes_operands or is_fetch, wrong_sum),
        (is_fetch, wrong_fetch),
        (function == RUN and name == "feed_dict", wrong_feeds),
        (function == ASSIGN and name == "value", wrong_assigned),
        (annotation == OPERANDS or is_target or takes_operands_alone(annotation), wrong_operands),
        (annotation == DIFFERENTIATED, values_among_operands),
        (annotation.startswith(_VARIABLE), wrong_variable),
        (annotation in _SINGLE, wrong_objects),
        (takes_operands or is_target, missing_operands),
        (is_fetch or "Operand[" in annotation or annotation.endswith(("Operand", "Like")), wrong_equality),
        ("Operand[" in annotation, wrong_operation),
        (is_rest and annotation == _OPERATIONS, wrong_rest),
        (is_rest and annotation == "Array", wrong_array),
        (takes_operands_alone(annotation) or annotation == OPERANDS, value_for_operand),
        (name != "scope" and takes_integers(annotation), wrong_integers),
        (name != "scope", wrong_values),
        # A value takes the type beside it.
        (name != "scope" and (is_value or "Operand[" in annotation), no_values),
        (name != "scope" and (takes_list or not _takes_value(annotation)), wrong_kinds),
    ]
    return [check for applies, check in checks if applies]


def _takes_value(annotation: str) -> bool:
    return any(part.partition("[")[0].endswith("Like") for part in annotation.split(" | "))


def wrong_choices(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr) -> Iterator[str]:
    """The error messages for strings that are none of a few."""
    if any(isinstance(each, StrExpr) for each in call.args):
        for passed in _passed(api, callee, called, call):
            yield from wrong_choice(passed)


def _passed(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr) -> Iterator[Passed]:
    """The arguments of a call, each with the name and the annotation of its parameter."""
    positions = callee.by_position
    for position, (expr, written) in enumerate(zip(call.args, call.arg_names, strict=True)):
        name = written or (positions[position] if position < len(positions) else callee.rest)
        yield Passed(api, callee, called, name, expr, _in_short(callee.accepted.get(name, "")))


@cache
def _in_short(annotation: str) -> str:
    """An annotation without the arrays that may be in the place of a list, and with a list for any collection."""
    listed = annotation.replace(_COLLECTION, _SEQUENCE)
    return listed.replace(_INTEGERS[0], "").replace(_INTEGERS[1], _SHAPE)


def wrong_scope(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr) -> str:
    """The error message for something else in the place of the scope, such as the first operand; "" if it is one."""
    names = zip(callee.by_position, call.arg_names, call.args, strict=False)
    by_position = [expr for name, written, expr in names if written is None and name == "scope"]
    by_name = dict(zip(call.arg_names, call.args, strict=True)).get("scope") if "scope" in callee.by_name else None
    given = by_position or ([] if by_name is None else [by_name])
    if not given or _is_scope(given[0]):
        return ""
    type_ = type_of_argument(api, given[0])
    is_class = class_argument(type_) is not None
    is_other = isinstance(type_, Instance) and not type_.type.has_base(SCOPE) and not may_be_any(type_)
    is_function = isinstance(type_, (CallableType, Overloaded)) and not type_.is_type_obj()
    if (
        is_class
        or is_function
        or is_other
        or isinstance(type_, NoneType)
        or (isinstance(type_, TupleType) and is_display(given[0]))
    ):
        is_graph = isinstance(type_, Instance) and type_.type.has_base(GRAPH)
        remedy = "write tg.Scope(graph)" if is_graph else is_function and of_function(called)
        remedy = remedy or form(callee.function, called)
        what = "a class" if is_class else "None" if isinstance(type_, NoneType) else class_name(type_)
        what = "a function" if is_function else what
        return f"{called}(): argument `scope` must be a Scope, not {what}; {remedy}"
    return ""


def _is_scope(expr: Expression) -> bool:
    """Whether an expression is the name of a scope, or makes another one of it: `scope.with_name("y")`."""
    if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name.startswith("with_"):
        return _is_scope(expr.callee.expr)
    type_ = get_proper_type(expr.node.type) if isinstance(expr, NameExpr) and isinstance(expr.node, Var) else None
    return isinstance(type_, Instance) and type_.type.fullname == SCOPE


@cache
def _takes_no_scope(annotation: str) -> bool:
    return bool(annotation) and not re.search(r"\b(Scope|Any|object)\b", annotation)


def _misplaced_scope(passed: Passed) -> Iterator[str]:
    type_, called = passed.type, passed.called
    if isinstance(type_, Instance) and type_.type.has_base(SCOPE):
        takes_graph = passed.annotation == "Graph"
        yield (
            f"{called}() takes a graph, not a scope; write {source_of(passed.expr)}.graph"
            if takes_graph
            else f"{called}() takes no scope; {form(passed.callee.function, called)}"
        )


def _made_type(passed: Passed) -> Iterator[str]:
    """The error message for an object of an element type, `tg.TFloat32()`, which cannot be made."""
    callee = passed.expr.callee if isinstance(passed.expr, CallExpr) else None
    class_ = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(class_, TypeInfo) and class_.has_base(ELEMENT_TYPE):
        yield NO_OBJECT.format(class_.name)


def _wrong_type(passed: Passed) -> Iterator[str]:
    """The error message for what is no element type, or for one that the function does not take."""
    expr, type_ = passed.expr, passed.type
    text = f"{passed.text} must be an element type"
    if isinstance(type_, Instance) and type_.type.fullname == "builtins.str":
        literal = type_.last_known_value
        yield f"{text}, not a string; {type_hint(literal.value if literal else '')}"
    actual = class_argument(type_)
    leaf, allowed = None if actual is None else leaf_of(actual), passed.callee.element_types(passed.name)
    if leaf is not None and allowed is not None and leaf not in allowed:
        yield f"{passed.text} is {leaf.name}, but must be {allowed_names(allowed)}"
    several = leaves_of(actual) if isinstance(actual, Instance) and leaf is None else None
    if isinstance(actual, Instance) and several and allowed is not None and not several <= allowed:
        stated = next((each for each in _MARKERS if (own := leaves(each)) <= allowed and own <= several), None)
        remedy = "" if stated is None else f"; declare it as type[tg.{stated.__name__}]"
        yield f"{passed.text} may be any type[tg.{actual.type.name}], and not all of them are taken{remedy}"
    elif isinstance(actual, Instance) and leaves_of(actual) is None and not may_be_any(actual):
        what = short_name(actual) if source_of(expr) == UNNAMED else source_of(expr)
        yield f"{text}, not {what}; {_hint(expr, actual)}"
    elif isinstance(type_, TupleType) or (isinstance(type_, Instance) and type_.type.fullname in _NO_TYPES):
        yield f"{text}, not {class_name(type_)}; {type_hint('')}"
    elif base_of(type_, OPERAND) is not None:
        yield f"{text}, not an operand; {type_hint('')}"
    elif isinstance(type_, Instance) and type_.type.fullname == SCOPE:
        yield f"{text}, not a Scope; {type_hint('')}"
    elif isinstance(type_, NoneType) and "None" not in passed.annotation:
        yield f"{text}, not None; {type_hint('')}"


def _hint(expr: Expression, actual: Instance) -> str:
    """The element type to write for a Python or NumPy class, by the name in the source, which may be an alias."""
    module, _, name = actual.type.fullname.rpartition(".")
    source = expr.fullname if isinstance(expr, NameExpr) else getattr(expr, "fullname", "")
    name = source.rpartition(".")[2] or name
    return type_hint(getattr(import_module(module), name, name) if module in ("builtins", "numpy") else name)


def _wrong_value(passed: Passed) -> Iterator[str]:
    """The error message for what no constant or variable is made of, such as a shape or an object."""
    if is_no_operand(passed.api, passed.expr) or returns_operand(passed.expr):
        return
    type_ = passed.type
    if passed.name == "value" and base_of(type_, OPERAND) is not None:
        yield f"{passed.text} is an operand, which has no value before the run; session.run gives an array"
        return
    if isinstance(type_, Instance) and type_.type.fullname == SHAPE_CLASS:
        is_variable = passed.name == "initial_value"
        yield f"{passed.called}(): {OF_SHAPE}" if is_variable else SHAPE_AS_VALUE.format(passed.text)
        return
    is_own = isinstance(type_, Instance) and type_.type.fullname.startswith(OWN) and base_of(type_, OPERAND) is None
    is_class = class_argument(type_) is not None
    is_none = isinstance(type_, NoneType) and passed.name == "value"  # a variable of a shape has no initial value
    if (
        is_own
        or is_class
        or is_none
        or (isinstance(type_, Instance) and any(type_.type.has_base(base) for base in _NO_VALUES))
    ):
        what = "a class" if is_class else "None" if is_none else short_name(type_)
        yield f"{passed.text} is a number, bool, string, (nested) list or array of them, not {what}"


def _wrong_shape(passed: Passed) -> Iterator[str]:
    type_, text = passed.type, f"{passed.text} is a tuple of sizes, such as (3, 5) or (None, 5)"
    is_string = isinstance(type_, Instance) and type_.type.fullname == "builtins.str"
    if class_argument(type_) is not None or is_number(type_) or is_string:
        yield f"{text}, not {'a class' if class_argument(type_) is not None else short_name(type_)}"
    is_operand = base_of(type_, OPERAND) is not None
    if is_operand or (isinstance(type_, Instance) and type_.type.fullname == SCOPE):
        operand = "x" if source_of(passed.expr) == UNNAMED else source_of(passed.expr)
        remedy = of_operand(passed.called, passed.name, operand) if is_operand else ""
        yield f"{text}, not {'an operand' if is_operand else 'a Scope'}{'; ' if remedy else ''}{remedy}"
    for item in passed.expr.items if is_display(passed.expr) else ():
        what = "" if isinstance(item, StarExpr) else type_for_size(item) or _no_size(passed.type_of(item))
        if what:
            yield f"{text}, but holds {what}"


def _no_size(type_: Type) -> str:
    """What an item of a shape is that is no size; "" for a size."""
    if isinstance(type_, TupleType) or base_of(type_, "builtins.list") is not None:
        kind = "tuple" if isinstance(type_, TupleType) else "list"
        return f"a {kind}; a * before it takes its sizes, as in (None, *sizes)"
    if base_of(type_, OPERAND) is not None:
        return "an operand, whose value is known in a run alone"
    is_fraction = isinstance(type_, Instance) and type_.type.fullname in ("builtins.float", "builtins.complex")
    return class_name(type_) if is_fraction else ""
