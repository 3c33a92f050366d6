"""How marks look in the languages that only know boxes and arrows. The viewer in the browser has its own style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from typegrad.tools.pictures.marks import Mark

__all__ = ["LOOKS", "Look", "look"]


@frozen
class Look:
    """Colours of a box; shape and style tell the same without colours."""

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
"""A box has the look of the first of these marks that it has."""


def look(marks: Sequence[Mark]) -> Mark | None:
    """The mark that a box looks like, if any."""
    return next((mark for mark in LOOKS if mark in marks), None)
