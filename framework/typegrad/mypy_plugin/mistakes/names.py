"""What the expressions of an error read: names, attributes, and what these are bound to above it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias

from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    StarExpr,
    Statement,
    TupleExpr,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, Overloaded, ProperType, get_proper_type

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = [
    "Binding",
    "Names",
    "argument_of",
    "class_name",
    "end_of",
    "in_lines",
    "nodes_in",
    "parameters_of",
    "parts_of_error",
    "sources_of",
    "targets_of",
    "type_of",
]

Binding: TypeAlias = Statement | GeneratorExpr | DictionaryComprehension
"""What binds names."""
_OF_PART: Final = re.compile(r'"__getitem__"|^Unsupported operand types for ')
_GROWING: Final = frozenset(("append", "extend", "insert"))
"""The methods of lists that add items."""
_OF_FIT: Final = "fit: "
"""How an error begins that is about an array of a data set, at the operand that it is fed to."""
_in_lines: Final = Memory[MypyFile, defaultdict[int, list[tuple[int, Expression]]]]()
"""The expressions of files by their lines, each with its place in the tree."""


class Names:
    """What binds the names of a file."""

    def __init__(self, tree: MypyFile) -> None:
        self._bound = defaultdict[object, list[Binding]](list)
        self._made = Counter[str]()
        self._assignments: list[AssignmentStmt] = []
        self._grown: list[CallExpr] = []
        for node in nodes_of(tree):
            if isinstance(node, AssignmentStmt):
                self._assignments.append(node)
            if isinstance(node, CallExpr) and isinstance(node.callee, (MemberExpr, NameExpr)):
                self._made[node.callee.name] += 1
                if isinstance(node.callee, MemberExpr) and node.callee.name in _GROWING:
                    self._grown.append(node)
            for name, statement in _bound_by(node):
                self._bound[name.node].append(statement)

    def first(self, name: NameExpr) -> Binding | None:
        """What binds a name first, and so gives it its type."""
        return next(iter(self._bound.get(name.node, ())), None)

    def statement(self, name: NameExpr) -> Binding | None:
        """What binds a name, the last statement above it."""
        bound = self._bound.get(name.node, ())
        return max((each for each in bound if end_of(each) < name.line), key=end_of, default=next(iter(bound), None))

    def assignment(self, checker: TypeChecker, expr: Expression) -> AssignmentStmt | None:
        """The assignment that binds a name, or an attribute in any method, and nothing else; the last one above it."""
        bound = self.statement(expr) if isinstance(expr, NameExpr) else None
        if isinstance(expr, MemberExpr):
            key = self.key(checker, expr, None)
            above = [each for each in self._assignments if key is not None and each.line < expr.line]
            own = (each for each in above if key in (self.key(checker, one, None) for one in each.lvalues))
            bound = max(own, key=end_of, default=None)
        is_own = isinstance(bound, AssignmentStmt) and isinstance(bound.lvalues[0], (MemberExpr, NameExpr))
        return bound if is_own and isinstance(bound, AssignmentStmt) else None

    def around(self, line: int) -> Iterator[AssignmentStmt]:
        """The statements in a line that bind names."""
        for each in self._assignments:
            if each.line <= line <= end_of(each):
                yield each

    def grown(self, line: int) -> Iterator[tuple[Expression, Binding | None]]:
        """The names of lists to which calls in a line append, each with the statement that binds it."""
        for each in self._grown:
            owner = each.callee.expr if isinstance(each.callee, MemberExpr) else None
            if isinstance(owner, NameExpr) and each.line <= line <= (each.end_line or each.line):
                yield owner, self.statement(owner)

    def key(self, checker: TypeChecker, expr: Expression, statement: Binding | None) -> Hashable:
        """What tells one value from others: what binds the name, or the class and the name of an attribute, or None."""
        if isinstance(expr, MemberExpr):
            owner = class_name(checker, expr.expr)
            return (owner, expr.name) if owner else None
        node = expr.node if isinstance(expr, NameExpr) else None
        if statement is not None:  # one of several names has a value of its own, or one of those of a call
            is_own = isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, TupleExpr)
            return (node, statement) if is_own else statement
        if not isinstance(node, Var) or node.is_self or node.is_cls:
            return None
        type_ = type_of(checker, expr)  # of a parameter: the caller makes operands
        return None if type_ is None or base_of(type_, OPERAND) is not None else node

    def is_of_several(self, checker: TypeChecker, expr: MemberExpr) -> bool:
        """Whether it is an attribute of objects of which the file makes several."""
        return self._made[class_name(checker, expr.expr)] > 1

    def read(self, parts: Iterable[Node]) -> Iterator[tuple[Expression, Binding | None]]:
        """The names and attributes that expressions are made of, each with the statement that binds it.

        A list is also made of what is appended to it.
        """
        pending, seen = list(parts), set[Binding]()
        while pending:
            for node in nodes_of(pending.pop()):
                if isinstance(node, MemberExpr):
                    yield node, None
                elif isinstance(node, NameExpr):
                    statement = self.statement(node)
                    yield node, statement
                    if statement is not None and statement not in seen:
                        seen.add(statement)
                        pending += sources_of(statement)
                        pending += self._appended(node)

    def _appended(self, name: NameExpr) -> Iterator[Expression]:
        """What calls append to the list that a name is bound to."""
        for each in self._grown:
            owner = each.callee.expr if isinstance(each.callee, MemberExpr) else None
            if isinstance(owner, NameExpr) and owner.node is name.node:
                yield from each.args


def nodes_in(nodes: Iterable[Node]) -> Iterator[Node]:
    """What several nodes contain."""
    for each in nodes:
        yield from nodes_of(each)


def _bound_by(node: Node) -> Iterator[tuple[NameExpr, Binding]]:
    """The names that a statement or a comprehension binds."""
    if isinstance(node, (AssignmentStmt, DictionaryComprehension, ForStmt, GeneratorExpr, OperatorAssignmentStmt)):
        yield from ((each, node) for each in targets_of(node) if isinstance(each, NameExpr))


def targets_of(statement: Binding) -> Iterator[Expression]:
    """The names, attributes and items that a statement or a comprehension binds."""
    pending: list[Expression] = []
    if isinstance(statement, AssignmentStmt):
        pending += statement.lvalues
    elif isinstance(statement, ForStmt):
        pending.append(statement.index)
    elif isinstance(statement, OperatorAssignmentStmt):
        pending.append(statement.lvalue)
    elif isinstance(statement, (DictionaryComprehension, GeneratorExpr)):
        pending += statement.indices
    while pending:
        each = pending.pop()
        if isinstance(each, (ListExpr, TupleExpr)):
            pending += each.items
        elif isinstance(each, StarExpr):
            pending.append(each.expr)
        else:
            yield each


def sources_of(statement: Binding) -> list[Expression]:
    """What a statement binds its names to, or the items of what a comprehension does."""
    if isinstance(statement, (DictionaryComprehension, GeneratorExpr)):
        return statement.sequences
    if isinstance(statement, ForStmt):
        return [statement.expr]
    if isinstance(statement, OperatorAssignmentStmt):
        return [statement.lvalue, statement.rvalue]
    return [statement.rvalue] if isinstance(statement, AssignmentStmt) else []


def end_of(statement: Binding) -> int:
    """The line at which a statement has bound its names."""
    return statement.line if isinstance(statement, ForStmt) else statement.end_line or statement.line


def parts_of_error(tree: MypyFile, error: ErrorInfo) -> list[Node]:
    """The expression that an error is about; those of its line, if it does not say which."""
    in_line = in_lines(tree, {error.line})
    at = [each for each in in_line if each.column == error.column]
    exact = [each for each in at if (each.end_line, each.end_column) == (error.end_line, error.end_column)]
    if exact and _OF_PART.search(error.message):
        whole = (each for each in nodes_of(tree) if isinstance(each, (ComparisonExpr, IndexExpr, OpExpr)))
        exact = [each for each in whole if any(part in exact for part in _parts_of(each))] or exact
    return [*(exact or at)[:1]] if (exact or at) and not error.message.startswith(_OF_FIT) else [*in_line]


def _parts_of(whole: ComparisonExpr | IndexExpr | OpExpr) -> Sequence[Expression]:
    """The index or the right sides, of which mypy says what is wrong with the whole expression."""
    if isinstance(whole, ComparisonExpr):
        return whole.operands[1:]
    return [whole.index if isinstance(whole, IndexExpr) else whole.right]


def parameters_of(checker: TypeChecker, call: CallExpr) -> Sequence[str | None]:
    """The names of the parameters of the function that a call calls, of its first overload."""
    signature = type_of(checker, call.callee)
    items = signature.items if isinstance(signature, (CallableType, Overloaded)) else []
    return items[0].arg_names if items else []


def argument_of(call: CallExpr, name: str, parameters: Iterable[str | None]) -> list[Expression]:
    """The argument of a call for one of its parameters; none if it has none."""
    named = zip(call.arg_names, parameters, call.args, strict=False)
    return [arg for own, other, arg in named if name == (own or other)]


def in_lines(tree: MypyFile, lines: Collection[int]) -> list[Expression]:
    """The expressions that begin in some lines, in the order of the tree."""
    if tree not in _in_lines:
        found = _in_lines[tree] = defaultdict(list)
        for number, each in enumerate(nodes_of(tree)):
            if isinstance(each, Expression):
                found[each.line].append((number, each))
    known = _in_lines[tree]
    chosen = sorted(chain.from_iterable(known[line] for line in lines if line in known), key=itemgetter(0))
    return [each for _, each in chosen]


def type_of(checker: TypeChecker, expr: Node) -> ProperType | None:
    """The type of an expression; None if it is not known."""
    is_typed = isinstance(expr, Expression) and checker.has_type(expr)
    type_ = get_proper_type(checker.lookup_type(expr)) if is_typed and isinstance(expr, Expression) else None
    return None if isinstance(type_, AnyType) else type_


def class_name(checker: TypeChecker, expr: Expression) -> str:
    """The name of the class of an object; empty if it is not known."""
    type_ = type_of(checker, expr)
    return type_.type.name if isinstance(type_, Instance) else ""
