"""Arguments of another kind than their parameters take, in the words of the error at run time.

They are those that select an overload, and those for which mypy's own message does not say what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from typing import Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StarExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeType,
    UnionType,
    get_proper_type,
)

from typegrad.arguments.calls import form
from typegrad.arguments.kinds import operand_hint
from typegrad.base.types import allowed_names, type_hint
from typegrad.graph.definition import OpDef
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.wrong_integers import NUMBERS, is_number, wrong_integers
from typegrad.mypy_plugin.arguments.wrong_kinds import wrong_kinds
from typegrad.mypy_plugin.arguments.wrong_values import wrong_choice, wrong_values
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of, leaves_of
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.types.not_operands import is_no_operand, returns_operand
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.callees import Callee
from typegrad.mypy_plugin.values.evaluation import expression_type

__all__ = ["OP", "operation_of", "type_of_argument", "wrong_arguments", "wrong_choices", "wrong_scope"]

_RUN: Final = "Session.run"
_OPERATION: Final = "typegrad.graph.operation.Operation"
_SCOPE: Final = "typegrad.graph.scope.Scope"
OP: Final = "typegrad.graph.wrapper.Op"
_FETCHES: Final = (OPERAND, OP, _OPERATION, "builtins.str")
_NO_FETCHES: Final = (*NUMBERS, "numpy.ndarray")
_TAKE_VALUES: Final = ("Constant.create", "Variable.create", ".constant", ".variable")
_NO_TYPES: Final = frozenset(f"builtins.{name}" for name in ("bool", "dict", "float", "int", "list", "tuple"))
_NO_VALUES: Final = ("typing.Mapping", "typing.AbstractSet")
_OWN: Final = "typegrad."
_OPERANDS: Final = ("AnyOperand", "Ys")
"""The annotations of parameters that take operands, and no numbers in their place."""
_NODES: Final = (OP, _OPERATION, "typegrad.graph.part.Part")
_INTEGERS: Final = " | IntegerArray"
"""What may be in the place of a list of integers, and is spoken of as one."""
_OPERATIONS: Final = "Operation | Op | AnyOperand"
"""The annotation of parameters that take operations one by one."""
_VARIABLE: Final = "AnyVariable"
_TARGET: Final = "X["
"""The annotation of what `tg.grad` differentiates with respect to."""
_NO_FEED: Final = "the variable {} cannot be fed; give it a value with session.assign, or feed one of its reads"
_FED_OPERAND: Final = "the feed of {} is an operand; give the array that session.run gave for it"


def wrong_arguments(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr) -> Iterator[str]:
    """The error messages for the arguments of a call."""
    type_of = partial(type_of_argument, api)
    for position, (name, expr, annotation) in enumerate(_named(callee, call)):
        is_first = position == 0 and call.arg_names[0] is None
        if is_first and "scope" not in callee.accepted and _takes_no_scope(annotation):
            yield from _misplaced_scope(api, callee, called, expr, annotation)
        if annotation.startswith("type["):
            yield from _wrong_type(api, callee, called, name, expr)
        elif name in ("value", "initial_value") and called.endswith(_TAKE_VALUES):
            yield from _wrong_value(api, called, name, expr)
        elif annotation in ("PartialShapeLike", "ShapeLike"):
            yield from _wrong_shape(api, called, name, expr)
        elif annotation == "Iterable[GradientPair]":
            yield from _wrong_pairs(api, called, name, expr)
        elif annotation.startswith("Sequence["):
            yield from _wrong_list(api, called, name, expr, annotation)
        elif name == "xs" and called.endswith("gradients") and _is_operand(api, expr):
            yield f"{called}(): xs is a list or tuple; write [{source_of(expr)}] for one operand"
        elif callee.name == _RUN and name == "fetches":
            yield from _wrong_fetch(api, expr)
        elif callee.name == _RUN and name == "feeds":
            yield from _wrong_feeds(api, expr)
        if annotation == _OPERANDS[0] or annotation.startswith(_TARGET):
            yield from _wrong_operands(api, called, name, expr)
        elif annotation == _OPERANDS[1] and isinstance(expr, (ListExpr, TupleExpr)):
            yield from _values_among_operands(api, called, name, expr)
        elif annotation.startswith(_VARIABLE):
            yield from _wrong_variable(api, called, name, expr, annotation)
        if annotation in _OPERANDS or annotation.startswith(_TARGET):
            yield from _missing_operands(api, called, name, expr)
        if annotation in _OPERANDS or (callee.name == _RUN and name == "fetches"):
            yield from _wrong_sum(api, called, name, expr)
        if "Operand[" in annotation:
            yield from _wrong_operation(api, called, name, expr, takes_list=annotation.startswith("Sequence["))
        if name == callee.rest and annotation == _OPERATIONS:
            yield from _wrong_rest(api, called, name, expr)
        if _takes_operands_alone(annotation) and _is_value(api, expr):
            value = source_of(expr) if isinstance(expr, (MemberExpr, NameExpr)) else "..."
            remedy = f"core.Constant.create(scope, {value}) makes one"
            yield f"{called}(): `{name}` must be an operand, not a value; {remedy}"
        if name != "scope":
            yield from wrong_integers(api, type_of, called, name, expr, annotation)
            yield from wrong_values(type_of, called, name, expr, annotation)
            if "Like" not in annotation or annotation.startswith("Sequence["):  # a value takes the type beside it
                yield from wrong_kinds(api, callee, called, name, expr)


def wrong_choices(callee: Callee, called: str, call: CallExpr) -> Iterator[str]:
    """The error messages for strings that are none of a few."""
    for name, expr, annotation in _named(callee, call):
        yield from wrong_choice(called, name, expr, annotation)


def _named(callee: Callee, call: CallExpr) -> Iterator[tuple[str, Expression, str]]:
    """The arguments of a call, each with the name and the annotation of its parameter."""
    positions = callee.by_position
    for position, (expr, written) in enumerate(zip(call.args, call.arg_names, strict=True)):
        name = written or (positions[position] if position < len(positions) else callee.rest)
        yield name, expr, callee.accepted.get(name, "").replace(_INTEGERS, "")


@cache
def _takes_no_scope(annotation: str) -> bool:
    return bool(annotation) and not re.search(r"\b(Scope|Any|object)\b", annotation)


@cache
def _takes_operands_alone(annotation: str) -> bool:
    """Whether a parameter takes operands other than handles, and no values in place of them."""
    return all(kind.startswith("Operand[") and "TResource" not in kind for kind in annotation.split(" | "))


def _is_value(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an argument is a number, an array, or a list of such."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        return bool(expr.items) and all(_is_value(api, item) for item in expr.items)
    return is_no_operand(api, expr)


def wrong_scope(api: CheckerPluginInterface, callee: Callee, called: str, call: CallExpr) -> str:
    """The error message for something else in the place of the scope, such as the first operand; "" if it is one."""
    names = zip(callee.by_position, call.arg_names, call.args, strict=False)
    by_position = [expr for name, written, expr in names if written is None and name == "scope"]
    given = by_position or [expr for written, expr in zip(call.arg_names, call.args, strict=True) if written == "scope"]
    if not given or _is_scope(given[0]):
        return ""
    type_ = type_of_argument(api, given[0])
    is_class = class_argument(type_) is not None
    is_other = isinstance(type_, Instance) and not type_.type.has_base(_SCOPE) and not _may_be_any(type_)
    if is_class or is_other:
        is_graph = isinstance(type_, Instance) and type_.type.has_base("typegrad.graph.graph.Graph")
        remedy = "write tg.Scope(graph)" if is_graph else form(callee.function, called)
        what = "a class" if is_class else short_name(type_)
        return f"{called}(): argument `scope` must be a Scope, not {what}; {remedy}"
    return ""


def _is_scope(expr: Expression) -> bool:
    """Whether an expression is the name of a scope, or makes another one of it: `scope.with_name("y")`."""
    if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name.startswith("with_"):
        return _is_scope(expr.callee.expr)
    type_ = get_proper_type(expr.node.type) if isinstance(expr, NameExpr) and isinstance(expr.node, Var) else None
    return isinstance(type_, Instance) and type_.type.fullname == _SCOPE


def _misplaced_scope(
    api: CheckerPluginInterface, callee: Callee, called: str, expr: Expression, annotation: str
) -> Iterator[str]:
    type_ = type_of_argument(api, expr)
    if isinstance(type_, Instance) and type_.type.has_base(_SCOPE):
        takes_graph = annotation == "Graph"
        yield (
            f"{called}() takes a graph, not a scope; write {source_of(expr)}.graph"
            if takes_graph
            else f"{called}() takes no scope; {form(callee.function, called)}"
        )


def _wrong_type(api: CheckerPluginInterface, callee: Callee, called: str, name: str, expr: Expression) -> Iterator[str]:
    type_ = type_of_argument(api, expr)
    if isinstance(type_, Instance) and type_.type.fullname == "builtins.str":
        literal = type_.last_known_value
        remedy = type_hint(literal.value if literal else "")
        yield f"{called}(): `{name}` must be an element type, not a string; {remedy}"
    actual = class_argument(type_)
    leaf, allowed = None if actual is None else leaf_of(actual), callee.element_types(name)
    if leaf is not None and allowed is not None and leaf not in allowed:
        yield f"{called}(): `{name}` is {leaf.name}, but must be {allowed_names(allowed)}"
    if isinstance(actual, Instance) and leaves_of(actual) is None and not _may_be_any(actual):
        what = short_name(actual) if source_of(expr) == UNNAMED else source_of(expr)
        yield f"{called}(): `{name}` must be an element type, not {what}; {_hint(expr, actual)}"
    elif isinstance(type_, TupleType) or (isinstance(type_, Instance) and type_.type.fullname in _NO_TYPES):
        yield f"{called}(): `{name}` must be an element type, not {_class_name(type_)}; {type_hint('')}"
    elif base_of(type_, OPERAND) is not None:
        yield f"{called}(): `{name}` must be an element type, not an operand; {type_hint('')}"


def _wrong_value(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    if is_no_operand(api, expr) or returns_operand(expr):
        return
    type_ = type_of_argument(api, expr)
    is_own = isinstance(type_, Instance) and type_.type.fullname.startswith(_OWN) and base_of(type_, OPERAND) is None
    is_class = class_argument(type_) is not None
    if is_own or is_class or (isinstance(type_, Instance) and any(type_.type.has_base(base) for base in _NO_VALUES)):
        what = "a class" if is_class else short_name(type_)
        yield f"{called}(): `{name}` is a number, bool, string, (nested) list or array of them, not {what}"


def _wrong_shape(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    type_ = type_of_argument(api, expr)
    is_string = isinstance(type_, Instance) and type_.type.fullname == "builtins.str"
    if class_argument(type_) is not None or is_number(type_) or is_string:
        what = "a class" if class_argument(type_) is not None else short_name(type_)
        yield f"{called}(): `{name}` is a tuple of sizes, such as (3, 5) or (None, 5), not {what}"
    for item in expr.items if isinstance(expr, (ListExpr, TupleExpr)) else ():
        known = None if isinstance(item, StarExpr) else type_of_argument(api, item)
        is_fraction = isinstance(known, Instance) and known.type.fullname in ("builtins.float", "builtins.complex")
        if known is not None and (is_fraction or base_of(known, OPERAND) is not None):
            what = _class_name(known) if is_fraction else "an operand, whose value is known in a run alone"
            yield f"{called}(): `{name}` is a tuple of sizes, such as (3, 5) or (None, 5), but holds {what}"


def _wrong_list(
    api: CheckerPluginInterface, called: str, name: str, expr: Expression, annotation: str
) -> Iterator[str]:
    takes_variables = annotation.startswith(("Sequence[Variable", "Sequence[AnyVariable"))
    if (annotation.startswith("Sequence[Operand") or takes_variables) and not isinstance(expr, (ListExpr, TupleExpr)):
        kind = "variables" if takes_variables else "operands"
        if _is_operand(api, expr) or _is_variable(type_of_argument(api, expr)):
            one = "a variable" if takes_variables else "an operand"
            yield f"{called}(): `{name}` is a list of {kind}, not {one}; write [{source_of(expr)}]"
        elif is_number(type_of_argument(api, expr)):
            yield f"{called}(): `{name}` is a list of {kind}, not {short_name(type_of_argument(api, expr))}"
        elif base_of(type_of_argument(api, expr), "builtins.dict") is not None:
            remedy = "a list of its values" if source_of(expr) == UNNAMED else f"list({source_of(expr)}.values())"
            yield f"{called}(): `{name}` is a list of {kind}, not a dict; write {remedy}"
    elif isinstance(expr, (ListExpr, TupleExpr)) and takes_variables:
        for position, item in enumerate(expr.items):
            yield from _wrong_variable(api, called, f"{name}[{position}]", item, annotation)
    elif isinstance(expr, (ListExpr, TupleExpr)) and _holds_operands_alone(annotation):
        yield from _values_among_operands(api, called, name, expr)


@cache
def _holds_operands_alone(annotation: str) -> bool:
    """Whether a parameter takes lists of operands, and no values in place of some of them."""
    inner = re.fullmatch(r"Sequence\[(.*)\]", annotation)
    return inner is not None and _takes_operands_alone(inner[1].removesuffix(" | None"))


def _values_among_operands(
    api: CheckerPluginInterface, called: str, name: str, display: ListExpr | TupleExpr
) -> Iterator[str]:
    for position, item in enumerate(display.items):
        if _is_value(api, item):
            remedy = "core.Constant.create(scope, ...) makes an operand of a value"
            yield f"{called}(): `{name}[{position}]` must be an operand, not a value; {remedy}"


def _wrong_pairs(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    """The error messages for the (gradient, variable) pairs of `apply_gradients`."""
    text = f"{called}(): `{name}` is a list of pairs (gradient, variable)"
    if isinstance(expr, (ListExpr, TupleExpr)):
        items = [type_of_argument(api, item) for item in expr.items if not isinstance(item, StarExpr)]
    else:
        items = _item_types(type_of_argument(api, expr))
    for item in items:
        types = list(map(get_proper_type, item.items)) if isinstance(item, TupleType) else []
        if len(types) == 2 and _is_variable(types[0]) and not _is_variable(types[1]):
            yield f"{text}; swap them"
    if items and all(map(_may_be_operand, items)):
        gradients = "gradients" if source_of(expr) == UNNAMED else source_of(expr)
        yield f"{text}; write zip({gradients}, variables)"


def _item_types(type_: Type) -> list[Type]:
    """The types of what an iterable holds."""
    if isinstance(type_, TupleType):
        return list(map(get_proper_type, type_.items))
    iterable = base_of(type_, "typing.Iterable")
    return [] if iterable is None else [get_proper_type(iterable.args[0])]


def _may_be_operand(type_: Type) -> bool:
    proper = get_proper_type(type_)
    items = [get_proper_type(item) for item in (proper.items if isinstance(proper, UnionType) else [proper])]
    operands = [item for item in items if not isinstance(item, NoneType)]
    return bool(operands) and all(base_of(item, OPERAND) is not None for item in operands)


def _wrong_operation(
    api: CheckerPluginInterface, called: str, name: str, expr: Expression, *, takes_list: bool
) -> Iterator[str]:
    definition = operation_of(api, expr)
    if definition is not None and not (takes_list and base_of(type_of_argument(api, expr), "typing.Sequence")):
        what = f"must be an operand or a value, not {definition.class_name}"
        yield f"{called}(): `{name}` {what}; {named_outputs(definition)}"


def operation_of(api: CheckerPluginInterface, expr: Expression) -> OpDef | None:
    """The definition of what a name or a call of `create` is, if it is an operation without exactly one output."""
    type_ = get_proper_type(expr.node.type) if isinstance(expr, NameExpr) and isinstance(expr.node, Var) else None
    class_ = expr.callee.expr if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) else None
    if isinstance(class_, RefExpr) and isinstance(class_.node, TypeInfo) and class_.node.has_base(OP):
        type_ = Instance(class_.node, [])
    definition = None if type_ is None or base_of(type_, OP) is None else definition_of(api, type_)
    return None if definition is None else definition.op


def _wrong_operands(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    """The error message for a list of operands in the place of one."""
    type_ = get_proper_type(type_of_argument(api, expr))
    kind = "tuple" if isinstance(type_, TupleType) else "list" if base_of(type_, "builtins.list") is not None else ""
    items = _item_types(type_) if kind else []
    if items and all(map(_may_be_operand, items)):
        remedy = "tg.gradients takes several" if name == "x" else operand_hint(is_several=True)
        yield f"{called}(): argument `{name}` must be an Operand, not a {kind} of operands; {remedy}"


def _missing_operands(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    """The error messages for what may be None in the place of operands, such as a gradient."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        for position, item in enumerate(expr.items):
            yield from _missing_operands(api, called, f"{name}[{position}]", item)
        return
    type_ = get_proper_type(type_of_argument(api, expr))
    items = list(map(get_proper_type, type_.items)) if isinstance(type_, UnionType) else []
    if any(isinstance(item, NoneType) for item in items) and _may_be_operand(type_):
        source = source_of(expr)
        yield f"{called}(): `{name}` may be None; check that {source} is not None first"


