"""What mypy's errors about shapes with arithmetic end with: `[3*Batch] is not [4*Batch]`.

mypy writes types as annotations, `tuple[Times[Literal[3], Batch]]`, which hide which sizes differ.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from mypy.plugin import CheckerPluginInterface

from typegrad.base.annotations import FORMS
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, merge
from typegrad.base.size import combined
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.reporting import errors_of

__all__ = ["add_sizes", "shapes_in"]

_TYPES: Final = re.compile(r'(?:got|type) "(?P<given>.+)"[,;] (?:expected|variable has type) "(?P<expected>.+)"\)?$')
_KINDS: Final = {form.__name__: kind for form, kind in FORMS.items()}
_ARITHMETIC: Final = re.compile(rf"\b(?:{'|'.join(_KINDS)})\[")


def add_sizes(api: CheckerPluginInterface) -> None:
    """Say after errors about two types with arithmetic in their shapes which these shapes are."""
    checker = checker_of(api)
    for error in errors_of(checker):
        given, expected = shapes_in(error.message) if _ARITHMETIC.search(error.message) else (None, None)
        if given is not None and expected is not None and _differ(given, expected):
            error.message += f"; {given} is not {expected}"


def shapes_in(message: str) -> tuple[Shape | None, Shape | None]:
    """The shapes of an operand and of the one that is expected, as far as an error of mypy is about such."""
    types = _TYPES.search(message)
    return (None, None) if types is None else (_shape(types["given"]), _shape(types["expected"]))


def _differ(one: Shape, other: Shape) -> bool:
    try:
        merge(one, other)
    except ShapeError:
        return True
    return False


def _shape(text: str) -> Shape | None:
    """The shape of an operand's type as mypy writes it; None if there is none, or not all of it is understood."""
    try:
        type_ = ast.parse(text, mode="eval").body
        shape = _arguments(type_)[-1]
        return Shape(tuple(map(_dim, _arguments(shape)))) if _name(shape) == "tuple" else None
    except (IndexError, SyntaxError, TypeError, ValueError):
        return None


def _dim(node: ast.expr) -> Dim:
    if isinstance(node, ast.Name):
        return None if node.id in ("Any", "int") else node.id
    name, arguments = _name(node), _arguments(node)
    value = arguments[0].value if name == "Literal" and isinstance(arguments[0], ast.Constant) else None
    if isinstance(value, int):
        return value
    if name not in _KINDS:
        raise ValueError
    return combined(_KINDS[name], list(map(_dim, arguments)))


def _name(node: ast.expr) -> str:
    return node.value.id if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) else ""


def _arguments(node: ast.expr) -> list[ast.expr]:
    if not isinstance(node, ast.Subscript):
        raise ValueError
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
