# mypy has no public way to read the types of all expressions while it checks.
"""The codes that are off unless the settings enable them: `typegrad-unknown`, `-broadcast`, `-loss` and `-unused`.

They look at a file as a whole, once mypy has checked it (`whole_file`), at broadcasts once its program is followed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import combinations
from typing import Final

from attrs import frozen
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    ARG_POS,
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    TupleExpr,
)
from mypy.operators import op_methods
from mypy.plugin import CheckerPluginInterface
from mypy.types import NoneType, ProperType

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, broadcast
from typegrad.base.types import TType
from typegrad.dry_run.known.values import OperandValue
from typegrad.mypy_plugin.arrays.ndarrays import array_shape
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OPTIMIZER
from typegrad.mypy_plugin.base.codes import BROADCAST, LINTS, LOSS, UNKNOWN, UNUSED
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import base_of, operand_of
from typegrad.mypy_plugin.base.registry import Definition, definition_of, made_by
from typegrad.mypy_plugin.base.reporting import errors_of, report
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.programs.coverage import Reader
from typegrad.mypy_plugin.programs.followed import always_made_at
from typegrad.mypy_plugin.programs.unused import unused
from typegrad.mypy_plugin.reports.whole_file import text_of
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["lint", "lint_tables"]

_ADDED: Final = ("None", "newaxis")
"""The names for a new dimension in an index."""
_EXPAND: Final = "ExpandDims"
_MINIMIZING: Final = ("compute_gradients", "minimize")
"""The methods of optimizers that take a loss."""

_causes: Final = Memory[MypyFile, set[Hashable]]()


def lint(api: CheckerPluginInterface) -> None:
    """Report what the enabled codes find in a file."""
    checker = checker_of(api)
    codes = _codes(checker)
    if codes.isdisjoint((UNKNOWN, LOSS, UNUSED)):
        return
    reader = Reader(checker.tree, text_of(checker), checker._type_maps[0])
    if UNKNOWN in codes:
        for place, text in _unknown(checker, reader):
            report(api, UNKNOWN, text, place)
    if LOSS in codes:
        for place, text in _sums(reader):
            report(api, LOSS, text, place)
    if UNUSED in codes:
        for place, text in unused(api, reader):
            report(api, UNUSED, text, place)


def lint_tables(api: CheckerPluginInterface) -> None:
    """Report tables of all pairs, once the program of the file is followed: types may leave shapes open."""
    checker = checker_of(api)
    if BROADCAST in _codes(checker):
        made = partial(always_made_at, checker.tree)
        reader = Reader(checker.tree, text_of(checker), checker._type_maps[0], made)
        for place, text in _tables(api, reader):
            report(api, BROADCAST, text, place)


def _codes(checker: TypeChecker) -> set[ErrorCode]:
    return checker.options.enabled_error_codes & LINTS


# Where knowledge is lost


def _unknown(checker: TypeChecker, reader: Reader) -> Iterator[tuple[Context, str]]:
    """The first operation for each reason, without operations for which mypy reported an error."""
    wrong = {error.line for error in errors_of(checker) if error.severity == "error"}
    causes = _causes.setdefault(checker.tree, set())
    for place, unknown, reason in reader.lost():
        if reason.cause not in causes and wrong.isdisjoint(range(place.line, (place.end_line or place.line) + 1)):
            causes.add(reason.cause)
            yield place, f"{unknown.what}: {reason.text}; {reason.cure}"


# Losses that are no scalars


def _sums(reader: Reader) -> Iterator[tuple[Context, str]]:
    """The losses of several elements, but for those whose elements have weights."""
    for call in reader.nodes:
        loss = _loss(reader, call)
        operand = None if loss is None else operand_of(reader.type_of(loss) or NoneType())
        shape = None if operand is None else operand.static.shape
        if loss is not None and shape is not None and shape.dims and set(shape.dims) != {1}:
            text = f"{reader.source(loss)} is {shape}, and the sum of its elements is minimized"
            yield loss, f"{text}; math.Mean or core.Sum makes a scalar"


def _loss(reader: Reader, call: Node) -> Expression | None:
    """What an optimizer minimizes; None for another call, or one with a weight for each element."""
    if not isinstance(call, CallExpr) or not isinstance(call.callee, MemberExpr) or "grad_loss" in call.arg_names:
        return None
    owner = reader.type_of(call.callee.expr) if call.callee.name in _MINIMIZING else None
    if owner is None or base_of(owner, OPTIMIZER) is None:
        return None
    passed = zip(call.args, call.arg_names, call.arg_kinds, strict=True)
    return next((expr for expr, name, kind in passed if name == "loss" or kind is ARG_POS), None)


# Tables of all pairs


@frozen
class _Input:
    """An operand or array that an operation broadcasts."""

    expr: Expression
    shape: Shape
    is_made: bool = False
    """Whether the program tells the shape, and not the type."""


def _tables(api: CheckerPluginInterface, reader: Reader) -> Iterator[tuple[Context, str]]:
    """The operations that combine each element of one operand with each of another, by an added dimension."""
    pairing = _pairing(reader)
    in_place = [node for node in reader.types if isinstance(node, OpExpr)]  # `x -= y` is in no tree
    for expr in dict.fromkeys([*reader.operations, *in_place]):
        type_ = reader.type_of(expr)
        definition = _definition(api, expr, type_)
        if definition is None or len(definition.op.broadcasts) < 2:
            continue
        inputs = [_input(api, reader, each) for each in _broadcast(expr, definition.op.broadcasts)]
        known = [each for each in inputs if each is not None]
        if any(each.is_made for each in known) and _is_in(expr, pairing):
            continue
        texts = [_described(reader, left, right) for left, right in combinations(known, 2)]
        for text in [each for each in texts if each is not None][:1]:
            yield expr, f"{definition.op.class_name}: {text}"


_SHIFTS: Final = ("<<", ">>")
"""The operators that operands do not have."""


def _definition(api: CheckerPluginInterface, expr: Expression, type_: ProperType | None) -> Definition | None:
    """The definition of the operation that a call or an operator makes."""
    operator = expr.op if isinstance(expr, OpExpr) else expr.operators[0] if isinstance(expr, ComparisonExpr) else ""
    operand = None if type_ is None else operand_of(type_)
    if operand is None or operator not in op_methods or operator in _SHIFTS:
        return None if type_ is None else definition_of(api, type_)
    return made_by(op_methods[operator], leaf_of(operand.dtype) or TType)


def _broadcast(expr: Expression, names: tuple[str, ...]) -> list[Expression]:
    """The expressions that an operation broadcasts."""
    if isinstance(expr, OpExpr):
        return [expr.left, expr.right]
    if isinstance(expr, ComparisonExpr):
        return expr.operands
    if not isinstance(expr, CallExpr):
        return []
    return [arg for arg, name in zip(expr.args, expr.arg_names, strict=True) if name is None or name in names][
        -len(names) :
    ]


def _input(api: CheckerPluginInterface, reader: Reader, expr: Expression) -> _Input | None:
    type_ = reader.type_of(expr)
    if type_ is None:
        return None
    operand = operand_of(type_)
    if operand is not None:
        shape = operand.static.shape
        made = reader.made(as_written(expr)) if shape.dims is None or None in shape.dims else None
        is_made = isinstance(made, OperandValue)
        return _Input(as_written(expr), made.shape if isinstance(made, OperandValue) else shape, is_made)
    with suppress(NotStatic):
        return _Input(as_written(expr), array_shape(api, expr, type_))
    return None


def _described(reader: Reader, left: _Input, right: _Input) -> str | None:
    """The message for two operands if one lacks a dimension of size 1 that the other has; else None."""
    low, high = sorted((left, right), key=lambda each: each.shape.rank or 0)
    if low.shape.dims is None or high.shape.dims is None or _adds_dimension(low.expr) or _adds_dimension(high.expr):
        return None
    extra = _extra(low.shape.dims, high.shape.dims)
    if not extra:
        return None
    with suppress(ShapeError):
        both = broadcast(left.shape, right.shape)
        if both.dims not in (low.shape.dims, high.shape.dims):
            index = ", ".join("None" if axis in extra else ":" for axis in range(len(high.shape.dims)))
            return (
                f"{reader.source(left.expr)} is {left.shape} and {reader.source(right.expr)} is {right.shape}, so the "
                f"result is {both}; index {reader.source(low.expr)} with [{index}], or squeeze "
                f"{reader.source(high.expr)} with core.Squeeze"
            )
    return None


def _extra(low: tuple[Dim, ...], high: tuple[Dim, ...]) -> tuple[int, ...]:
    """The dimensions of size 1 without which the shape `high` is the shape `low`; none if there are none."""
    ones = [axis for axis, dim in enumerate(high) if dim == 1]
    for axes in combinations(ones, len(high) - len(low)):
        if low == tuple(dim for axis, dim in enumerate(high) if axis not in axes):
            return axes
    return ()


def _pairing(reader: Reader) -> list[FuncDef]:
    """The functions of which a call asks for tables, `distances(x[:, None], x)`, and those that these call."""
    functions = [each for each in reader.nodes if isinstance(each, FuncDef)]
    called = {each.name: set(map(_called, nodes_of(each.body))) for each in functions}
    calls = [each for each in reader.nodes if isinstance(each, CallExpr)]
    left = [_called(each) for each in calls if any(_adds_dimension(as_written(arg)) for arg in each.args)]
    found = set[str]()
    while left:
        name = left.pop()
        if name in called and name not in found:
            found.add(name)
            left += called[name]
    return [each for each in functions if each.name in found]


def _called(node: Node) -> str:
    """The name of the function that a call is of; "" for any other node."""
    callee = node.callee if isinstance(node, CallExpr) else None
    return callee.name if isinstance(callee, (MemberExpr, NameExpr)) else ""


def _is_in(expr: Expression, functions: Iterable[FuncDef]) -> bool:
    return any(each.line <= expr.line <= (each.end_line or each.line) for each in functions)


def _adds_dimension(expr: Expression) -> bool:
    """Whether an expression itself adds a dimension, so that its effect is intended: `x[:, None] - x`."""
    if isinstance(expr, IndexExpr):
        parts = expr.index.items if isinstance(expr.index, TupleExpr) else [expr.index]
        return any(isinstance(part, (MemberExpr, NameExpr)) and part.name in _ADDED for part in parts)
    owner = expr.callee.expr if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) else None
    return isinstance(owner, (MemberExpr, NameExpr)) and owner.name == _EXPAND
