"""What is in syntax trees, which are looked through several times before a program is followed.

Contexts and operators (`Load`, `Add`) are left out. They are nearly half of the nodes, and have no parts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, TypeVar, overload

__all__ = ["Nodes", "Transformer", "children", "is_range", "locate", "nodes_of", "placed"]

_Node = TypeVar("_Node", bound=ast.AST)
_Other = TypeVar("_Other", bound=ast.AST)
_PLAIN: Final = frozenset((
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module",
    "name", "op", "ops", "rest", "simple", "type_comment", "type_ignores",
))  # fmt: skip
"""The fields that have no nodes, or contexts and operators."""
_LEAVES: Final = (ast.Constant, ast.Global, ast.MatchSingleton, ast.Nonlocal)
"""What has no nodes, but fields with the names of those that have."""


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


class Nodes:
    """All nodes of some modules, by their classes."""

    def __init__(self, trees: Iterable[ast.Module]) -> None:
        """Look through the modules."""
        self.trees: Final = [*trees]
        self._of: Final[dict[type[ast.AST], list[Any]]] = {}
        for each in nodes_of(*self.trees):
            self._of.setdefault(type(each), []).append(each)

    @overload
    def of(self, first: type[_Node], /) -> Iterator[_Node]: ...
    @overload
    def of(self, first: type[_Node], second: type[_Other], /) -> Iterator[_Node | _Other]: ...
    @overload
    def of(self, *classes: type[ast.AST]) -> Iterator[Any]: ...
    def of(self, *classes: type[ast.AST]) -> Iterator[Any]:
        """The nodes of some classes."""
        return chain.from_iterable(self._of.get(each, ()) for each in classes)


def is_range(items: ast.expr) -> bool:
    """Whether a loop takes integers, which are no part of what they are counted by."""
    return isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id == "range"


def placed(node: _Node, other: ast.AST) -> _Node:
    """A node at the place of another one, as `ast.copy_location` returns it in twice the time."""
    known, own = vars(other), vars(node)
    if "lineno" in known:
        own["lineno"], own["col_offset"] = known["lineno"], known["col_offset"]
        own["end_lineno"], own["end_col_offset"] = known["end_lineno"], known["end_col_offset"]
    return node


def locate(tree: ast.Module) -> None:
    """Give the nodes that have no place the one of what is around them, as `ast.fix_missing_locations` does."""
    nowhere = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
    waiting: list[ast.AST] = [placed(tree, nowhere)]
    while waiting:
        node = waiting.pop()
        for each in children(node):
            if "lineno" not in vars(each):
                placed(each, node)
            if _FIELDS[type(each)]:
                waiting.append(each)


class Transformer(ast.NodeTransformer):
    """Replaces nodes, each by another one or a list of statements, as `ast.NodeTransformer` does."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Replace the parts of a node."""
        known = vars(node)
        for field in _FIELDS[type(node)]:
            value = known.get(field)
            if type(value) is list:
                value[:] = [made for each in value for made in self._replaced(each)]
            elif isinstance(value, ast.AST):
                known[field] = self.visit(value)
        return node

    def _replaced(self, part: Any) -> list[Any]:
        made = None if part is None else self.visit(part)
        return made if type(made) is list else [made]


def _collect(node: ast.AST, found: list[ast.AST]) -> None:
    fields = _FIELDS[type(node)]
    known = vars(node) if fields else {}
    for field in fields:
        value = known.get(field)
        if type(value) is not list:
            if value is not None:
                found.append(value)
        elif None in value:  # the key of `**defaults` in a dict
            found += [each for each in value if each is not None]
        else:
            found += value


class _Fields(dict[type[ast.AST], Sequence[str]]):
    """The fields that have nodes, by the class of the node that they are of."""

    def __missing__(self, class_: type[ast.AST]) -> Sequence[str]:
        plain = _PLAIN - {"name"} if class_.__name__ == "TypeAlias" else _PLAIN  # of Python 3.12
        self[class_] = [] if class_ in _LEAVES else [each for each in class_._fields if each not in plain]
        return self[class_]


_FIELDS: Final = _Fields()
