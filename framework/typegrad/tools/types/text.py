"""Annotated files and notebooks as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve
from rich.text import Text

from typegrad.tools.types.annotating import Annotation
from typegrad.tools.types.notebooks import Notebook

__all__ = ["annotated", "annotated_cells"]

_STYLE: Final = "cyan"
_CELL: Final = "# %% cell {}\n"
"""What editors take for the start of a cell."""


def annotated(text: str, annotations: Sequence[Annotation]) -> Text:
    """A file's text, with each annotation as a comment behind the last line of its statement."""
    behind: dict[int, list[str]] = {}
    for each in annotations:
        behind.setdefault(each.end_line, []).append(each.text)
    made = Text()
    for number, line in enumerate(text.splitlines(), start=1):
        made.append(line)
        if number in behind:
            made.append("  ").append(f"# {'; '.join(behind[number])}", style=_STYLE)
        made.append("\n")
    return made


def annotated_cells(notebook: Notebook, annotations: Sequence[Annotation]) -> Text:
    """The cells of a notebook, with annotations of the notebook's text."""
    placed = [(notebook.place(each.end_line), each) for each in annotations]
    made = Text()
    for number, cell in enumerate(notebook.cells, start=1):
        own = [evolve(each, end_line=line) for (place, line), each in placed if place == number]
        made.append(_CELL.format(number), style="dim").append(annotated(cell, own))
    return made
