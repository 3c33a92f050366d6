"""Names that only their class has: `self.__size` in `class Model` is `self._Model__size`, as Python compiles it."""

from __future__ import annotations

import ast
import re
from typing import Final

__all__ = ["parsed"]

_PRIVATE: Final = re.compile(r"\b__(?!\w*__\b)\w+")
_FIELDS: Final = ("arg", "asname", "attr", "id", "name")
"""What has names, except in the keywords of calls, which stay as they are, and in imports."""


def parsed(text: str) -> ast.Module:
    """The syntax of a module, with such names as Python knows them: its functions are compiled without their class."""
    tree = ast.parse(text)
    if _PRIVATE.search(text):
        _rename(tree, "")
    return tree


def _rename(node: ast.AST, owner: str) -> None:
    """Rename what is in a node, which is in the class `owner`."""
    inside = node.name.lstrip("_") if isinstance(node, ast.ClassDef) else owner
    body = node.body if isinstance(node, ast.ClassDef) else ()
    for each in ast.iter_child_nodes(node):
        _rename(each, inside if any(each is statement for statement in body) else owner)
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        node.names = [_known(name, owner) for name in node.names]
    for field in () if isinstance(node, ast.keyword) else _FIELDS:
        name = getattr(node, field, None)
        if isinstance(name, str) and not (isinstance(node, ast.alias) and field == "name"):
            setattr(node, field, _known(name, owner))


def _known(name: str, owner: str) -> str:
    return f"_{owner}{name}" if owner and _PRIVATE.fullmatch(name) else name
