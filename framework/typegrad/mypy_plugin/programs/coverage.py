"""The operations of a file whose element type or shape the checker does not know, and why.

`typegrad check --coverage` lists all of them, the error code `typegrad-unknown` (`lints`) the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from attrs import define, field, frozen
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    CastExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.options import Options
from mypy.types import AnyType, CallableType, Instance, ProperType, TupleType, Type, get_proper_type

from typegrad.base.shape import SCALAR
from typegrad.dry_run.known.values import OperandValue, Value
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.classes import OWN, WRAPPER
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.operands import ARRAY, StaticOperand, base_of, operand_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.programs.followed import made_at
from typegrad.mypy_plugin.reports.wording import described, operands_in

__all__ = ["Coverage", "Reader", "Unknown", "coverage_of"]

_OPERATIONS: Final = (CallExpr, ComparisonExpr, IndexExpr, OpExpr, UnaryExpr)
_WIDEST: Final = 40
"""The number of characters of an expression in a message."""
_STATE: Final = "state it with expect"


@frozen
class Unknown:
    """An operation whose element type or shape is not fully known, or a function that mypy does not check."""

    line: int
    what: str
    reason: str


@frozen
class Coverage:
    """The number of operations, and the ones that are not fully known."""

    operations: int
    unknown: Sequence[Unknown]
    unchecked: Sequence[Unknown]

    @property
    def known(self) -> int:
        """The number of operations whose element types and shapes are known."""
        return self.operations - len(self.unknown)


@frozen
class _Reason:
    """Why something is not known, and what to do. `cause` is the same for operations of one reason."""

    text: str
    cause: Hashable
    cure: str = _STATE
    origin: Expression | None = None
    """The operand that is not known."""


def coverage_of(
    tree: MypyFile, text: str, types: Mapping[Expression, Type], options: Options, wrong: Collection[int] = ()
) -> Coverage:
    """The coverage of a file: of its calls, operators and indexing whose value has operands in it.

    `wrong` are the lines with errors.
    """
    reader = Reader(tree, text, types, partial(made_at, tree), wrong)
    unknown = sorted((each for _, each, _ in reader.unknown()), key=lambda each: each.line)
    return Coverage(len(reader.operations), unknown, list(_unchecked(reader.nodes, options)))


def _unchecked(nodes: Iterable[Node], options: Options) -> Iterator[Unknown]:
    """The functions that mypy does not check although there are calls in them."""
    for node in nodes:
        if not isinstance(node, FuncDef) or not node.is_dynamic() or options.check_untyped_defs:
            continue
        if any(isinstance(inside, CallExpr) for inside in nodes_of(node.body)):
            reason = "mypy checks no function without annotations; annotate it"
            yield Unknown(node.line, f"`{node.name}`", reason)


@define(slots=False)
class Reader:
    """Reads a file that was checked; `types` has the type of each expression."""

    tree: MypyFile
    text: str = field(repr=False)
    types: Mapping[Expression, Type] = field(repr=False)
    made: Callable[[Expression], Value | None] = lambda _: None
    """What the program makes at an expression, where it was followed."""
    wrong: Collection[int] = ()
    """The lines with errors."""

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes of the file."""
        return list(nodes_of(self.tree))

    @cached_property
    def operations(self) -> list[Expression]:
        """The calls, operators and indexing whose value has operands in it, but for those that `expect` states."""
        stated = set(map(id, _stated(self.nodes)))
        return [
            node
            for node in self.nodes
            if isinstance(node, _OPERATIONS) and id(node) not in stated and self._is_operation(node)
        ]

    def _is_operation(self, expr: Expression) -> bool:
        type_ = self.types.get(expr)
        if type_ is not None and any(operands_in(type_)):
            # Lists are joined and repeated by operators, too.
            return not isinstance(expr, OpExpr) or operand_of(type_) is not None
        is_call = isinstance(expr, CallExpr) and isinstance(self.type_of(expr), AnyType)
        return is_call and any(any(operands_in(self.type_of(part))) for part in _inputs(expr))

    def type_of(self, expr: Expression) -> ProperType | None:
        """The type of an expression in the source; beside an operand, the plugin puts what is `Any` into a cast."""
        type_ = self.types.get(as_written(expr))
        return None if type_ is None else get_proper_type(type_)

    def _is_any(self, part: Expression) -> bool:
        """Whether nothing is known of an input. A number beside an operand has no dimensions, `Any` or not."""
        settled = operand_of(get_proper_type(part.type)) if isinstance(part, CastExpr) else None
        is_number = settled is not None and settled.static.shape == SCALAR
        return isinstance(self.type_of(part), AnyType) and not is_number

    # What is not known

    def unknown(self) -> Iterator[tuple[Expression, Unknown, _Reason]]:
        """The operations that are not fully known, each with the reason."""
        for expr in self.operations:
            unknown = self._unknown(expr)
            if unknown is not None:
                name, reason = unknown
                yield expr, Unknown(expr.line, name, reason.text), reason

    def _unknown(self, expr: Expression) -> tuple[str, _Reason] | None:
        type_ = self.type_of(expr)
        if _is_known(type_, self.made(expr)):
            return None
        if isinstance(type_, AnyType):
            assert isinstance(expr, CallExpr)
            return self.source(expr), self._why_any(expr.callee)
        missing = _missing(operands_in(type_))
        if not missing and _has_open_sizes(operands_in(type_)):
            missing = "the shape" if any(map(self._is_any, _inputs(expr))) else ""
        if not missing:
            return None
        name = type_.type.name if isinstance(type_, Instance) and type_.type.has_base(WRAPPER) else self.source(expr)
        return name, self._reason(expr, missing)

    def _reason(self, expr: Expression, missing: str) -> _Reason:
        if isinstance(expr, CallExpr) and self._is_declared(expr):
            text = f"{self.source(expr.callee)} is declared to return {described(self.type_of(expr))}"
            return _Reason(text, _cause(expr.callee), f"declare {missing}, or state it with expect")
        subject, verb = (missing, "come" if " and " in missing else "comes")
        for part in _inputs(expr):
            if self._is_any(part):
                ending = "which returns Any" if isinstance(as_written(part), CallExpr) else "which is Any"
                return _Reason(f"{subject} {verb} from {self.source(part)}, {ending}", _cause(part))
        for part in _inputs(expr):
            type_ = self.type_of(part)
            if _missing(operands_in(type_)):
                text = f"{subject} {verb} from {self.source(part)}{_where(part, expr)}, which is {described(type_)}"
                return _Reason(text, _cause(part), origin=as_written(part))
            if _is_vague(type_):
                text = f"{subject} {verb} from {self.source(part)}, an array of unknown shape"
                return _Reason(text, _cause(part))
        if expr.line in self.wrong:
            return _Reason(f"{missing} cannot be told, as the line has an error", expr)
        text = f"{subject} {'depend' if ' and ' in missing else 'depends'} on values that are not in the source"
        return _Reason(text, expr)

    def _is_declared(self, call: CallExpr) -> bool:
        """Whether a function of the user's is declared to return what is not known."""
        callee = self.type_of(call.callee)
        if not isinstance(callee, CallableType) or _is_of_library(callee, call.callee):
            return False
        return bool(_missing(operands_in(callee.ret_type)))

    def _why_any(self, callee: Expression) -> _Reason:
        type_, name = self.type_of(callee), self.source(callee)
        if isinstance(type_, CallableType) and type_.implicit:
            return _Reason(f"{name} has no annotations", _cause(callee), "annotate it")
        is_function = isinstance(type_, CallableType)
        return _Reason(f"{name} {'returns' if is_function else 'is'} Any", _cause(callee))

    def source(self, expr: Expression) -> str:
        """The expression as the user wrote it, in one line."""
        expr = as_written(expr)
        lines = self._lines[expr.line - 1 : expr.end_line]
        if not lines or not all(line.isascii() for line in lines):  # the columns may be bytes, characters or neither
            return _short(expr)
        before, after = lines[0][: expr.column], ""
        if expr.end_line is not None and expr.end_column is not None:
            lines[-1], after = lines[-1][: expr.end_column], lines[-1][expr.end_column :]
        lines[0] = lines[0][expr.column :]
        text = _closed(before, " ".join(line.strip() for line in lines), after)
        return f"`{text if len(text) <= _WIDEST else f'{text[: _WIDEST - 3]}...'}`"

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()

    # Where knowledge is lost

    def lost(self) -> Iterator[tuple[Expression, Unknown, _Reason]]:
        """The operations that are not fully known although what they are made from is."""
        left = sorted(self.unknown(), key=lambda each: (each[0].line, each[0].column))
        explained: set[int] = set()
        while left:
            rest: list[tuple[Expression, Unknown, _Reason]] = []
            for each in left:
                expr, _, reason = each
                sources = [] if reason.origin is None else self._sources(reason.origin)
                if sources and explained.isdisjoint(map(id, sources)):
                    rest.append(each)
                    continue
                explained.add(id(expr))
                if sources == []:
                    yield each
            if len(rest) == len(left):  # in a loop, each may be the reason of another
                explained.add(id(rest[0][0]))
                yield rest.pop(0)
            left = rest

    def _sources(self, operand: Expression) -> list[Expression] | None:
        """The operations that make an operand unknown: none if its values differ; None if it is declared so."""
        if isinstance(operand, _OPERATIONS):
            return [operand]
        if isinstance(operand, RefExpr):
            values = self._assigned.get(_name(operand), [])
        else:
            values = [*operand.items] if isinstance(operand, (ListExpr, TupleExpr)) else [operand]
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return None
        unknown = [value for value in known if value is not operand and _missing(operands_in(self.type_of(value)))]
        return [
            source
            for value in unknown
            for source in ([value] if isinstance(value, _OPERATIONS) else self._sources(value) or [])
        ]

    @cached_property
    def _assigned(self) -> dict[Hashable, list[Expression | None]]:
        """The values that are assigned to each name; None for a declared type."""
        assigned: dict[Hashable, list[Expression | None]] = {}
        for node in self.nodes:
            if isinstance(node, AssignmentStmt):
                for target in node.lvalues:
                    names = [_name(target), *([f"self.{target.name}"] if isinstance(target, NameExpr) else [])]
                    for name in names if node.type is not None else names[:1]:
                        assigned.setdefault(name, []).append(node.rvalue if node.type is None else None)
        return assigned


