"""What follows from definitions that mypy refuses: the fields of a class, a class method, the name of a size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, ClassDef, FuncDef, MypyFile, NameExpr

from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.names import parts_of_error

__all__ = ["is_of_header", "of_definitions"]

_OF_FIELDS: Final = re.compile(
    r"Non-default attributes not allowed after default|Attributes without a default cannot follow attributes with one"
)
_OF_CALL: Final = re.compile(r'(?: for| in call to) "(?P<called>\w+)"(?: of "(?P<owner>\w+)")?$')
"""What mypy says of a call with another number of arguments."""
_NOT_CALLABLE: Final = re.compile(r'^"\w+" not callable$')
_CLASS: Final = "cls"
"""What the first parameter of a class method is called."""
_CYCLIC: Final = re.compile(r'^Cannot resolve (?:name "(\w+)"|.*) \(possible cyclic definition\)$')
_NO_SIZE: Final = re.compile(r", but holds (\w+); the name of a size is a NewType of int$")


def of_definitions(checker: TypeChecker, errors: Iterable[ErrorInfo]) -> Iterator[ErrorInfo]:
    """The errors about what a definition defines of which another error tells."""
    mistakes = [each for each in errors if each.severity == "error"]
    yield from _of_fields(checker.tree, mistakes)
    yield from _of_class_methods(checker, mistakes)
    yield from _of_cycles(mistakes)


def is_of_header(tree: MypyFile, line: int, errors: Iterable[ErrorInfo]) -> bool:
    """Whether a line makes a class whose fields are refused, as one of these errors tells."""
    refused = [each for each in errors if _OF_FIELDS.match(each.message)]
    classes = (each for each in nodes_of(tree) if isinstance(each, ClassDef) and refused)
    return any(_start(each) <= line <= each.line and _holds(each, refused) for each in classes)


def _start(class_: ClassDef) -> int:
    return min([class_.line, *(each.line for each in class_.decorators)])


def _holds(node: ClassDef | FuncDef, errors: Iterable[ErrorInfo]) -> bool:
    return any(node.line <= each.line <= (node.end_line or node.line) for each in errors)


def _of_fields(tree: MypyFile, errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What mypy says of the calls of a class whose fields are in an order that no constructor has."""
    refused = [each for each in errors if _OF_FIELDS.match(each.message)]
    classes = (each for each in nodes_of(tree) if isinstance(each, ClassDef) and refused)
    names = {each.name for each in classes if _holds(each, refused)}
    yield from (each for each in errors if (called := _called(each)) and not called[1] and called[0] in names)


def _called(error: ErrorInfo) -> tuple[str, str | None] | None:
    """The function or class that is called with another number of arguments, and the class of a method."""
    found = _OF_CALL.search(error.message) if error.code is codes.CALL_ARG else None
    return None if found is None else (found["called"], found["owner"])


def _of_class_methods(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What mypy says of the calls of a class method without its decorator, of which an error in its body tells."""
    for error in errors:
        parts = parts_of_error(checker.tree, error) if _NOT_CALLABLE.match(error.message) else []
        callees = (each.callee for each in parts if isinstance(each, CallExpr))
        if any(isinstance(each, NameExpr) and each.name == _CLASS for each in callees):
            functions = (each for each in nodes_of(checker.tree) if isinstance(each, FuncDef) and each.info)
            for method in (each for each in functions if _holds(each, [error])):
                error.message = f"{error.message}; decorate {method.name} with @classmethod"
                called = method.name, method.info.name
                yield from (each for each in errors if _called(each) == called)


def _of_cycles(errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What is said of a name whose definition is refused, and of the names that are defined by it."""
    cyclic = [(each, found[1]) for each in errors if (found := _CYCLIC.match(each.message))]
    others = {each.line for each in errors if not _CYCLIC.match(each.message)}
    names = {name for each, name in cyclic if each.line in others}
    if names:
        yield from (each for each, _ in cyclic)
        yield from (each for each in errors if (size := _NO_SIZE.search(each.message)) and size[1] in names)
