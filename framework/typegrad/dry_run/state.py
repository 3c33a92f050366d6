"""What of a program's values is its state: what it assigns or changes after it has made it.

A condition may tell in which state the program is. So nothing is known of the state in a branch whose condition is not
known: where `best` was None at first, it may be an array by then.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import Final

import attrs

__all__ = ["State", "last_name", "state_of"]

_MAKING: Final = frozenset(("__attrs_post_init__", "__init__", "__new__", "__post_init__"))
"""The methods that make an object."""
_CHANGING: Final = frozenset((
    "add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "fill", "insert", "partition", "pop",
    "popitem", "popleft", "put", "remove", "resize", "reverse", "rotate", "setdefault", "sort", "update",
))  # fmt: skip
"""The methods that change a list and the like."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class State:
    """The names of a program's state."""

    attributes: Collection[str]
    """The attributes that are assigned elsewhere than where the object is made."""
    containers: Collection[str]
    """The names, and the attributes, by which lists and the like are changed."""
    outer: frozenset[str]
    """The names that functions assign which are not their own."""
    reshaped: Collection[str] = ()
    """The names, and the attributes, by which arrays are given other shapes."""
    is_open: bool = False
    """Whether attributes are assigned whose names only a run knows."""

    def may_assign(self, name: str) -> bool:
        """Whether an attribute may be assigned elsewhere than where the object is made."""
        return self.is_open or name in self.attributes


def state_of(trees: Iterable[ast.AST]) -> State:
    """The state of a program of these modules."""
    nodes = [each for tree in trees for each in _nodes(tree)]
    attributes = {each.attr for each in nodes if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)}
    outer = frozenset(name for each in nodes if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names)
    reshaped = {last_name(path) for each in nodes for path in _reshaped(each)}
    containers = reshaped.union(filter(None, (last_name(path) for each in nodes for path in _changed(each))))
    while more := {name for name in _passed_on(nodes, containers) if name not in containers}:
        containers |= more
    is_open = any(last_name(each) in ("setattr", "__dict__") for each in nodes if isinstance(each, ast.expr))
    return State(attributes, containers, outer, reshaped, is_open)


def last_name(path: ast.expr) -> str:
    """The name of an attribute, or of a name; "" for another expression."""
    return path.attr if isinstance(path, ast.Attribute) else path.id if isinstance(path, ast.Name) else ""


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module, without the statements that make objects."""
    yield node
    is_making = isinstance(node, _Function) and node.name in _MAKING
    for each in ast.iter_child_nodes(node):
        if not is_making:
            yield from _nodes(each)
        elif isinstance(each, ast.stmt):
            yield from (inner for part in ast.walk(each) if isinstance(part, _Function) for inner in _nodes(part))


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """What a node changes the items of."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        yield node.func.value
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield node.value
    elif isinstance(node, ast.AugAssign):
        yield node.target


def _reshaped(node: ast.AST) -> Iterator[ast.expr]:
    """What array a node gives another shape."""
    if isinstance(node, ast.Attribute) and (node.attr == "resize" or _is_shape(node)):
        yield node.value


def _is_shape(node: ast.Attribute) -> bool:
    return node.attr in ("dtype", "shape") and not isinstance(node.ctx, ast.Load)


def _passed_on(nodes: Iterable[ast.AST], changed: Collection[str]) -> Iterator[str]:
    """What names are bound to by which something is changed: `h` to `self.history`, or a parameter to an argument."""
    functions = {each.name: each.args for each in nodes if isinstance(each, _Function)}
    for node in nodes:
        if isinstance(node, ast.Assign) and any(last_name(each) in changed for each in node.targets):
            yield last_name(node.value)
        elif isinstance(node, ast.Call) and last_name(node.func) in functions:
            own = functions[last_name(node.func)]
            names = {each.arg for each in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
            if not names.isdisjoint(changed):
                yield from filter(None, map(last_name, (*node.args, *(each.value for each in node.keywords))))
