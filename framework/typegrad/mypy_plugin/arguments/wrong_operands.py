"""Arguments in the place of operands and variables: lists of them, values, what may be None, and operations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from attrs import evolve
from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    GeneratorExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, LiteralType, NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.arguments.instead import OF_PAIRS, of_several, of_text, of_tuple, of_value
from typegrad.arguments.kinds import JOINED, OF_READ, PAIR_ORDER, operand_hint, variable_hint
from typegrad.base.brief import described
from typegrad.graph.definition import OpDef
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.equalities import told_equality
from typegrad.mypy_plugin.arguments.passed import (
    Passed,
    class_name,
    is_display,
    is_number,
    is_text_or_number,
    is_variable,
    item_types,
    type_of_argument,
)
from typegrad.mypy_plugin.arguments.wrong_runs import ASSIGN
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.classes import OPERATION, PART
from typegrad.mypy_plugin.base.dtypes import class_argument
from typegrad.mypy_plugin.base.operands import ARRAY, OP, OPERAND, are_operands, base_of, in_tuple
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import is_known

__all__ = [
    "missing_operands",
    "operation_of",
    "takes_operands_alone",
    "value_for_operand",
    "value_of_run",
    "values_among_operands",
    "wrong_equality",
    "wrong_list",
    "wrong_names",
    "wrong_operands",
    "wrong_operation",
    "wrong_pairs",
    "wrong_rest",
    "wrong_sum",
    "wrong_targets",
    "wrong_variable",
    "wrong_vectors",
]

_LISTS: Final = {
    "": "operands",
    "AnyOperand]": "operands",
    "Operand": "operands",
    "Operation | Op | AnyOperand]": "operations",
}
"""What lists hold, by what is in the annotation of a list, if it is no name."""
_VIEWS: Final = ("typing.Iterator", "typing.ValuesView")
"""What may be iterated, and has no items at positions."""
_NO_LISTS: Final = ("typing.AbstractSet", "typing.Iterator", "typing.Mapping", "typing.ValuesView")
_NODES: Final = (OPERAND, OP, OPERATION, PART)


@cache
def takes_operands_alone(annotation: str) -> bool:
    """Whether a parameter takes operands other than handles, and no values in place of them."""
    return all(kind.startswith("Operand[") and "TResource" not in kind for kind in annotation.split(" | "))


def value_for_operand(passed: Passed) -> Iterator[str]:
    """The error message for a value where an operand is taken alone."""
    if not passed.is_value() and base_of(passed.type, ARRAY) is None:
        return
    if of_value(passed.called, passed.name):
        yield from value_of_run(passed)
        return
    value = source_of(passed.expr) if isinstance(passed.expr, (MemberExpr, NameExpr)) else "..."
    yield f"{passed.text} must be an operand, not a value; core.Constant.create(scope, {value}) makes one"


def value_of_run(passed: Passed) -> Iterator[str]:
    """The error message for an array or a number where a function differentiates, or with respect to which."""
    if not isinstance(passed.expr, StrExpr) and (is_number(passed.type) or base_of(passed.type, ARRAY) is not None):
        yield f"{_refused(passed)} must be an Operand, not {_shown(passed)}; {of_value(passed.called, passed.name)}"


def _refused(passed: Passed) -> str:
    """The beginning of an error message, as at run time."""
    return f"{passed.called}(): argument `{passed.name}`"


def _shown(passed: Passed) -> str:
    """A number or an array, in the words of the error at run time."""
    if base_of(passed.type, ARRAY) is not None:
        return "an array"
    value = evaluate(passed.api, passed.expr, passed.type)
    return described(value) if is_known(value) else class_name(passed.type)


def wrong_list(passed: Passed) -> Iterator[str]:
    """The error messages for an argument of which a list is taken, of operands or of variables."""
    expr, annotation = passed.expr, passed.annotation
    takes_variables = annotation.startswith(("Sequence[Variable", "Sequence[AnyVariable"))
    if is_display(expr):
        if takes_variables:
            for position, item in enumerate(expr.items):
                if not isinstance(item, StarExpr):
                    yield from wrong_variable(passed.item(position, item))
        elif _holds_operands_alone(annotation):
            yield from values_among_operands(passed)
        return
    for held in item_types(passed.type) if takes_variables else ():
        if several := _several(held):
            yield f"{passed.text[:-1]}[0]` must be a Variable, not {several}; {_one_at_a_time(passed, held)}"
    takes_any = takes_variables or not annotation.startswith("Sequence[")
    kind = "variables" if takes_variables else _LISTS.get(annotation.partition("[")[2].partition("[")[0])
    if kind is None:
        return
    if passed.is_named_operand() or is_variable(passed.type):
        one = "a variable" if takes_variables else "an operand"
        yield f"{passed.text} is a list of {kind}, not {one}; write [{source_of(expr)}]"
    elif kind == "operations" and any(base_of(passed.type, each) is not None for each in _NODES):
        one = "..." if source_of(expr) == UNNAMED else source_of(expr)
        yield f"{passed.text} is a list of operations, not one of them; write [{one}]"
    elif not takes_any and base_of(passed.type, "typing.AbstractSet") is not None:
        yield f"{passed.text} is a list of {kind}, not a set, which has no order"
    elif is_number(passed.type) or base_of(passed.type, "builtins.str") is not None:
        remedy = of_text(passed.called, passed.name, expr.value) if isinstance(expr, StrExpr) else ""
        yield f"{passed.text} is a list of {kind}, not {short_name(passed.type)}{'; ' if remedy else ''}{remedy}"
    elif not takes_any and any(base_of(passed.type, each) is not None for each in _VIEWS):
        is_of_pairs = any(isinstance(item, TupleType) for item in item_types(passed.type))
        remedy = "write a list of what is in its tuples" if is_of_pairs else "write list(...)"
        yield f"{passed.text} is a list of {kind}, not {class_name(passed.type)}; {remedy}"
    elif base_of(passed.type, "builtins.dict") is not None:
        remedy = "a list of its values" if source_of(expr) == UNNAMED else f"list({source_of(expr)}.values())"
        yield f"{passed.text} is a list of {kind}, not a dict; write {remedy}"


@cache
def _holds_operands_alone(annotation: str) -> bool:
    """Whether a parameter takes lists of operands, and no values in place of some of them."""
    inner = re.fullmatch(r"Sequence\[(.*)\]", annotation)
    return inner is not None and takes_operands_alone(inner[1].removesuffix(" | None"))


def values_among_operands(passed: Passed) -> Iterator[str]:
    """The error messages for values in a list of operands."""
    for position, item in enumerate(passed.expr.items if is_display(passed.expr) else ()):
        each = passed.item(position, item)
        if each.is_value():
            remedy = "core.Constant.create(scope, ...) makes an operand of a value"
            yield f"{each.text} must be an operand, not a value; {remedy}"


def wrong_names(passed: Passed) -> Iterator[str]:
    """The error messages for operands in a list of their names."""
    for position, item in enumerate(passed.expr.items if is_display(passed.expr) else ()):
        if base_of(passed.type_of(item), OPERAND) is not None:
            what = "a variable" if is_variable(passed.type_of(item)) else "an operand"
            remedy = "" if source_of(item) == UNNAMED else f"; write {source_of(item)}.name"
            yield f"{passed.called}(): argument `{passed.name}[{position}]` must be a string, not {what}{remedy}"


def wrong_pairs(passed: Passed) -> Iterator[str]:
    """The error messages for the (gradient, variable) pairs of `apply_gradients`."""
    text = f"{passed.text} is a list of pairs (gradient, variable)"
    if base_of(passed.type, "builtins.dict") is not None:
        yield f"{text}, not a dict; write zip(gradients, variables)"
    items = _items(passed)
    for position, item in enumerate(items):
        types = list(map(get_proper_type, item.items)) if isinstance(item, TupleType) else []
        if len(types) == 2 and is_variable(types[0]) and not is_variable(types[1]):
            yield f"{text}; swap them"
        elif len(types) == 2 and are_operands(types[0]) and _is_no_variable(types[1]) and not is_display(passed.expr):
            refused = f"argument `{passed.name}[{position}][1]` must be a Variable, not an operand"
            yield f"{passed.called}(): {refused}; {PAIR_ORDER}"
    if are_operands(passed.type) or (items and all(map(are_operands, items))):
        gradients = "gradients" if source_of(passed.expr) == UNNAMED else source_of(passed.expr)
        yield f"{text}; write zip({gradients}, variables)"
    yield from _unpacked_pair(passed)
    for position, pair in enumerate(_pairs(passed.expr)):
        gradient, variable = (passed.item(position, passed.expr).item(*each) for each in enumerate(pair))
        if is_variable(gradient.type) and are_operands(variable.type) and not is_variable(variable.type):
            yield f"{text}; swap them"
        yield from _no_gradient(gradient)
        yield from wrong_variable(variable)


def _items(passed: Passed) -> Sequence[Type]:
    """The types of the items of a list, or of each item of a comprehension, once mypy has checked it."""
    if is_display(passed.expr):
        return [passed.type_of(item) for item in passed.expr.items if not isinstance(item, StarExpr)]
    made = passed.expr.generator if isinstance(passed.expr, ListComprehension) else passed.expr
    return [passed.type_of(made.left_expr)] if isinstance(made, GeneratorExpr) else item_types(passed.type)


def _is_no_variable(type_: Type) -> bool:
    """Whether what is of a type is an operand or None, and no variable."""
    parts = map(get_proper_type, type_.items if isinstance(type_, UnionType) else [type_])
    return are_operands(type_) and not any(map(is_variable, parts))


def _unpacked_pair(passed: Passed) -> Iterator[str]:
    """The error message for `zip(clipped, variables)`, where `clipped` is a list of gradients and their norm."""
    expr = passed.expr
    callee = expr.callee if isinstance(expr, CallExpr) else None
    if not isinstance(expr, CallExpr) or not isinstance(callee, RefExpr) or callee.fullname != "builtins.zip":
        return
    first = passed.type_of(expr.args[0]) if expr.args else None
    items = list(map(get_proper_type, first.items)) if isinstance(first, TupleType) else []
    if len(items) == 2 and _several(items[0]) == "a list" and base_of(items[1], OPERAND) is not None:
        source = source_of(expr.args[0])
        remedy = "the first result is the list of gradients" if source == UNNAMED else f"the gradients are {source}[0]"
        yield f"{_refused(passed.item(0, expr).item(0, expr))} must be an Operand or None, not a list; {remedy}"


def _pairs(expr: Expression) -> Iterator[Sequence[Expression]]:
    """The pairs in a list, or those that `zip` makes of two lists."""
    callee = expr.callee if isinstance(expr, CallExpr) else None
    if isinstance(expr, CallExpr) and isinstance(callee, RefExpr) and callee.fullname == "builtins.zip":
        lists = [each.items for each in expr.args if is_display(each)]
        yield from zip(*lists, strict=False) if len(lists) == len(expr.args) == 2 else ()
    for each in expr.items if is_display(expr) else ():
        if is_display(each) and len(each.items) == 2:
            yield each.items


def _no_gradient(passed: Passed) -> Iterator[str]:
    if is_number(passed.type) or base_of(passed.type, ARRAY) is not None:
        yield f"{_refused(passed)} must be an Operand or None, not {_shown(passed)}; {operand_hint()}"


def wrong_targets(passed: Passed) -> Iterator[str]:
    """The error message for one operand, a set or the like in the place of the list of xs."""
    if passed.is_named_operand():
        yield f"{passed.called}(): xs is a list or tuple; write [{source_of(passed.expr)}] for one operand"
    elif any(base_of(passed.type, each) is not None for each in _NO_LISTS):
        yield f"{passed.called}(): xs is a list or tuple, not {class_name(passed.type)}; write list(...)"
    elif what := _no_operand(passed.type):
        yield f"{passed.called}(): xs is a list or tuple; write [x] for one operand, not {what}"
    for item in map(passed.type_of, passed.expr.items) if is_display(passed.expr) else item_types(passed.type):
        if what := _no_operand(item):
            yield f"{passed.called}(): xs must be operands, but one is {what}"


def wrong_vectors(api: CheckerPluginInterface, called: str, xs: Expression, vs: Expression) -> str:
    """The error message for one vector beside several xs."""
    listed, given = type_of_argument(api, xs), type_of_argument(api, vs)
    is_list = is_display(xs) or isinstance(listed, TupleType) or base_of(listed, "builtins.list") is not None
    is_array = base_of(given, ARRAY) is not None
    what = "an array" if is_array else class_name(given) if base_of(given, OPERAND) else _no_operand(given)
    if not is_list or is_display(vs) or not what:
        return ""
    one = "x" if source_of(vs) == UNNAMED or not (is_array or base_of(given, OPERAND)) else source_of(vs)
    rows = f", or list({one}) for the rows" if is_array else ""
    return f"{called}(): vs is a list or tuple; write [{one}] for one operand{rows}, not {what}"


def _no_operand(type_: Type) -> str:
    """What a value is that is certainly no operand; "" for anything else."""
    if isinstance(type_, NoneType):
        return "None"
    if class_argument(type_) is not None:
        return "a class"
    return class_name(type_) if is_text_or_number(type_) else ""


def wrong_operation(passed: Passed) -> Iterator[str]:
    """The error message for an operation that has no output, or several."""
    definition = operation_of(passed.api, passed.expr)
    takes_list = passed.annotation.startswith("Sequence[")
    if definition is not None and not (takes_list and base_of(passed.type, "typing.Sequence")):
        what = f"must be an operand or a value, not {definition.class_name}"
        yield f"{passed.text} {what}; {named_outputs(definition)}"


def operation_of(api: CheckerPluginInterface, expr: Expression) -> OpDef | None:
    """The definition of what a name or a call of `create` is, if it is an operation without exactly one output."""
    type_ = get_proper_type(expr.node.type) if isinstance(expr, NameExpr) and isinstance(expr.node, Var) else None
    class_ = expr.callee.expr if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) else None
    if isinstance(class_, RefExpr) and isinstance(class_.node, TypeInfo) and class_.node.has_base(OP):
        type_ = Instance(class_.node, [])
    definition = None if type_ is None or base_of(type_, OP) is None else definition_of(api, type_)
    return None if definition is None else definition.op


def wrong_operands(passed: Passed) -> Iterator[str]:
    """The error message for a list of operands in the place of one."""
    type_ = passed.type
    kind = "tuple" if isinstance(type_, TupleType) else "list" if base_of(type_, "builtins.list") is not None else ""
    items = item_types(type_) if kind else []
    text = f"{passed.called}(): argument `{passed.name}`"
    if items and all(map(_is_pair, items)):
        yield f"{text} must be an Operand, not a {kind} of pairs; {OF_PAIRS}"
    if items and all(map(are_operands, items)):
        count = len(passed.expr.items) if is_display(passed.expr) else len(items) if kind == "tuple" else 2
        several = of_tuple(count) if in_tuple(type_) else operand_hint(count)
        remedy = of_several(passed.called, passed.name) or several
        yield f"{text} must be an Operand, not a {kind} of operands; {remedy}"


def _is_pair(type_: Type) -> bool:
    """Whether a type is that of what `compute_gradients` of an optimizer returns a list of."""
    type_ = get_proper_type(type_)
    return isinstance(type_, TupleType) and len(type_.items) == 2 and is_variable(type_.items[1])


def missing_operands(passed: Passed) -> Iterator[str]:
    """The error messages for what may be None in the place of operands, such as a gradient."""
    if is_display(passed.expr):
        for position, item in enumerate(passed.expr.items):
            yield from missing_operands(passed.item(position, item))
        return
    type_ = passed.type
    items = list(map(get_proper_type, type_.items)) if isinstance(type_, UnionType) else []
    if any(isinstance(item, NoneType) for item in items) and are_operands(type_):
        yield f"{passed.text} may be None; check that {source_of(passed.expr)} is not None first"


def wrong_rest(passed: Passed) -> Iterator[str]:
    """The error message for a list of operations where they are passed one by one."""
    items = item_types(passed.type)
    if items and all(any(base_of(item, kind) is not None for kind in _NODES) for item in items):
        remedy = "leave out the brackets" if is_display(passed.expr) else f"write *{source_of(passed.expr)}"
        yield f"{passed.called}() takes `{passed.name}` one by one, not in a list; {remedy}"


def wrong_variable(passed: Passed) -> Iterator[str]:
    """The error message for another operand, a number or a list in the place of a variable."""
    type_ = passed.type
    several = _several(type_)
    if "Mapping[" in passed.annotation and several:
        yield f"{passed.text} must be a Variable or a mapping; write {{x: value, y: value}} for several"
    elif several:
        yield f"{passed.text} must be a Variable, not {several}; {_one_at_a_time(passed, type_)}"
    if is_number(type_):
        yield f"{passed.text} must be a Variable, not {short_name(type_)}"
    if base_of(type_, ARRAY) is not None and passed.callee.name != ASSIGN:  # of which it may be the value
        yield f"{passed.text} must be a Variable, not an array; tg.Variable.create makes one"
    if isinstance(passed.expr, StrExpr):
        yield f"{passed.text} must be a Variable, not a string; {variable_hint(passed.expr.value)}"
    if base_of(type_, OPERAND) is not None and not is_variable(type_):
        remedy = "; session.run gives the value of an operand" if passed.called == "Session.value" else _of_read(passed)
        yield f"{passed.text} must be a Variable, not an operand{remedy}"
    elif any(base_of(type_, each) is not None for each in (OP, OPERATION)):
        yield f"{passed.text} must be a Variable, not an operation"


def _one_at_a_time(passed: Passed, several: Type) -> str:
    """What to write for several values, also in the place of an item of a list."""
    held = item_types(several)
    if not passed.annotation.startswith("Sequence[") or not held or not all(map(is_variable, held)):
        return "it takes one at a time"
    is_item = passed.type == several and source_of(passed.expr) != UNNAMED
    return JOINED.format(f"[*{source_of(passed.expr)}, ...]" if is_item else "[*xs, *ys]")


def _of_read(passed: Passed) -> str:
    """What to pass instead of what a variable is read for: `w.read(scope)`; "" for any other operand."""
    expr = only_value(passed.api, passed.expr) or passed.expr
    callee = expr.callee if isinstance(expr, CallExpr) else None
    is_read = isinstance(callee, MemberExpr) and callee.name == "read" and is_variable(passed.type_of(callee.expr))
    if not is_read or not isinstance(callee, MemberExpr) or source_of(callee.expr) == UNNAMED:
        return ""
    return f"; {OF_READ.format(source_of(callee.expr))}"


def _several(type_: Type) -> str:
    """What holds several values, in words; "" for any other type."""
    if isinstance(type_, TupleType) or base_of(type_, "builtins.tuple") is not None:
        return "a tuple"
    return "a list" if base_of(type_, "builtins.list") is not None else ""


def wrong_equality(passed: Passed) -> Iterator[str]:
    """The error message for a comparison by `==`, or a list of such, where an operand or a value is taken."""
    for expr in passed.expr.items if is_display(passed.expr) else [passed.expr]:
        text = told_equality(passed.api, only_value(passed.api, expr) or expr)
        if text:
            yield f"{passed.text}: {text}"


def wrong_sum(passed: Passed) -> Iterator[str]:
    """The error message for a sum of operands that may be the number which it starts with."""
    expr = passed.expr
    values = [value for _, value in expr.items] if isinstance(expr, DictExpr) else []
    for item in expr.items if is_display(expr) else values:
        yield from wrong_sum(evolve(passed, expr=item))
    is_sum = isinstance(expr, CallExpr) and isinstance(expr.callee, RefExpr) and expr.callee.fullname == "builtins.sum"
    type_ = passed.type if is_sum or isinstance(expr, (MemberExpr, NameExpr, OpExpr)) else None
    items = list(map(get_proper_type, type_.items)) if isinstance(type_, UnionType) else []
    numbers = [is_number(item.fallback if isinstance(item, LiteralType) else item) for item in items]
    if any(numbers) and any(base_of(item, OPERAND) is not None for item in items):
        yield (
            f"{passed.text} may be a number, for the sum of no operands is 0; "
            "math.AddN.create(scope, [...]) adds a list of operands"
        )
