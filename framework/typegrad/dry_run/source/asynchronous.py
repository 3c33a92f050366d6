"""Asynchronous functions, which are followed one after the other, as plain functions."""

from __future__ import annotations

import ast
from typing import Any, Final

from typegrad.dry_run.source.bodies import is_generator
from typegrad.dry_run.source.trees import Transformer, placed

__all__ = ["ASYNCHRONOUS", "ASYNCHRONOUS_ITEMS", "plain_function"]

ASYNCHRONOUS: Final = "__asynchronous__"
"""A local name of a program's asynchronous functions, which become generators that yield nothing."""
ASYNCHRONOUS_ITEMS: Final = "__asynchronous_items__"
"""A local name of its asynchronous generators, which become plain ones."""


def plain_function(function: ast.AsyncFunctionDef) -> tuple[ast.FunctionDef, ast.stmt]:
    """A function that takes its items in plain loops, and the statement that marks it once it is rewritten."""
    parts = {name: getattr(function, name) for name in function._fields}
    plain = placed(ast.FunctionDef(**parts), function)
    if is_generator(function):
        mark = ast.Assign([ast.Name(ASYNCHRONOUS_ITEMS, ast.Store())], ast.Constant(None))
    else:
        mark = ast.Assign([ast.Name(ASYNCHRONOUS, ast.Store())], ast.Yield())
    in_turn = _InTurn()
    plain.body = [in_turn.visit(each) for each in plain.body]
    return plain, placed(ast.If(ast.Constant(False), [mark], []), function)


class _InTurn(Transformer):
    """Replaces loops and comprehensions that wait for their items by others, which wait for the generator alone."""

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.For:
        self.generic_visit(node)
        parts: dict[str, Any] = {name: getattr(node, name) for name in node._fields}
        return placed(ast.For(**{**parts, "iter": _awaited(node.iter)}), node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        return ast.comprehension(node.target, _awaited(node.iter), node.ifs, 0) if node.is_async else node

    def _kept(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _kept  # noqa: N815


def _awaited(items: ast.expr) -> ast.expr:
    return placed(ast.Await(items), items)
