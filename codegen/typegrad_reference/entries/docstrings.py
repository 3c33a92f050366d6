"""Parse docstrings in Google's form."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

__all__ = ["Docstring", "Item", "parse"]

_SECTION: Final = re.compile(r"^(Args|Raises|Returns|Yields):$")
_ITEM: Final = re.compile(r"^(\*{0,2}\w+): (.*)$")


@frozen
class Item:
    """A parameter or an error, and what is said of it."""

    name: str
    doc: str


@frozen
class Docstring:
    """What a docstring says."""

    summary: str
    body: str
    """Markdown."""
    parameters: Sequence[Item]
    returns: str
    errors: Sequence[Item]


def parse(text: str | None) -> Docstring:
    """Split a docstring into sections. Text outside of sections is the body."""
    lines = inspect.cleandoc(text or "").splitlines()
    body: list[str] = []
    sections: dict[str, list[str]] = {}
    current: list[str] = body
    for line in lines:
        header = _SECTION.match(line)
        if header:
            current = sections.setdefault(header[1], [])
        elif line and not line[0].isspace() and current is not body:
            current = body
            body.append(line)
        else:
            current.append(line)
    summary, rest = _summary(body)
    returned = inspect.cleandoc("\n".join(sections.get("Returns", sections.get("Yields", []))))
    return Docstring(summary, rest, _items(sections.get("Args", [])), returned, _items(sections.get("Raises", [])))


def _summary(body: list[str]) -> tuple[str, str]:
    end = next((number for number, line in enumerate(body) if not line.strip()), len(body))
    return " ".join(line.strip() for line in body[:end]), "\n".join(body[end:]).strip("\n")


def _items(lines: list[str]) -> list[Item]:
    items: list[Item] = []
    for line in inspect.cleandoc("\n".join(lines)).splitlines():
        match = _ITEM.match(line)
        if match:
            items.append(Item(match[1], match[2]))
        elif items:
            items[-1] = Item(items[-1].name, f"{items[-1].doc} {line.strip()}".strip())
    return items
