"""Annotated files and coverage as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from typegrad.tools.types.annotating import Annotation

__all__ = ["annotated"]

_STYLE: Final = "cyan"


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
