"""Lists of integers in calls: what they hold besides integers, and a number in the place of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from mypy.nodes import (
    Expression,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StarExpr,
    TupleExpr,
    TypeInfo,
)
from mypy.types import Instance, Type

from typegrad.base.size import Size
from typegrad.base.types import TInt32, TInt64, conversion
from typegrad.graph.conversion import only_in_a_run
from typegrad.mypy_plugin.arguments.passed import Passed, is_number
from typegrad.mypy_plugin.arguments.sizes import type_for_size
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.classes import SHAPE_CLASS
from typegrad.mypy_plugin.base.dims import Name, dim_of, is_variable
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.types.not_operands import returns_operand
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["takes_integers", "wrong_integers"]

_TYPES: Final = (TInt32, TInt64)
"""What a list of integers and operands becomes."""


@cache
def takes_integers(annotation: str) -> bool:
    """Whether a parameter takes a list of integers."""
    return _kinds(annotation)[0] is not None


def wrong_integers(passed: Passed) -> Iterator[str]:
    """The error messages for the argument of a parameter that takes a list of integers."""
    takes_operands, takes_number = _kinds(passed.annotation)
    expr, text, type_of = passed.expr, passed.text, passed.type_of
    if isinstance(expr, (ListExpr, TupleExpr)):
        yield from _wrong_items(passed, expr.items, takes_operands=takes_operands)
    elif base_of(type_of(expr), "typing.AbstractSet") is not None:
        yield f"{text} is a list of integers, not a set, which has no order"
    elif takes_operands and isinstance(expr, NameExpr) and _is_list_of_objects(type_of(expr)):
        display = only_value(passed.api, expr)
        if isinstance(display, ListExpr) and any(_is_operand(type_of(item)) for item in display.items):
            yield f"{text} is {source_of(expr)}, which type checkers take for a list of any objects; make it a tuple"
    elif isinstance(expr, (IndexExpr, MemberExpr, NameExpr)) and base_of(type_of(expr), SHAPE_CLASS) is not None:
        if "Shape" in passed.annotation.split(" | ") and not _has_names(passed):
            return
        shape, whole = ("it", "x.shape") if isinstance(expr, IndexExpr) else (source_of(expr),) * 2
        remedy = f"write {whole}.as_ints() for known sizes, core.Shape.create(scope, x) for those in a run"
        yield f"{text} is a list of integers, but {shape} is a shape; {remedy}"
    elif not takes_number and isinstance(expr, NameExpr) and isinstance(dim_of(type_of(expr)), Name):
        remedy = "core.Shape.create(scope, x) has the sizes of x in a run"
        yield f"{text} is a list of integers, but {source_of(expr)} is the name of a dimension; {remedy}"
    elif passed.annotation == "Sequence[int]" and any(base_of(type_of(expr), each) for each in (OPERAND, VARIABLE)):
        yield f"{text} is a list of integers, not an operand"
    elif not takes_number and not returns_operand(expr) and is_number(type_of(expr)):
        yield f"{text} is a list of integers, not {short_name(type_of(expr))}{_for_images(passed) or _as_list(passed)}"


def _wrong_items(passed: Passed, items: Sequence[Expression], *, takes_operands: bool | None) -> Iterator[str]:
    """The error messages for the items of a list or tuple that is written out."""
    text, type_of = passed.text, passed.type_of
    operands = [
        type_ for each in items if not isinstance(each, (IntExpr, StarExpr)) and _is_operand(type_ := type_of(each))
    ]
    if operands and not takes_operands:
        several = "; core.Stack.create(scope, [...]) makes one operand of several"
        remedy = several if "Operand[" in passed.annotation else ""
        yield f"{text} is a list of integers, but holds an operand{remedy}"
    elif operands:
        yield from (f"{text} {wrong}" for wrong in _wrong_operands(operands))
    elif any(isinstance(each, (ListExpr, TupleExpr)) for each in items):
        yield f"{text} is a list of integers, but holds a list"
    yield from (f"{text}: {only_in_a_run(name)}" for name in _names_of_sizes(items))
    yield from (f"{text} is a list of integers, but holds {wrong}" for wrong in map(type_for_size, items) if wrong)


def _names_of_sizes(items: Sequence[Expression]) -> Iterator[str]:
    """The names of sizes among some integers: `Batch` of `Batch = NewType("Batch", int)`."""
    for each in items:
        node = each.node if isinstance(each, RefExpr) else None
        if isinstance(node, TypeInfo) and node.is_newtype and node.has_base("builtins.int"):
            yield node.name


def _for_images(passed: Passed) -> str:
    """What to write for a window of images that is as high as it is wide."""
    is_window = passed.name in ("dilations", "ksize", "strides") and isinstance(passed.expr, IntExpr)
    size = passed.expr.value if isinstance(passed.expr, IntExpr) else 0
    return f"; write [1, {size}, {size}, 1] for images" if is_window and "3d" not in passed.called.lower() else ""


def _as_list(passed: Passed) -> str:
    """What to write for one integer."""
    if base_of(passed.type, "builtins.int") is None:
        return ""
    value = evaluate(passed.api, passed.expr, passed.type)
    if passed.name == "seed" and passed.called.startswith("Stateless"):
        return f" alone; write (0, {value if type(value) is int else 'x'})"
    name = "x" if source_of(passed.expr) == UNNAMED else source_of(passed.expr)
    return f"; write [{value}]" if type(value) is int else f"; write [{name}] for one"


@cache
def _kinds(annotation: str) -> tuple[bool | None, bool]:
    """Whether a list of integers may hold operands, None if it is not taken; and whether an integer is taken alone."""
    kinds = annotation.split(" | ")
    if "Sequence[Integer]" in kinds:
        return True, "int" in kinds
    return (False if "Sequence[int]" in kinds else None), "int" in kinds


def _wrong_operands(types: list[Type]) -> Iterator[str]:
    """What is wrong with the operands in a list of integers."""
    leaves = []
    for type_ in types:
        operand = operand_of(type_)
        leaf = None if operand is None else leaf_of(operand.dtype)
        if leaf is not None and leaf not in _TYPES:
            remedy = conversion("it", _TYPES, [leaf])
            yield f"must hold int32 or int64, but holds an operand of {leaf.name}; {remedy}"
        elif operand is not None and operand.static.shape.rank:
            remedy = "core.Concat.create(scope, [...], 0) joins vectors"
            yield f"must hold scalars, but holds an operand of shape {operand.static.shape}; {remedy}"
        leaves.append(leaf)
    if set(leaves) >= set(_TYPES):
        yield "holds operands of int32 and of int64; cast one with dtypes.Cast"


def _has_names(passed: Passed) -> bool:
    """Whether an argument is the shape of an operand with named sizes, which a run alone knows."""
    owner = passed.expr.expr if isinstance(passed.expr, MemberExpr) else None
    operand = None if owner is None else operand_of(passed.type_of(owner))
    dims = None if operand is None else operand.static.shape.dims
    return any(isinstance(dim, (Name, Size)) and not is_variable(dim) for dim in dims or ())


def _is_operand(type_: Type) -> bool:
    return base_of(type_, OPERAND) is not None


def _is_list_of_objects(type_: Type) -> bool:
    items = base_of(type_, "builtins.list")
    return (
        items is not None and isinstance(items.args[0], Instance) and items.args[0].type.fullname == "builtins.object"
    )
