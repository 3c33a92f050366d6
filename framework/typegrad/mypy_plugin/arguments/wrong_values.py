"""Values of another kind than their parameter takes: a float for an axis, a string for a flag, an object for a value.

For these, mypy lists the types that the parameter takes, or all overloads of the function. Only literals, displays of
literals, names and attributes are looked at: to ask for the type of any other expression twice is slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

from mypy.nodes import (
    BytesExpr,
    ComplexExpr,
    Expression,
    FloatExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    StrExpr,
    SymbolTableNode,
    TupleExpr,
    UnaryExpr,
)
from mypy.types import CallableType, Instance, NoneType, TupleType, Type, get_proper_type

from typegrad.arguments.instead import instead, of_function
from typegrad.base.shape import SHAPE_AS_VALUE
from typegrad.graph.refusals import NO_SIZE
from typegrad.mypy_plugin.arguments.passed import Passed, item_types
from typegrad.mypy_plugin.arguments.sizes import is_arithmetic, is_size, may_be_size, refused_size
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.classes import SHAPE_CLASS
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of
from typegrad.mypy_plugin.types.symbols import short_name

__all__ = [
    "DIFFERENTIATED",
    "OPERANDS",
    "TARGET",
    "no_value",
    "wrong_choice",
    "wrong_values",
]

OPERANDS: Final = "AnyOperand"
"""The annotation of a parameter that takes an operand, and no number in its place."""
DIFFERENTIATED: Final = "Ys"
"""The annotation of what `tg.gradients` differentiates."""
TARGET: Final = "X["
"""The beginning of the annotation of what `tg.grad` differentiates with respect to."""
_TARGETS: Final = "xs"

TypeOf: TypeAlias = Callable[[Expression], Type]

_LITERALS: Final[dict[type[Expression], str]] = {
    BytesExpr: "bytes",
    ComplexExpr: "complex",
    FloatExpr: "float",
    IntExpr: "int",
    StrExpr: "str",
}
_CLASSES: Final = tuple(f"builtins.{name}" for name in ("bool", "int", "float", "complex", "str", "bytes"))
_VALUES: Final = (*_CLASSES, "numpy.generic", ARRAY, "typing.Sequence", "typing.Iterable")
_WORDS: Final = {"bool": "a bool", "float": "a number", "int": "an integer", "str": "a string"}
_PLURALS: Final = {"bool": "bools", "float": "numbers", "int": "integers", "str": "strings"}
_BELOW: Final = {"bool": ("bool",), "float": ("bool", "int", "float"), "int": ("bool", "int"), "str": ("str",)}
"""The kinds of values that a parameter of some kind takes."""
_INTEGERS: Final = frozenset((
    "IntegerLike", "Nested[Integer]", "Sequence[Integer]", "Sequence[int]", "Shape", "int", "np.integer[Any]",
    "tuple[int, int]",
))  # fmt: skip
"""The annotations of what takes integers alone, operands aside."""
_NOT_NONE: Final = ", not None"
_BESIDE: Final = "IntegerLike"
"""The annotation of integers that, without lists of operands, are of the element type of the operand beside them."""


def wrong_values(passed: Passed) -> Iterator[str]:
    """The error messages for the argument of a parameter that takes values of one kind, or operands."""
    expr, annotation, type_of = passed.expr, passed.annotation, passed.type_of
    kind = _kind(annotation)
    takes_shape = "Operand[" not in annotation or "Shape" in annotation
    if isinstance(expr, (MemberExpr, NameExpr)) and not takes_shape and base_of(type_of(expr), SHAPE_CLASS):
        yield SHAPE_AS_VALUE.format(passed.text)
    elif kind:
        wrong = next(_wrong(passed, expr, kind, takes_none="None" in annotation), "")
        is_list = isinstance(expr, (ListExpr, TupleExpr))
        what = f"hold {_PLURALS[kind]}" if is_list else f"be {_WORDS[kind]}"
        if wrong == _NOT_NONE and is_list and kind == "int":
            wrong += f"; {NO_SIZE}"
        if wrong:
            yield f"{passed.text} must {what}{wrong}"
    elif "Operand[" in annotation or _takes_no_value(passed):
        yield from _wrong_objects(passed)


def _wrong_objects(passed: Passed) -> Iterator[str]:
    """The error messages for what is neither an operand nor a value, or a list of such."""
    expr, takes_no_value = passed.expr, _takes_no_value(passed)
    takes_several = passed.annotation.startswith("Sequence[") or _takes_list(passed)
    is_list = takes_several and isinstance(expr, (ListExpr, TupleExpr))
    for each in expr.items if takes_several and isinstance(expr, (ListExpr, TupleExpr)) else [expr]:
        is_named = isinstance(each, (NameExpr, MemberExpr))
        may_be_several = takes_several and not is_list
        what = no_value(passed.called, passed.type_of(each), each, may_be_several=may_be_several) if is_named else ""
        if not what and may_be_several:
            items = (no_value(passed.called, item, expr, may_be_several=True) for item in _listed(passed))
            what = next(filter(None, items), "")
            is_list = bool(what)
        kinds = "hold operands" if is_list else "be an operand"
        if not takes_no_value:
            kinds += " or values" if is_list else " or a value"
        if what:
            yield f"{passed.text} must {kinds}, not {what}"


def _listed(passed: Passed) -> list[Type]:
    """The types of the items of a list that is named, also as `[x for x in xs]`."""
    expr = passed.expr
    if isinstance(expr, ListComprehension):
        generator = expr.generator
        item, index = generator.left_expr, generator.indices[-1]
        is_item = isinstance(item, NameExpr) and isinstance(index, NameExpr) and item.node is index.node
        expr = generator.sequences[-1] if is_item else expr
    return item_types(get_proper_type(passed.type_of(expr))) if isinstance(expr, (MemberExpr, NameExpr)) else []


def _takes_no_value(passed: Passed) -> bool:
    """Whether a parameter takes operands alone, one or several, as those of derivatives do."""
    return passed.annotation.startswith((OPERANDS, TARGET)) or _takes_list(passed)


def _takes_list(passed: Passed) -> bool:
    return passed.annotation == DIFFERENTIATED or (passed.name == _TARGETS and passed.called.endswith("gradients"))


def wrong_choice(passed: Passed) -> Iterator[str]:
    """The error message for a string that is none of those that a parameter takes."""
    allowed, expr = _options(passed.annotation), passed.expr
    if allowed and isinstance(expr, StrExpr) and expr.value not in allowed:
        hint = instead(passed.called, passed.name)
        beside = " or a number" if "float" in passed.annotation.split(" | ") else ""
        allowed_values = f"{', '.join(map(repr, allowed))}{beside}"
        yield f"{passed.text} is {expr.value!r}; allowed are {allowed_values}{'; ' if hint else ''}{hint}"


@cache
def _options(annotation: str) -> list[str]:
    return re.findall(r"'([^']*)'", annotation) if annotation.startswith("Literal[") else []


@cache
def _kind(annotation: str) -> str:
    """The kind of Python values that a parameter takes, operands aside; "" if it takes several or others."""
    if annotation in _WORDS:
        return annotation
    if _options(annotation) and "|" not in annotation:
        return "str"
    parts = {part for part in annotation.split(" | ") if not part.startswith("Operand[")} - {"None"}
    return "int" if parts and parts <= _INTEGERS and parts != {_BESIDE} else ""


def _wrong(passed: Passed, expr: Expression, kind: str, *, takes_none: bool) -> Iterator[str]:
    """What is wrong with a value, or with the items of a display."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        for item in expr.items:
            yield from _wrong(passed, item, kind, takes_none=False)
    elif kind == "int" and ((may_be_size(expr) and is_size(passed.type_of(expr))) or is_arithmetic(passed.api, expr)):
        yield f": {refused_size(passed.api, expr)}"
    else:
        actual, text = _value(passed.type_of, expr)
        if actual and actual not in _BELOW[kind] and not (actual == "None" and takes_none):
            yield f", not {text}"


