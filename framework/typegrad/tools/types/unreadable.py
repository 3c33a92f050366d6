"""Cells that Python cannot read: the others are checked as far as they do not need what these bind."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import Final

from typegrad.tools.types.magics import ANYTHING, of_anything

__all__ = ["of_unknown_names", "readable"]

_BOUND: Final = (
    re.compile(r"^\s*([\w\s,.*()\[\]]+?)\s*(?::[^=\n]+)?(?:[-+*/@%&|^]|//|\*\*|<<|>>)?=(?!=)"),
    re.compile(r"\b(?:def|class|as|import)\s+([\w, ]+)"),
    re.compile(r"\bfor\s+([\w\s,.*()\[\]]+?)\s+in\b"),
    re.compile(r"(\w+)\s*:="),
)
"""Where names are that a line may bind."""
_NAME: Final = re.compile(r"(?<![\w.])[^\W\d]\w*")
_LINE: Final = re.compile(r"\bline (\d+)\b")


def readable(lines: Sequence[str], first: int) -> Sequence[str]:
    """The lines of a cell if Python can read them; else a statement after which what they bind is unknown.

    The statement is in the line of the error, which the plugin reports there. `first` is the line at which the cell
    begins in the text of the notebook.
    """
    try:
        ast.parse("\n".join(lines))
    except SyntaxError as error:
        line, why = error.lineno or 1, error.msg
    except ValueError as error:  # of a null character
        line, why = 1, str(error)
    else:
        return lines
    told = _LINE.sub(lambda found: f"line {int(found[1]) + first - 1}", why)
    statement = "; ".join([f"eval('None', {{{told!r}: None}})", *of_anything(list(dict.fromkeys(_bound(lines))))])
    place = min(line, len(lines)) - 1
    return [statement if number == place else "" for number in range(len(lines))]


def _bound(lines: Sequence[str]) -> Iterator[str]:
    """The names that the lines of a cell may bind."""
    for line in lines:
        for pattern in _BOUND:
            for found in pattern.finditer(line):
                yield from (each for each in _NAME.findall(found[1]) if each.isidentifier() and not iskeyword(each))


def of_unknown_names(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a notebook in which values and classes that are made of unknown names are unknown, too.

    mypy would take `T = TypeVar("T")` for a value, and find nothing of the fields of a dataclass.
    """
    made = list(lines)
    statements = ast.parse("\n".join(lines)).body
    places = [range(_first_line(each) - 1, each.end_lineno or each.lineno) for each in statements]
    taken = Counter(line for each in places for line in each)
    unknown: set[str] = set()
    for statement, place in zip(statements, places, strict=True):
        names = _names_of(statement)
        if isinstance(statement, ast.ImportFrom) and statement.module == ANYTHING:
            unknown.update(names)
        elif names and not unknown.isdisjoint(_needed(statement)) and all(taken[line] == 1 for line in place):
            unknown.update(names)
            made[place.start : place.stop] = [*of_anything(names), *[""] * (len(place) - 1)]
        else:
            unknown.difference_update(names)
    return made


def _first_line(statement: ast.stmt) -> int:
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(each.lineno for each in decorators)])


def _names_of(statement: ast.stmt) -> Sequence[str]:
    """The names that a statement certainly binds."""
    match statement:
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return [statement.name]
        case ast.Import() | ast.ImportFrom():
            return [each.asname or each.name.partition(".")[0] for each in statement.names]
        case ast.Assign() | ast.AnnAssign(value=ast.expr()):
            nodes = [*statement.targets] if isinstance(statement, ast.Assign) else [statement.target]
            targets = [each for node in nodes for each in ast.walk(node)]
            is_plain = all(isinstance(each, (ast.Name, ast.Tuple, ast.Store)) for each in targets)
            return [each.id for each in targets if isinstance(each, ast.Name)] if is_plain else []
        case _:
            return []


def _needed(statement: ast.stmt) -> Iterator[str]:
    """The names without which it is not known what kind of thing a statement binds its names to."""
    parts: list[ast.AST] = []
    if isinstance(statement, ast.Assign):
        parts = [statement.value]
    elif isinstance(statement, ast.ClassDef):
        parts = [*statement.bases, *statement.keywords, *statement.decorator_list]
    yield from (node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name))
