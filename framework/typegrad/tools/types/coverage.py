"""The operations of a file whose element type or shape mypy and the plugin do not know, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen
from mypy.nodes import (
    CallExpr,
    CastExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.arrays import ARRAY
from typegrad.mypy_plugin.dims import shape_of
from typegrad.mypy_plugin.operands import StaticOperand, base_of
from typegrad.tools.types.checking import CheckedFile
from typegrad.tools.types.nodes import nodes_of
from typegrad.tools.types.wording import described, operands_in

__all__ = ["Coverage", "Unknown", "coverage_of"]

_OPERATIONS: Final = (CallExpr, ComparisonExpr, IndexExpr, OpExpr, UnaryExpr)
_WRAPPER: Final = "typegrad.graph.wrapper.Wrapper"
_WIDEST: Final = 40
"""The number of characters of an expression in a message."""


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


def coverage_of(file: CheckedFile) -> Coverage:
    """The coverage of a file: of its calls, operators and indexing whose value has operands in it."""
    return _Reader(file).coverage()


@frozen
class _Reader:
    file: CheckedFile

    @property
    def types(self) -> Mapping[Expression, Type]:
        return self.file.types

    def coverage(self) -> Coverage:
        nodes = list(nodes_of(self.file.tree))
        stated = set(map(id, _stated(nodes)))
        made = [
            node
            for node in nodes
            if isinstance(node, _OPERATIONS) and id(node) not in stated and self._is_operation(node)
        ]
        unknown = [each for each in map(self._unknown, made) if each is not None]
        by_line = sorted(unknown, key=lambda each: each.line)
        return Coverage(len(made), by_line, [self._unchecked(node) for node in nodes if self._is_unchecked(node)])

    def _is_operation(self, expr: Expression) -> bool:
        if any(operands_in(self.types.get(expr))):
            return True
        is_call = isinstance(expr, CallExpr) and isinstance(self._type(expr), AnyType)
        return is_call and any(any(operands_in(self._type(part))) for part in _inputs(expr))

    def _type(self, expr: Expression) -> Type | None:
        """The type of an expression in the source; beside an operand, the plugin puts what is `Any` into a cast."""
        type_ = self.types.get(expr.expr if isinstance(expr, CastExpr) else expr)
        return None if type_ is None else get_proper_type(type_)

    # What is not known

    def _unknown(self, expr: Expression) -> Unknown | None:
        type_ = self._type(expr)
        if isinstance(type_, AnyType):
            assert isinstance(expr, CallExpr)
            return Unknown(expr.line, self._source(expr), f"{self._source(expr.callee)} {self._why_any(expr.callee)}")
        missing = _missing(operands_in(type_))
        if not missing:
            return None
        name = type_.type.name if isinstance(type_, Instance) and type_.type.has_base(_WRAPPER) else self._source(expr)
        return Unknown(expr.line, name, self._reason(expr, missing))

    def _reason(self, expr: Expression, missing: str) -> str:
        if isinstance(expr, CallExpr) and self._is_declared(expr):
            return f"{self._source(expr.callee)} is declared to return {described(self._type(expr))}"
        subject, verb = (missing, "come" if " and " in missing else "comes")
        for part in _inputs(expr):
            if isinstance(self._type(part), AnyType):
                ending = "which returns Any" if isinstance(_plain(part), CallExpr) else "which is Any"
                return f"{subject} {verb} from {self._source(part)}, {ending}"
        for part in _inputs(expr):
            type_ = self._type(part)
            if _missing(operands_in(type_)):
                return f"{subject} {verb} from {self._source(part)}{_where(part, expr)}, which is {described(type_)}"
            if _is_vague(type_):
                return f"{subject} {verb} from {self._source(part)}, an array of unknown shape"
        return f"{subject} {'depend' if ' and ' in missing else 'depends'} on values that are not in the source"

    def _is_declared(self, call: CallExpr) -> bool:
        """Whether a function of the user's is declared to return what is not known."""
        callee, made = self._type(call.callee), self._type(call)
        is_operation = isinstance(made, Instance) and made.type.has_base(_WRAPPER)
        return isinstance(callee, CallableType) and not is_operation and bool(_missing(operands_in(callee.ret_type)))

    def _why_any(self, callee: Expression) -> str:
        type_ = self._type(callee)
        if isinstance(type_, CallableType):
            return "has no annotations" if type_.implicit else "returns Any"
        return "is Any"

    def _source(self, expr: Expression) -> str:
        """The expression as the user wrote it, in one line."""
        expr = _plain(expr)
        lines = [line.encode() for line in self.file.text.splitlines()[expr.line - 1 : expr.end_line]]
        if not lines:
            return "an expression"
        if expr.end_line is not None and expr.end_column is not None:
            lines[-1] = lines[-1][: expr.end_column]
        lines[0] = lines[0][expr.column :]
        text = " ".join(line.decode().strip() for line in lines)
        return f"`{text if len(text) <= _WIDEST else f'{text[: _WIDEST - 3]}...'}`"

    # What is not checked

    def _is_unchecked(self, node: Node) -> bool:
        if not isinstance(node, FuncDef) or not node.is_dynamic() or self.file.options.check_untyped_defs:
            return False
        return any(isinstance(inside, CallExpr) for inside in nodes_of(node.body))

    def _unchecked(self, node: Node) -> Unknown:
        assert isinstance(node, FuncDef)
        return Unknown(node.line, f"`{node.name}`", "mypy checks no function without annotations; annotate it")


def _plain(expr: Expression) -> Expression:
    return expr.expr if isinstance(expr, CastExpr) else expr


def _stated(nodes: Iterable[Node]) -> Iterator[Expression]:
    """The operations whose unknown types and shapes `expect` states at once."""
    for node in nodes:
        if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name == "expect":
            yield node.callee.expr


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


def _missing(operands: Iterator[StaticOperand]) -> str:
    """What is not known of some operands; "" if all is. A dimension that is unknown to the graph, too, is known."""
    kinds: set[str] = set()
    for operand in operands:
        if isinstance(get_proper_type(operand.dtype), AnyType):
            kinds.add("the element type")
        shape = operand.static.shape
        has_rank = shape.dims is not None or operand.static.pattern is not None
        if not has_rank or (operand.static.is_gradual and None in (shape.dims or ())):
            kinds.add("the shape")
    return " and ".join(sorted(kinds))


def _is_vague(type_: Type | None) -> bool:
    """Whether a type is one of arrays whose rank is not known."""
    array = None if type_ is None else base_of(type_, ARRAY)
    return array is not None and shape_of(array.args[0]).shape.dims is None


def _where(part: Expression, operation: Expression) -> str:
    """The line that defines a name, if it is another one."""
    node = part.node if isinstance(part, NameExpr) else None
    return f" (line {node.line})" if isinstance(node, Var) and 0 < node.line != operation.line else ""
