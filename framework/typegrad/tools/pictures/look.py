"""The look of marks in Graphviz and Mermaid. The viewer in the browser has its own style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from typegrad.tools.pictures.marks import Mark

__all__ = ["LOOKS", "Look", "look"]


@frozen
class Look:
    """The colours of a box. Its shape and style carry the same information."""

    border: str
    inside: str
    width: float = 1
    dashed: bool = False


LOOKS: Final[Mapping[Mark, Look]] = {
    "path": Look("#1d4ed8", "#dbe7ff", width=2.5),
    "stop": Look("#b42318", "#fde7e4", width=2),
    "masked": Look("#6b7280", "#f1f2f4", dashed=True),
    "added": Look("#8a5a00", "#fff3d6"),
}
"""The look of each mark; a box gets the look of its first mark in this order."""


def look(marks: Sequence[Mark]) -> Mark | None:
    """The mark that determines the look of a box, if any."""
    return next((mark for mark in LOOKS if mark in marks), None)
