"""Names that a part of an expression assigns by `:=`, which may not run: `if wide and (h := x[:, :3]).rank:`.

mypy keeps either the value from before or the new one. Behind such a statement, and in its branches, a name has the
new value where that part has certainly run, and else what both have in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from mypy.nodes import (
    AssertStmt,
    AssignmentExpr,
    Block,
    ComparisonExpr,
    ConditionalExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    OpExpr,
    Statement,
    SymbolNode,
    UnaryExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import Type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.base.syntax import children, expressions_of, holds
from typegrad.mypy_plugin.types.joins import merge

__all__ = ["assigned_in", "begin", "bodies_of", "end", "leaves_open", "naming_in", "outcome_behind"]

_REPEATED: Final = (DictionaryComprehension, GeneratorExpr)
_Run: TypeAlias = tuple[AssignmentExpr, bool]
"""An assignment in an expression, and whether it certainly runs."""

_before: Final = Memory[Statement, Mapping[SymbolNode, Type]]()
"""The types of names before each statement that may assign them."""
_naming: Final = Memory[Statement, Sequence[Expression]]()


def naming_in(statement: Statement) -> Sequence[Expression]:
    """The expressions of a statement with an assignment in them, which most statements do not have."""
    if statement not in _naming:
        _naming[statement] = [each for each in expressions_of(statement) if holds(each, AssignmentExpr)]
    return _naming[statement]


def assigned_in(statement: Statement) -> Iterator[AssignmentExpr]:
    """The assignments in the expressions of a statement, without those in comprehensions and lambdas."""
    yield from (each for each, _ in _all_runs(statement))


def leaves_open(statement: Statement) -> bool:
    """Whether an assignment in an expression of a statement may not run."""
    return any(not certain for _, certain in _all_runs(statement))


def bodies_of(statement: Statement) -> Iterator[tuple[Block, bool | None]]:
    """The blocks that run directly behind the expressions of a statement, and what these are then."""
    if isinstance(statement, IfStmt):
        yield statement.body[0], True
    elif isinstance(statement, WhileStmt):
        yield statement.body, True
    elif isinstance(statement, (ForStmt, WithStmt)):
        yield statement.body, None
    if isinstance(statement, (IfStmt, WhileStmt)) and statement.else_body is not None:
        yield statement.else_body, False


def outcome_behind(statement: Statement) -> bool | None:
    """What the expression of a statement is where the program goes on behind it."""
    if isinstance(statement, AssertStmt):
        return True
    return False if isinstance(statement, (IfStmt, WhileStmt)) else None


def begin(api: CheckerPluginInterface, statement: Statement) -> None:
    """Note the types before a statement."""
    names = [each.target for each in assigned_in(statement)]
    known = {name.node: _current(api, name) for name in names if name.node is not None}
    _before[statement] = {node: type_ for node, type_ in known.items() if type_ is not None}


def end(api: CheckerPluginInterface, statement: Statement, outcome: bool | None, *, is_behind: bool = False) -> None:
    """Give names their types where the expressions of a statement have run, with a result of this truth value.

    Args:
        api: mypy.
        statement: The statement.
        outcome: The truth value; None if it may be any.
        is_behind: Whether this is behind the statement, where the program may also come from one of its blocks.

    """
    runs = [run for expr in naming_in(statement) for run in _runs(expr, outcome)]
    open_ = {each.target.node for each, certain in _all_runs(statement) if not certain}
    by_name = defaultdict[SymbolNode | None, list[_Run]](list)
    for each, certain in runs:
        by_name[each.target.node].append((each, certain))
    for node in open_:
        _put(api, _before.get(statement, {}), by_name[node], is_behind=is_behind)


def _put(
    api: CheckerPluginInterface, before: Mapping[SymbolNode, Type], runs: Sequence[_Run], *, is_behind: bool
) -> None:
    """Give a name the type of its value, or what its values have in common; not if one may be no operand."""
    (last, is_certain), checker = runs[-1], checker_of(api)
    node = last.target.node
    declared = node.type if isinstance(node, Var) else None
    old = None if node is None else before.get(node)
    if not all(checker.has_type(each.value) for each, _ in runs) or declared is None:
        return
    values = [checker.lookup_type(each.value) for each, _ in runs]
    current = _current(api, last.target)
    types: list[Type | None] = [*values[-1:]] if is_certain else [old, *values]
    if is_behind or not is_certain:
        types.append(current)
    known = [each for each in types if each is not None and is_subtype(each, declared)]
    if len(known) == len(types) and _are_alike(known):
        checker.binder.put(last.target, make_simplified_union(known))
        merge(api, [last.target], {})


def _current(api: CheckerPluginInterface, name: NameExpr) -> Type | None:
    """The type of a name here."""
    return checker_of(api).binder.get(name) or (name.node.type if isinstance(name.node, Var) else None)


def _are_alike(types: Sequence[Type]) -> bool:
    """Whether types are operands of one element type."""
    operands = [operand_of(each) for each in types]
    known = [each.dtype for each in operands if each is not None]
    return len(known) == len(types) and all(is_same_type(each, known[0]) for each in known)


def _all_runs(statement: Statement) -> Sequence[_Run]:
    """The assignments in the expressions of a statement, and whether each certainly runs."""
    return [run for expr in naming_in(statement) for run in _runs(expr, None)]


def _runs(node: Node, outcome: bool | None, *, certain: bool = True) -> Iterator[_Run]:
    """The assignments in an expression in their order, and whether each has run if it is of this truth value."""
    if isinstance(node, (LambdaExpr, *_REPEATED)):
        return
    for part, part_outcome, always in _parts(node, outcome):
        yield from _runs(part, part_outcome, certain=certain and always)
    if isinstance(node, AssignmentExpr):
        yield node, certain


def _parts(node: Node, outcome: bool | None) -> Iterator[tuple[Node, bool | None, bool]]:
    """The parts of an expression, each with its truth value, as far as known, and whether it certainly runs."""
    if isinstance(node, OpExpr) and node.op in ("and", "or"):
        runs_all = outcome is (node.op == "and")  # `a and b` is true if both are
        known = outcome if runs_all else None
        yield node.left, known, True
        yield node.right, known, runs_all
    elif isinstance(node, UnaryExpr) and node.op == "not":
        yield node.expr, None if outcome is None else not outcome, True
    elif isinstance(node, AssignmentExpr):
        yield node.value, outcome, True
    elif isinstance(node, ConditionalExpr):
        yield node.cond, None, True
        yield node.if_expr, None, False
        yield node.else_expr, None, False
    elif isinstance(node, ComparisonExpr):  # `a < b < c` is `a < b and b < c`
        yield from ((each, None, position < 2) for position, each in enumerate(node.operands))
    elif isinstance(node, Expression):
        yield from ((each, None, True) for each in children(node))
