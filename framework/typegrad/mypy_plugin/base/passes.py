"""What a pass of a loop takes over from the one before: of code in a branch, which pass runs it first is not known.

mypy checks the body of a loop first with the types from before the loop. What each pass runs fails in the first one
then, for certain. A branch may run in later passes only, with what other branches have assigned by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    Block,
    BreakStmt,
    ClassDef,
    ConditionalExpr,
    Context,
    ContinueStmt,
    Expression,
    ForStmt,
    FuncItem,
    IfStmt,
    MatchStmt,
    MypyFile,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    Statement,
    SymbolNode,
    TryStmt,
    WhileStmt,
    WithStmt,
)

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import children, nodes_of, variable_key

__all__ = ["failed", "is_of_a_later_pass", "may_follow"]

_Keys: TypeAlias = frozenset["SymbolNode | str"]
"""Variables, and the names of attributes of `self`."""

_NONE: Final[_Keys] = frozenset()
_LOOPS: Final = (ForStmt, WhileStmt)
_JUMPS: Final = (BreakStmt, ContinueStmt, RaiseStmt, ReturnStmt)
_open: Final = Memory[MypyFile, dict[Node, _Keys]]()
"""What other passes may have assigned, for each expression in a branch of a loop."""
failed: Final = Memory[Statement, str]()
"""The loops whose first pass has an error, and the paths of their files."""


def is_of_a_later_pass(tree: MypyFile, context: Context) -> bool:
    """Whether an expression in a branch of a loop takes what another pass may have assigned."""
    if not isinstance(context, Node):
        return False
    if tree not in _open:
        _open[tree] = {}
        _visit(tree, _open[tree], _NONE, _NONE)
    names = _open[tree].get(context, _NONE)
    return any(variable_key(node) in names for node in nodes_of(context))


def may_follow(checker: TypeChecker, context: Context) -> bool:
    """Whether an error may follow from one of the first pass of a loop."""
    loops = (loop for loop, path in failed.items() if path == checker.path)
    return any(each.line <= context.line <= (each.end_line or each.line) for each in loops)


def _keys(nodes: Iterable[Node | None]) -> _Keys:
    inside = (variable_key(node) for each in nodes if each is not None for node in nodes_of(each))
    return frozenset(key for key in inside if key is not None)


def _visit(node: Node, found: dict[Node, _Keys], carried: _Keys, names: _Keys) -> None:
    """Note the expressions in a node. `carried` is from another pass in branches, `names` is so here already."""
    if isinstance(node, (ClassDef, FuncItem)):
        carried = names = _NONE
    if names and isinstance(node, Expression):
        found[node] = names
    if isinstance(node, _LOOPS):
        names, carried = carried, carried | _carried(node)
    branches = _branches(node)
    for child in children(node):
        _visit(child, found, carried, carried if any(child is each for each in branches) else names)
        if isinstance(node, Block) and any(isinstance(each, _JUMPS) for each in nodes_of(child)):
            names = carried


def _branches(node: Node) -> list[Node | None]:
    """The parts of a node that may not run."""
    if isinstance(node, IfStmt):
        return [*node.expr[1:], *node.body, node.else_body]
    if isinstance(node, MatchStmt):
        return [*node.guards, *node.bodies]
    if isinstance(node, TryStmt):
        return [*node.handlers, node.else_body]
    if isinstance(node, ConditionalExpr):
        return [node.if_expr, node.else_expr]
    return [node.right] if isinstance(node, OpExpr) and node.op in ("and", "or") else []


def _carried(loop: Node) -> _Keys:
    """What the body of a loop assigns, and takes before it has surely assigned it in a pass, or makes of that."""
    assigned = set[SymbolNode | str]()
    taken = set[SymbolNode | str]()
    _assign(loop, _NONE, assigned, taken)
    carried = frozenset(assigned & taken)
    made = [(_keys(_targets(each)), _keys(_sources(each))) for each in nodes_of(loop) if carried and _targets(each)]
    before = _NONE
    while carried != before:
        before = carried
        carried = before.union(*(targets for targets, sources in made if not before.isdisjoint(sources)))
    return carried


def _assign(node: Node, known: _Keys, assigned: set[SymbolNode | str], taken: set[SymbolNode | str]) -> _Keys:
    """What is surely assigned behind a node, if `known` is before it; what it assigns and takes is added."""
    if isinstance(node, (ClassDef, FuncItem)):
        taken |= _keys([node])  # which is called at any time
        return known
    if isinstance(node, Expression):
        taken |= _keys([node]) - known
        return known
    targets, branches = _targets(node), _branches(node)
    new, inner = _keys(targets), known
    assigned |= new
    if isinstance(node, OperatorAssignmentStmt):
        taken |= new - known
    last: list[Node] = []
    for child in children(node):
        if child is getattr(node, "body", None) and not isinstance(node, Block):
            last.append(child)
        elif not any(child is each for each in (*targets, *branches)):
            inner = _assign(child, inner, assigned, taken)
    for child in last:
        inner = _assign(child, inner | new, assigned, taken)
    ends = [_assign(each, known if isinstance(node, TryStmt) else inner, assigned, taken) for each in branches if each]
    if isinstance(node, (*_LOOPS, TryStmt)):
        return known
    if isinstance(node, IfStmt) and node.else_body is not None:
        return frozenset.intersection(*ends[len(node.expr) - 1 :])
    return inner | new


def _targets(statement: Node) -> list[Node | None]:
    if isinstance(statement, AssignmentStmt):
        return [*statement.lvalues]
    if isinstance(statement, OperatorAssignmentStmt):
        return [statement.lvalue]
    if isinstance(statement, ForStmt):
        return [statement.index]
    return [*statement.target] if isinstance(statement, WithStmt) else []


def _sources(statement: Node) -> list[Node | None]:
    """The expressions of which a statement makes what it assigns."""
    if isinstance(statement, (AssignmentStmt, OperatorAssignmentStmt)):
        return [statement.rvalue]
    return [*statement.expr] if isinstance(statement, WithStmt) else [getattr(statement, "expr", None)]
