"""The nodes of a file's tree. mypy's own visitors are compiled, and cannot be subclassed here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import Node

__all__ = ["nodes_of"]

_PARTS: Final = (
    "defs", "items", "func", "arguments", "initializer", "decorators", "subject", "patterns", "lvalues", "lvalue",
    "target", "rvalue", "callee", "args", "expr", "exprs", "left", "right", "operands", "cond", "if_expr", "else_expr",
    "base", "index", "begin_index", "end_index", "stride", "generator", "left_expr", "key", "value", "indices",
    "sequences", "condlists", "msg", "body", "handlers", "bodies", "else_body", "finally_body",
)  # fmt: skip
"""The attributes in which nodes hold the nodes inside them. Those that refer to definitions are not among them."""


def nodes_of(node: Node) -> Iterator[Node]:
    """The node and all nodes inside it."""
    yield node
    for name in _PARTS:
        for child in _flat(getattr(node, name, None)):
            yield from nodes_of(child)


def _flat(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _flat(each)