def _value(type_of: TypeOf, expr: Expression) -> tuple[str, str]:
    """The kind of a value, "" if it is not known, and the value in words."""
    if isinstance(expr, UnaryExpr) and expr.op == "-":
        kind, text = _value(type_of, expr.expr)
        return kind, text.replace(f"Python {kind} ", f"Python {kind} -")
    literal = _LITERALS.get(type(expr), "")
    if isinstance(expr, (BytesExpr, ComplexExpr, FloatExpr, IntExpr, StrExpr)):
        return literal, f"the Python {literal} {expr.value!r}"
    if not isinstance(expr, (MemberExpr, NameExpr)):
        return "", ""
    type_ = get_proper_type(type_of(expr))
    if isinstance(type_, NoneType):
        return "None", "None"
    base = next((name for name in _CLASSES if isinstance(type_, Instance) and type_.type.has_base(name)), "")
    kind = base.rpartition(".")[2]
    return kind, f"a Python {kind}"


def no_value(
    called: str, type_: Type, expr: Expression, *, may_be_several: bool = False, is_refused: bool = False
) -> str:
    """What an object is that is neither an operand nor a value, and its attributes that are; "" for any other.

    Args:
        called: What takes it.
        type_: The type of the object.
        expr: The object.
        may_be_several: Whether a list of operands is taken.
        is_refused: Whether mypy refuses it: else an object with a protocol may be an operand.

    """
    proper = get_proper_type(type_)
    if isinstance(proper, CallableType) and not proper.is_type_obj():
        is_maker = base_of(proper.ret_type, OPERAND) is not None
        call = of_function(called) or f"call it: {source_of(expr)}(...)"
        return f"a function; {call}" if is_maker else "a function"
    instance = proper.partial_fallback if isinstance(proper, TupleType) else proper
    if not isinstance(instance, Instance) or instance.type.fallback_to_any:
        return ""
    if instance.type.is_protocol and not is_refused:
        return ""
    is_named = isinstance(proper, TupleType) and instance.type.is_named_tuple and not may_be_several
    is_value = any(instance.type.has_base(name) for name in (OPERAND, *_VALUES))
    if instance.type.fullname == "builtins.object" or (is_value and not is_named):
        return ""
    if instance.type.get("__call__") is not None:
        return f"{short_name(instance)}; call it: {source_of(expr)}(...)"
    parts = [name for name, symbol in instance.type.names.items() if name.isidentifier() and _is_operand(symbol)]
    remedy = f"; take one of its operands: {', '.join(f'.{name}' for name in parts)}" if parts else ""
    return f"{short_name(instance)}{remedy}"


def _is_operand(symbol: SymbolTableNode) -> bool:
    return symbol.type is not None and base_of(symbol.type, OPERAND) is not None