def _wrong_rest(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    """The error message for a list of operations where they are passed one by one."""
    items = _item_types(type_of_argument(api, expr))
    if items and all(any(base_of(item, kind) is not None for kind in (OPERAND, *_NODES)) for item in items):
        remedy = "leave out the brackets" if isinstance(expr, (ListExpr, TupleExpr)) else f"write *{source_of(expr)}"
        yield f"{called}() takes `{name}` one by one, not in a list; {remedy}"


def _wrong_variable(
    api: CheckerPluginInterface, called: str, name: str, expr: Expression, annotation: str
) -> Iterator[str]:
    """The error message for another operand in the place of a variable, or for a list where a dict is taken, too."""
    type_ = type_of_argument(api, expr)
    if "Mapping[" in annotation and any(base_of(type_, each) for each in ("builtins.list", "builtins.tuple")):
        yield f"{called}(): `{name}` must be a Variable or a mapping; write {{x: value, y: value}} for several"
    if base_of(type_, OPERAND) is not None and not _is_variable(type_):
        remedy = "; session.run gives the value of an operand" if called == "Session.value" else ""
        yield f"{called}(): `{name}` must be a Variable, not an operand{remedy}"


def _wrong_sum(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    """The error message for what Python's `sum` makes of a list of operands."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        for item in expr.items:
            yield from _wrong_sum(api, called, name, item)
    is_sum = isinstance(expr, CallExpr) and isinstance(expr.callee, RefExpr) and expr.callee.fullname == "builtins.sum"
    type_ = type_of_argument(api, expr) if is_sum or isinstance(expr, (MemberExpr, NameExpr)) else None
    items = list(map(get_proper_type, type_.items)) if isinstance(type_, UnionType) else []
    numbers = [is_number(item.fallback if isinstance(item, LiteralType) else item) for item in items]
    if any(numbers) and any(base_of(item, OPERAND) is not None for item in items):
        yield (
            f"{called}(): `{name}` may be a number, for the sum of an empty list is 0; "
            "math.AddN.create(scope, [...]) adds a list of operands"
        )


def _class_name(type_: Type) -> str:
    return "a tuple" if isinstance(type_, TupleType) else short_name(type_).partition("[")[0]


def _is_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    return isinstance(expr, (NameExpr, MemberExpr)) and base_of(type_of_argument(api, expr), OPERAND) is not None


def _hint(expr: Expression, actual: Instance) -> str:
    """The element type to write for a Python or NumPy class, by the name in the source, which may be an alias."""
    module, _, name = actual.type.fullname.rpartition(".")
    source = expr.fullname if isinstance(expr, NameExpr) else getattr(expr, "fullname", "")
    name = source.rpartition(".")[2] or name
    return type_hint(getattr(import_module(module), name, name) if module in ("builtins", "numpy") else name)


def _wrong_fetch(api: CheckerPluginInterface, expr: Expression) -> Iterator[str]:
    if isinstance(expr, (ListExpr, TupleExpr)):
        for item in expr.items:
            yield from _wrong_fetch(api, item.expr) if isinstance(item, StarExpr) else _wrong_fetch(api, item)
        return
    type_ = type_of_argument(api, expr)
    if isinstance(type_, (FunctionLike, TypeType)) or (isinstance(type_, Instance) and _is_no_fetch(type_)):
        what = short_name(type_) if isinstance(type_, Instance) else "a function or a class"
        yield (
            f"{_RUN}(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of "
            f"fetches, not {what}"
        )


def _is_no_fetch(type_: Instance) -> bool:
    if any(base_of(type_, name) is not None for name in _FETCHES):
        return False
    is_own = type_.type.fullname.startswith(_OWN) and not _is_record(type_)
    return is_own or any(type_.type.has_base(name) for name in _NO_FETCHES)


def _is_record(type_: Instance) -> bool:
    return bool({"dataclass", "attrs"} & type_.type.metadata.keys())


def _wrong_feeds(api: CheckerPluginInterface, expr: Expression) -> Iterator[str]:
    for key, value in expr.items if isinstance(expr, DictExpr) else ():
        fed = None if key is None else type_of_argument(api, key)
        if key is not None and fed is not None and _is_variable(fed):
            yield f"{_RUN}(): {_NO_FEED.format(source_of(key))}"
        elif key is not None and fed is not None and (is_number(fed) or base_of(fed, "numpy.ndarray") is not None):
            yield f"{_RUN}(): feeds maps operands to values, but a key is {_class_name(fed)}"
        elif key is not None and not is_no_operand(api, value) and base_of(type_of_argument(api, value), OPERAND):
            yield f"{_RUN}(): {_FED_OPERAND.format(source_of(key))}"
        elif key is not None and (kind := _kind_without_value(type_of_argument(api, value))):
            yield f"{_RUN}(): the feed of {source_of(key)} is {kind}, but must be an array, a number, or a list of such"
    if isinstance(expr, DictExpr):
        return
    type_ = type_of_argument(api, expr)
    if isinstance(type_, TupleType):
        yield f"{_RUN}(): feeds maps operands to values, but is a tuple; write {{x: value}}"
    is_mapping = isinstance(type_, Instance) and type_.type.get("items") is not None
    if isinstance(type_, Instance) and not is_mapping and not _may_be_any(type_):
        yield f"{_RUN}(): feeds maps operands to values, but is {short_name(type_)}; write {{x: value}}"


def _kind_without_value(type_: Type) -> str:
    """What cannot be fed: None, a function, a dict or a set; empty for anything else."""
    if isinstance(type_, NoneType):
        return "None"
    if isinstance(type_, FunctionLike):
        return "a class" if type_.is_type_obj() else "a function"
    kinds = ("builtins.dict", "builtins.set", "builtins.frozenset")
    return short_name(type_) if isinstance(type_, Instance) and type_.type.fullname in kinds else ""


def _is_variable(type_: Type) -> bool:
    return base_of(type_, VARIABLE) is not None


def _may_be_any(type_: Instance) -> bool:
    """Whether a class has a base class that mypy does not know."""
    return type_.type.fallback_to_any


def type_of_argument(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of an argument before mypy has checked the call."""
    checker = checker_of(api)
    if checker.has_type(expr):
        return get_proper_type(checker.lookup_type(expr))
    with checker.msg.filter_errors():
        return get_proper_type(expression_type(api, expr))