def _short(expr: Expression) -> str:
    """The name of an expression, without its arguments."""
    name, _, rest = source_of(expr.callee if isinstance(expr, CallExpr) else expr).partition(" ")
    return "an expression" if rest else f"`{name}(...)`" if isinstance(expr, CallExpr) else f"`{name}`"


def _closed(before: str, text: str, after: str) -> str:
    """A text with the parentheses around its first and its last part, which mypy leaves out: `a + b) * (c - d`."""
    depth = lowest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        lowest = min(lowest, depth)
    while lowest < 0 and "(" in before:
        before, _, between = before.rpartition("(")
        text, lowest, depth = f"({between}{text}", lowest + 1, depth + 1
    while depth > 0 and ")" in after:
        between, _, after = after.partition(")")
        text, depth = f"{text}{between})", depth - 1
    return text


def _name(expr: Expression) -> Hashable:
    """The same for all mentions of a name, or of an attribute."""
    expr = as_written(expr)
    if isinstance(expr, MemberExpr) and isinstance(expr.expr, NameExpr) and expr.node is None:
        return f"{expr.expr.name}.{expr.name}"
    return expr.node if isinstance(expr, RefExpr) and expr.node is not None else expr


def _cause(part: Expression) -> Hashable:
    """The same for all mentions of a name, and for all calls of a function."""
    part = as_written(part)
    return _cause(part.callee) if isinstance(part, CallExpr) else _name(part)


