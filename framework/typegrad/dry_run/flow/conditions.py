"""What a condition may tell of the values in its branches, besides that the program comes to them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

from typegrad.dry_run.functions.instead import is_session
from typegrad.dry_run.known.unsized import Unsized
from typegrad.dry_run.source.aliases import last_name
from typegrad.dry_run.tracking.memory import CONTAINERS

__all__ = ["told_by"]

_OF_VALUES: Final = frozenset(("abs", "all", "any", "bool", "float", "int", "max", "min", "round", "sum"))
"""The functions of Python that tell nothing of an array but its values."""
_MODULES_OF_VALUES: Final = ("math", "numpy", "random")
_OF_SHAPES: Final = ("dtype", "ndim", "rank", "shape", "size")
_PLAIN: Final = (bool, int, float, str, tuple, type(None))


def told_by(test: ast.expr, value_of: Callable[[ast.expr], Any]) -> set[str]:
    """The names and attributes of which a condition may tell what a dry run knows otherwise.

    It compares them, or their shapes, with what is not known, or passes them to a function that may tell anything.
    `value_of` tells the value of a name or an attribute, as far as it is known.
    """
    return {name for node in ast.walk(test) if isinstance(node, ast.expr) for name in _told_by(node, value_of)}


def _told_by(node: ast.expr, value_of: Callable[[ast.expr], Any]) -> Iterator[str]:
    if isinstance(node, ast.Call):
        parts = (*node.args, *(each.value for each in node.keywords))
        if last_name(node.func) == "len":
            parts = tuple(each for each in parts if not _has_any_length(value_of(each)))
        if not _is_of_values(node.func, value_of):
            yield from (name for each in parts for name in _names_in(each))
    elif isinstance(node, ast.Attribute) and node.attr in _OF_SHAPES and _may_be_shaped(value_of(node.value)):
        if node.attr != "size" or not _has_any_length(value_of(node.value)):
            yield from _names_in(node.value)
    elif isinstance(node, (ast.Name, ast.Attribute)) and type(value_of(node)) in _PLAIN:
        yield last_name(node)


def _has_any_length(value: Any) -> bool:
    """Whether a length tells nothing that is known of a value: of a list, or of an array of any number of rows."""
    is_open = isinstance(value, Unsized) and all(sizes[:1] == (None,) for _, sizes in value.kinds())
    return is_open or isinstance(value, CONTAINERS)


def _may_be_shaped(value: Any) -> bool:
    """Whether a value may be an array or an operand; None for one that is not known."""
    return value is None or type(value).__module__.partition(".")[0] in ("numpy", "typegrad")


def _is_of_values(function: ast.expr, value_of: Callable[[ast.expr], Any]) -> bool:
    """Whether a function tells nothing of an array but its values."""
    root = function
    if isinstance(function, ast.Attribute) and is_session(value_of(function.value)):
        return True
    while isinstance(root, ast.Attribute):
        root = root.value
    module = value_of(root)
    if isinstance(module, ModuleType) and root is not function:
        return module.__name__.partition(".")[0] in _MODULES_OF_VALUES
    return isinstance(function, ast.Name) and function.id in _OF_VALUES


def _names_in(part: ast.expr) -> Iterator[str]:
    return (last_name(each) for each in ast.walk(part) if isinstance(each, (ast.Name, ast.Attribute)))
