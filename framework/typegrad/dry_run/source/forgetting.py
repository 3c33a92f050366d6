"""What a rewritten program does behind code that was not run, or not as often as it may be.

It binds the names that the code assigns to what is known of them behind it, and tells a `Machine` what else the code
may change, and where it may lead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.util import resolve_name
from typing import Final, TypeAlias

from typegrad.dry_run.source.changes import Assignment, Changes, changed_names
from typegrad.dry_run.source.expressions import ExpressionRewriter, later, of_machine
from typegrad.dry_run.source.private_names import parsed
from typegrad.dry_run.source.scopes import local_names
from typegrad.dry_run.source.trees import placed

__all__ = ["UNCERTAIN", "ForgettingRewriter"]

UNCERTAIN: Final = "__uncertain__"
"""A local name: in a tuple, what is known of what the function may have returned already."""
_Assigned: TypeAlias = Mapping[str, Sequence[Assignment | None]]
"""Names, each with the statement of each branch that assigns it; None for a branch that does not."""
_NOTHING: Final[_Assigned] = {}


class ForgettingRewriter(ExpressionRewriter):
    """Makes the statements behind branches, loops and other code that may run or not."""

    def _kept(
        self, changes: Changes, outcomes: Sequence[Sequence[ast.stmt]], *, is_begun: bool = False
    ) -> tuple[_Assigned, list[ast.Return]]:
        """What branches assign and return that is looked at if it is not known which one runs, or has begun to."""
        if self._is_in_class:
            return {}, []
        assigned = {
            name: values
            for name, values in changes.assigned(outcomes, is_begun=is_begun).items()
            if self._can_move(*(each for each in values if isinstance(each, ast.stmt)))
        }
        returned = changes.returned(outcomes) if self._functions[-1] else []
        return assigned, returned if self._can_move(*returned) else []

    def _forgetting(
        self,
        changes: Changes,
        node: ast.stmt,
        *,
        leaving: Sequence[ast.AST] | None = None,
        assigned: _Assigned = _NOTHING,
        returned: Sequence[ast.Return] = (),
        forgotten: Sequence[ast.expr] = (),
    ) -> list[ast.stmt]:
        """Statements behind code that was not run, or not as often as it may be.

        Args:
            changes: What the code may change.
            node: The statement that it belongs to.
            leaving: Which part of it may leave the loop around, if not all of it.
            assigned: Its names of which something is known, with the statements that assign them.
            returned: The statements by which it ends the function, if something is known of the values.
            forgotten: What the machine is told of what it may change, if not all of that.

        """
        unknown = of_machine("unknown")
        result: list[ast.stmt] = [*map(ast.Expr, [*self._aliased(changes, node), *self._adding(changes, node)])]
        result += self._lost(name for name in changes.names if name not in assigned)
        result += map(ast.Expr, forgotten or self._forgotten(changes, node))
        for name, statements in assigned.items():
            result.append(ast.Assign([ast.Name(name, ast.Store())], self._behind(name, statements, node)))
        result += map(ast.Expr, self._leaving(changes, changes if leaving is None else Changes(leaving), node))
        if changes.yields or (self._is_generator and changes.returns):  # so that nothing is known of the items
            result.append(ast.Expr(self._ask("certain", node, unknown)))
        if self._functions[-1] and changes.returns:
            values = [later(each.value or ast.Constant(None)) for each in returned]
            known = self._ask("may_return", node, ast.Name(UNCERTAIN, ast.Load()), *values)
            result.append(ast.Assign([ast.Name(UNCERTAIN, ast.Store())], known))
        return [placed(each, node) for each in result]

    def _lost(self, names: Iterable[str]) -> list[ast.stmt]:
        """Statements behind which the values of names are not known."""
        unknown = of_machine("unknown")
        return [ast.Assign([ast.Name(name, ast.Store())], unknown) for name in sorted(names)]

    def _aliased(self, changes: Changes, node: ast.stmt) -> list[ast.expr]:
        """What the machine is told of lists and the like that the program may change by a name that is lost."""
        pairs = [(name, path) for name, path in changes.aliases if name in self._changed_names]
        both = [each for name, path in pairs for each in (path, ast.Name(name, ast.Load()))]
        return [self._ask("forget_items", node, *map(later, both))] if both else []

    def _adding(self, changes: Changes, node: ast.stmt) -> Sequence[ast.expr]:
        """What the machine is told of the operands that code may make others of."""
        dicts = [name for name in changes.keys if self._is_confined(name, node)]
        kept = changes.kept(dicts)
        asked = [self._ask("may_add", node, *map(ast.Constant, kept))] if kept else []
        for function, names in changes.passed(dicts):
            called = later(self._method_of(function, node) or of_machine("unknown"))
            asked.append(self._ask("may_add_by", node, called, *map(ast.Constant, names)))
        return asked

    def _is_confined(self, name: str, node: ast.stmt) -> bool:
        """Whether all that has a name there is in one statement."""
        first, last = node.lineno, node.end_lineno or node.lineno
        lines = [each for each in self._lines_of.get(name, ()) if each[0] <= last and each[-1] >= first]
        return all(first <= each[0] and each[-1] <= last for each in lines)

    @cached_property
    def _lines_of(self) -> Mapping[str, Sequence[Sequence[int]]]:
        """The lines where each name is: for the functions that have one of their own, those of each."""
        tree = parsed("\n".join(self._lines))
        names = local_names([tree])
        found: dict[str, dict[str, list[int]]] = {}
        for each in ast.walk(tree):
            if isinstance(each, ast.Name):
                found.setdefault(each.id, {}).setdefault(names.get(id(each), each.id), []).append(each.lineno)
        return {name: [*map(sorted, lines.values())] for name, lines in found.items()}

    @cached_property
    def _changed_names(self) -> frozenset[str]:
        return changed_names(parsed("\n".join(self._lines)))

    def _forgotten(self, changes: Changes, node: ast.stmt) -> list[ast.expr]:
        """What the machine is told of what code may change, besides names."""
        unknown = of_machine("unknown")
        lines = [ast.Constant(each) for each in (self._path, node.lineno, node.end_lineno)]
        asked: list[ast.expr] = [self._ask("lose", node, *lines)]
        if changes.read:
            asked.append(self._ask("forget_read", node, *map(ast.Constant, changes.read)))
        if changes.imports:
            names = [resolve_name(each, self._package) if each.startswith(".") else each for each in changes.imports]
            asked.append(self._ask("may_import", node, *map(ast.Constant, names)))
        asked += [self._ask("forget", node, later(each)) for each in changes.objects]
        for functions, *reached in changes.calls:
            called = ast.Tuple([later(self._method_of(each, node) or unknown) for each in functions], ast.Load())
            passed, read = (ast.Tuple([*map(later, each)], ast.Load()) for each in reached)
            asked.append(self._ask("forget_calls", node, called, passed, read))
        for owner, attribute in changes.attributes:
            asked.append(self._ask("forget_attribute", node, later(owner), ast.Constant(attribute)))
        return asked

    def _method_of(self, function: ast.expr | None, node: ast.stmt) -> ast.expr | None:
        """A function that code calls, or what the machine knows of a method of a result."""
        return self._ask("method_of", node, function.func) if isinstance(function, ast.Call) else function

    def _leaving(self, changes: Changes, outer: Changes, node: ast.stmt) -> list[ast.expr]:
        """What the machine is told of code that may raise an error, or leave the function or the loop around."""
        asked: list[ast.expr] = [self._ask("unsure", node)] if changes.raises else []
        if changes.returns or (self._loops and (outer.leaves_pass or outer.leaves_loop)):
            asked.append(self._ask("mute", node))
        if self._loops and (changes.returns or outer.leaves_loop):
            asked.append(self._ask("leave", node, ast.Constant(self._loops[-1])))
        elif self._loops and outer.leaves_pass:
            asked.append(self._ask("loosen", node, ast.Constant(self._loops[-1])))
        return asked

    def _behind(self, name: str, statements: Sequence[Assignment | None], node: ast.stmt) -> ast.expr:
        """What a name has behind branches that assign it, or do not."""
        read = ast.Name(name, ast.Load())
        made = [read if each is None or each.value is None else each.value for each in statements]
        return self._ask("behind", node, *map(later, [read, *made]))
