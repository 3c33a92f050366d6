"""What is in syntax trees, which are looked through several times before a program is followed.

Contexts and operators (`Load`, `Add`) are left out. They are nearly half of the nodes, and have no parts.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

__all__ = ["Transformer", "children", "locate", "nodes_of"]

_PLAIN: Final = frozenset((
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module",
    "op", "ops", "rest", "simple", "type_comment", "type_ignores",
))  # fmt: skip
"""The fields that have no nodes, or contexts and operators."""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right in a node."""
    found: list[ast.AST] = []
    _collect(node, found)
    return found


def nodes_of(*trees: ast.AST) -> list[ast.AST]:
    """All nodes of some trees, each before those in it."""
    nodes = [*trees]
    for each in nodes:
        _collect(each, nodes)
    return nodes


def locate(tree: ast.AST) -> None:
    """Give the nodes that have no place the one of what is around them, as `ast.fix_missing_locations` does."""
    nowhere: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
    waiting = [(tree, nowhere)]
    while waiting:
        node, around = waiting.pop()
        known = vars(node)
        if "lineno" not in known:
            known["lineno"], known["col_offset"] = around["lineno"], around["col_offset"]
            known["end_lineno"], known["end_col_offset"] = around["end_lineno"], around["end_col_offset"]
        waiting += [(each, known) for each in children(node)]


class Transformer(ast.NodeTransformer):
    """Replaces nodes, each by another one or a list of statements, as `ast.NodeTransformer` does."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Replace the parts of a node."""
        for field in _with_nodes(node._fields):
            value = getattr(node, field, None)
            if type(value) is list:
                value[:] = [made for each in value for made in self._replaced(each)]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def _replaced(self, part: Any) -> list[Any]:
        made = self.visit(part) if isinstance(part, ast.AST) else part
        return made if type(made) is list else [made]


def _collect(node: ast.AST, found: list[ast.AST]) -> None:
    for field in _with_nodes(node._fields):
        value = getattr(node, field, None)
        if type(value) is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)


@cache
def _with_nodes(fields: tuple[str, ...]) -> Sequence[str]:
    return [each for each in fields if each not in _PLAIN]