def _stated(nodes: Iterable[Node]) -> Iterator[Expression]:
    """The operations whose unknown types and shapes `expect` states at once."""
    for node in nodes:
        if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name == "expect":
            yield node.callee.expr


def _is_of_library(function: CallableType, named: Expression) -> bool:
    """Whether a function is one of typegrad, whose result has what its arguments tell."""
    fullname = function.definition.fullname if function.definition is not None else ""
    return (fullname or getattr(named, "fullname", "")).startswith(OWN)


def _inputs(expr: Expression) -> Iterator[Expression]:
    """The expressions from which an operation gets its element type and shape."""
    if isinstance(expr, CallExpr):
        parts = [*([expr.callee.expr] if isinstance(expr.callee, MemberExpr) else []), *expr.args]
    elif isinstance(expr, OpExpr):
        parts = [expr.left, expr.right]
    elif isinstance(expr, IndexExpr):
        parts = [expr.base, expr.index]
    elif isinstance(expr, UnaryExpr):
        parts = [expr.expr]
    else:
        parts = expr.operands if isinstance(expr, ComparisonExpr) else []
    for part in parts:
        if isinstance(part, (ListExpr, TupleExpr)):
            yield from part.items
        yield part


def _is_known(type_: Type | None, made: Value | None) -> bool:
    """Whether the program makes operands of known rank, and there are no others in a value of the type."""
    if isinstance(made, OperandValue):
        return made.shape.dims is not None
    if made is None:
        return False
    proper = None if type_ is None else get_proper_type(type_)
    items = proper.items if isinstance(proper, TupleType) and len(proper.items) == len(made) else [None] * len(made)
    pairs = zip(items, made, strict=True)
    return all(_is_known(item, part) or _holds_none(item, part) for item, part in pairs)


def _holds_none(type_: Type | None, made: Value | None) -> bool:
    """Whether a part of a tuple holds no operands."""
    return made is None and type_ is not None and not any(operands_in(type_))


def _missing(operands: Iterator[StaticOperand]) -> str:
    """What is not known of some operands; "" if all is. A dimension that is unknown to the graph, too, is known."""
    kinds: set[str] = set()
    for operand in operands:
        if isinstance(get_proper_type(operand.dtype), AnyType):
            kinds.add("the element type")
        if operand.static.shape.dims is None and operand.static.pattern is None:
            kinds.add("the shape")
    return " and ".join(sorted(kinds))


def _has_open_sizes(operands: Iterator[StaticOperand]) -> bool:
    """Whether some sizes fit any other: the graph may not know them either, or they were lost beside `Any`."""
    shapes = [operand.static for operand in operands]
    return any(each.is_gradual and None in (each.shape.dims or ()) for each in shapes)


def _is_vague(type_: Type | None) -> bool:
    """Whether a type is one of arrays whose rank is not known."""
    array = None if type_ is None else base_of(type_, ARRAY)
    return array is not None and shape_of(array.args[0]).shape.dims is None


def _where(part: Expression, operation: Expression) -> str:
    """The line that defines a name, if it is another one."""
    node = part.node if isinstance(part, NameExpr) else None
    return f" (line {node.line})" if isinstance(node, Var) and 0 < node.line != operation.line else ""
