"""Branches that are rewritten as functions of their own, to be followed on trial."""

from __future__ import annotations
import __future__

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from itertools import permutations
from types import CodeType
from typing import Final

from typegrad.dry_run.source.changes import Changes, nodes_in
from typegrad.dry_run.source.expressions import Alone, Asked, Branch, Branching
from typegrad.dry_run.source.forgetting import ForgettingRewriter
from typegrad.dry_run.source.private_names import parsed
from typegrad.dry_run.source.trees import locate, placed
from typegrad.dry_run.source.ways import Choice, Key, Ways, blocks_of, key_of, ways_in

__all__ = ["OF_PLACE", "AloneRewriter"]

OF_PLACE: Final = re.compile(r"\b(async|await|super|__class__)\b")
"""What makes a function another one where it stands alone."""
_OF_SCOPE: Final = re.compile(r"\b(global|nonlocal)\b")
"""What names of a function are not its own, which parameters are."""
_FLAGS: Final = __future__.annotations.compiler_flag
_FAILING: Final = (ast.AugAssign, ast.BinOp, ast.Call, ast.Compare, ast.For, ast.Subscript, ast.With)
"""What may raise an error that is not the program's own."""


class AloneRewriter(ForgettingRewriter):
    """Rewrites branches a second time, when one is to be followed on trial."""

    def __init__(self, text: str, path: str, package: str, asked: Asked) -> None:
        super().__init__(text, path, package, asked)
        self._attempts = asked.attempts
        self._postponed: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, Sequence[ast.stmt]]] = []
        """The functions that are rewritten later, and their statements."""
        self._owner = ""
        """The function or class around, with those around it."""

    def _body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            result += made if isinstance(made, list) else [made]
        return result

    def code(self, tree: ast.Module) -> CodeType:
        """The code of a rewritten module."""
        locate(tree)
        for function, statements in self._postponed:
            function.body += statements  # whose names tell what it uses; nothing is missing in them
        self._postponed.clear()
        code: CodeType = compile(tree, self._path, "exec", flags=_FLAGS, dont_inherit=True)
        return code

    def _trial(self, node: Branching) -> list[ast.expr]:
        may_fail = any(_may_fail(each) for body in _bodies(node) for each in body)
        is_left = isinstance(node, ast.If) and _leaves(node)
        may_matter = isinstance(node, ast.IfExp) or (isinstance(node, Choice) and bool(Changes([node]).names))
        if self._is_in_class or not (may_fail or is_left or may_matter) or not self._can_stand_alone([node]):
            return []
        place, owner = key_of(node), self._owner
        self._attempts.append(lambda: self._alone(place, owner))
        return [ast.Constant(len(self._attempts) - 1)]

    def _can_stand_alone(self, parts: Sequence[Branching | ast.stmt]) -> bool:
        """Whether an expression, or statements that follow one another, do the same in a function of their own."""
        first, last = parts[0].lineno - 1, parts[-1].end_lineno
        text = "\n".join(self._lines[first:last])
        return not (OF_PLACE.search(text) or _OF_SCOPE.search(text))

    def _alone(self, place: Key, owner: str) -> Alone:
        node, rest = self._branchings[place]
        test = _test(node)

        def branches(is_parameter: Callable[[str], bool]) -> list[Branch]:
            compared = placed(ast.Tuple([*_compared(test)], ast.Load()), test)
            results: list[ast.stmt] = [placed(ast.Return(each), test) for each in (compared, test)]
            bodies = _bodies(node)
            if isinstance(node, ast.If):
                bodies = [[*body, *rest] if _is_left(other) else body for body, other in permutations(bodies)]
            return [
                self._branch(deepcopy(each), owner, is_parameter) for each in (*([each] for each in results), *bodies)
            ]

        def behind(is_parameter: Callable[[str], bool]) -> Iterator[Branch]:
            bodies = self._ways[place].bodies if place in self._ways else ()
            if all(map(self._can_stand_alone, filter(None, bodies))):
                yield from (self._branch(deepcopy(each), owner, is_parameter) for each in bodies)

        names = self._ways[place].names if place in self._ways else ()
        return Alone(test, isinstance(node, (ast.BoolOp, ast.IfExp)), branches, names, behind)

    @cached_property
    def _ways(self) -> dict[Key, Ways]:
        return ways_in(parsed("\n".join(self._lines)))

    @cached_property
    def _branchings(self) -> dict[Key, tuple[Branching, Sequence[ast.stmt]]]:
        """Those of the file as they are written, each with what runs if the branch of an `if` does not leave."""
        found: dict[Key, tuple[Branching, Sequence[ast.stmt]]] = {}
        for node in ast.walk(parsed("\n".join(self._lines))):
            if isinstance(node, Branching):
                found.setdefault(key_of(node), (node, []))
            for block in blocks_of(node):
                for number, each in enumerate(block):
                    if isinstance(each, ast.If):
                        rest = block[number + 1 :] if _leaves(each) else []
                        can_stand_alone = bool(rest) and self._can_stand_alone(rest)
                        found[key_of(each)] = each, rest if can_stand_alone else []
        return found

    def _branch(self, body: Sequence[ast.stmt], owner: str, is_parameter: Callable[[str], bool]) -> Branch:
        used = {each.id for part in body for each in ast.walk(part) if isinstance(each, ast.Name)}
        names = sorted(filter(is_parameter, used), key=lambda name: (name != "self", name))
        before, self._owner = self._owner, owner
        with self._scope(may_leave=False):
            made = self._body([_Ended().visit(each) for each in body])
        self._owner = before
        args = ast.arguments(
            posonlyargs=[], args=[ast.arg(each) for each in names], kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        function = _function()
        function.args, function.body = args, made or function.body
        code = self.code(ast.Module([function], []))
        return Branch(next(each for each in code.co_consts if isinstance(each, CodeType)), names)


def _test(node: Branching) -> ast.expr:
    """What decides between the branches, as a condition that tells something of all names in it."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return node.test
    if isinstance(node, ast.BoolOp):
        return node.values[0]
    names = [ast.Name(each, ast.Load()) for each in Changes([case.pattern for case in node.cases]).names]
    told = [node.subject, *names, *(each.guard for each in node.cases if each.guard is not None)]
    return placed(ast.Call(ast.Name("__match__", ast.Load()), told, []), node.subject)


def _bodies(node: Branching) -> list[Sequence[ast.stmt]]:
    """The branches: of an expression, as statements."""
    if isinstance(node, ast.If):
        return [node.body, node.orelse]
    if isinstance(node, ast.While):
        return [node.body]
    if isinstance(node, ast.BoolOp):
        rest = node.values[1] if len(node.values) == 2 else ast.BoolOp(node.op, node.values[1:])
        bodies: list[Sequence[ast.stmt]] = [[placed(ast.Expr(placed(rest, node)), node)], []]
        return bodies if isinstance(node.op, ast.And) else bodies[::-1]
    if isinstance(node, ast.Match):
        return [each.body for each in node.cases]
    return [[placed(ast.Expr(each), each)] for each in (node.body, node.orelse)]


def _compared(test: ast.expr) -> Iterator[ast.expr]:
    """What a condition compares that it does not state there."""
    for node in ast.walk(test):
        for each in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
            if not isinstance(each, ast.Constant):
                yield each


def _function() -> ast.FunctionDef:
    """A function with whatever parts functions have in this version of Python."""
    function = ast.parse("def branch(): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


class _Ended(ast.NodeTransformer):
    """Ends a function where statements would leave the loop around it."""

    def _kept(self, node: ast.stmt) -> ast.stmt:
        return node

    visit_For = visit_While = visit_AsyncFor = visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _kept  # noqa: N815

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """End it where a generator would yield an item."""
        if not isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            return node
        return placed(ast.Return(node.value.value), node)

    def _ended(self, node: ast.stmt) -> ast.stmt:
        return placed(ast.Return(ast.Constant(None)), node)

    visit_Break = visit_Continue = _ended  # noqa: N815


def _leaves(node: ast.If) -> bool:
    """Whether one of two branches ends the function or the pass of a loop."""
    return _is_left(node.body) is not _is_left(node.orelse)


def _is_left(branch: Sequence[ast.stmt]) -> bool:
    return bool(branch) and isinstance(branch[-1], (ast.Break, ast.Continue, ast.Return))


def _may_fail(statement: ast.stmt) -> bool:
    is_raised = isinstance(statement, ast.Raise)
    return not is_raised and any(isinstance(each, _FAILING) or _unpacks(each) for each in nodes_in([statement]))


def _unpacks(node: ast.AST) -> bool:
    """Whether a statement assigns the items of a value, of which there may be more or fewer than names."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(each, (ast.List, ast.Tuple)) for each in targets)
