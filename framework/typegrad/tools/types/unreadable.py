"""Cells that Python cannot read: the others are checked without what they bind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import Final

__all__ = ["readable"]

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
    statement = " = ".join([*dict.fromkeys(_bound(lines)), f"eval('None', {{{told!r}: None}})"])
    place = min(line, len(lines)) - 1
    return [statement if number == place else "" for number in range(len(lines))]


def _bound(lines: Sequence[str]) -> Iterator[str]:
    """The names that the lines of a cell may bind."""
    for line in lines:
        for pattern in _BOUND:
            for found in pattern.finditer(line):
                yield from (each for each in _NAME.findall(found[1]) if not iskeyword(each))
