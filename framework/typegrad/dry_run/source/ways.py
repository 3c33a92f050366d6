"""What runs behind a choice: each of its branches, with the statements that follow in the same block.

A program that fails in the same line whichever branch runs is wrong, though what the branches have in common may not
tell: `n = 8 if big else 4`, and then an array of n rows where 6 are needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Final, NamedTuple, TypeAlias

from typegrad.dry_run.source.aliases import last_name
from typegrad.dry_run.source.state import CHANGING
from typegrad.dry_run.source.trees import children, nodes_of

__all__ = ["Choice", "Key", "Ways", "blocks_of", "key_of", "outcomes_of", "ways_in"]

Choice: TypeAlias = ast.If | ast.IfExp | ast.Match
Key: TypeAlias = tuple[int | None, int | None, int | None, int | None, str]
"""The place of a node, and its kind."""
_MOST_LINES: Final = 100
"""How many lines are followed behind a choice."""
_WAITING: Final = (ast.AsyncFunctionDef, ast.FunctionDef, ast.GeneratorExp, ast.Lambda)
"""What may read a name later than where it is."""
_OTHERS: Final = (*_WAITING, ast.BoolOp, ast.DictComp, ast.IfExp, ast.ListComp, ast.SetComp)
"""The expressions whose parts may not run, or several times."""
_ACTING: Final = (ast.Await, ast.Call, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_Simple: TypeAlias = ast.AnnAssign | ast.Assign | ast.AugAssign | ast.Expr | ast.Return


class Ways(NamedTuple):
    """What runs with each branch of a choice."""

    names: Sequence[str]
    """The names that the branches assign."""
    bodies: Sequence[Sequence[ast.stmt]]
    """Those of each branch, and of the choice itself."""


def ways_in(tree: ast.Module) -> dict[Key, Ways]:
    """The choices of a module behind which it matters which branch has run."""
    found: dict[Key, Ways] = {}
    waiting = _readers(tree)
    for node in nodes_of(tree):
        for block in blocks_of(node):
            for number, each in enumerate(block):
                behind = [other for other in block[number + 1 :] if _line(other) - each.lineno < _MOST_LINES]
                for choice, bodies in _choices(each):
                    ways = _ways([*bodies, [each]], behind)
                    matters = isinstance(choice, ast.IfExp) or _is_used(ways, behind)
                    if matters and not _is_read_elsewhere(ways, each.lineno, waiting):
                        found[key_of(choice)] = ways
    return found


def key_of(node: ast.expr | ast.stmt) -> Key:
    """What tells a node from the others of a file."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, type(node).__name__


def blocks_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statements that follow one another in a node."""
    blocks = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    return (each for each in blocks if isinstance(each, list))


def _line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _choices(statement: ast.stmt) -> Iterator[tuple[Choice, Sequence[Sequence[ast.stmt]]]]:
    """The choices that a statement makes, each with what it does instead for each branch."""
    if isinstance(statement, ast.If):
        yield statement, [*_branches(statement)]
    elif isinstance(statement, ast.Match):
        yield statement, outcomes_of(statement)
    elif isinstance(statement, _Simple):
        for choice in _expressions(statement):
            arms = choice.body, choice.orelse
            yield choice, [[_Chosen(choice, each).visit(deepcopy(statement))] for each in arms]


def outcomes_of(statement: ast.Match) -> list[Sequence[ast.stmt]]:
    """The statements of each case, of which one runs, or none if there may be no case."""
    last = statement.cases[-1]
    is_whole = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
    return [*(each.body for each in statement.cases), *([] if is_whole else [[]])]


def _branches(statement: ast.If) -> Iterator[Sequence[ast.stmt]]:
    """The branches of an `if` statement, with those of its `elif`."""
    yield statement.body
    if len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If):
        yield from _branches(statement.orelse[0])
    else:
        yield statement.orelse


def _expressions(statement: _Simple) -> Iterator[ast.IfExp]:
    """The conditional expressions of a statement before which it does nothing."""
    waiting: list[ast.AST] = [] if statement.value is None else [statement.value]
    acting = [each for each in nodes_of(*waiting) if isinstance(each, _ACTING)]
    for node in waiting:
        if isinstance(node, ast.IfExp):
            begin = node.lineno, node.col_offset
            if not any((each.end_lineno or 0, each.end_col_offset or 0) <= begin for each in acting):
                yield node
        elif not isinstance(node, _OTHERS):
            waiting += children(node)


class _Chosen(ast.NodeTransformer):
    """Replaces a conditional expression by one of its parts."""

    def __init__(self, choice: ast.IfExp, part: ast.expr) -> None:
        self._key = key_of(choice)
        self._part = part

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Replace the one."""
        if key_of(node) == self._key:
            return deepcopy(self._part)
        self.generic_visit(node)
        return node


def _ways(bodies: Sequence[Sequence[ast.stmt]], behind: Sequence[ast.stmt]) -> Ways:
    names = dict.fromkeys(each.id for each in _stored(bodies) if isinstance(each, ast.Name))
    return Ways([*names], [[*body, *behind] for body in bodies])


def _is_used(ways: Ways, behind: Sequence[ast.stmt]) -> bool:
    """Whether statements behind branches read a name that these assign, or a list or dict that they change.

    So it is where they may read such an attribute.
    """
    read = {last_name(each) for each in nodes_of(*behind) if isinstance(each, (ast.Attribute, ast.Name))}
    is_read = not read.isdisjoint((*ways.names, *_changed(ways.bodies)))
    return is_read or any(isinstance(each, ast.Attribute) for each in _stored(ways.bodies))


def _changed(bodies: Sequence[Sequence[ast.stmt]]) -> Iterator[str]:
    """The names of lists and dicts whose items statements assign, or which they change by a method."""
    for each in nodes_of(*(each for body in bodies for each in body)):
        if isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load):
            yield last_name(each.value)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in CHANGING:
            yield last_name(each.func.value)


def _stored(bodies: Sequence[Sequence[ast.stmt]]) -> list[ast.Attribute | ast.Name]:
    """The names and attributes that statements assign."""
    parts = nodes_of(*(each for body in bodies for each in body))
    stored = (each for each in parts if isinstance(each, (ast.Attribute, ast.Name)))
    return [each for each in stored if isinstance(each.ctx, ast.Store)]


def _readers(tree: ast.Module) -> list[tuple[range, set[str]]]:
    """The lines of functions within functions, with the names that they read when they are called."""
    functions = [each for each in nodes_of(tree) if isinstance(each, (ast.AsyncFunctionDef, ast.FunctionDef))]
    parts = (each for outer in functions for body in outer.body for each in nodes_of(body))
    inner = [each for each in parts if isinstance(each, _WAITING)]
    lines = (range(each.lineno, (each.end_lineno or each.lineno) + 1) for each in inner)
    names = ({part.id for part in nodes_of(each) if isinstance(part, ast.Name)} for each in inner)
    return [*zip(lines, names, strict=True)]


def _is_read_elsewhere(ways: Ways, line: int, readers: Sequence[tuple[range, set[str]]]) -> bool:
    """Whether a function that is made before a choice, and is not around it, reads a name assigned from there on."""
    before = [names for lines, names in readers if lines[0] < line and line not in lines]
    if not before:
        return False
    stored = {each.id for each in _stored(ways.bodies) if isinstance(each, ast.Name)}
    return any(not stored.isdisjoint(names) for names in before)
