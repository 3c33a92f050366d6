"""A class, a function or a method of the Python API in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, RenderableType

from typegrad_reference.entries.api import Described, Entry, Member
from typegrad_reference.entries.docstrings import Docstring, Item
from typegrad_reference.terminal.style import INDENT, Style, put_sections

__all__ = ["describe_api"]


def describe_api(console: Console, name: str, described: Described) -> None:
    """Print everything about what has this dotted name."""
    put_sections(console, _sections(Style(console), name, described))


def _sections(style: Style, name: str, described: Described) -> Iterator[tuple[str, RenderableType]]:
    """Title and body of each section that has something to say; the first ones have no title."""
    doc = described.doc
    yield "", style.code("\n".join((f"# {name}", *described.signatures)))
    yield "", style.prose(f"\n{_text(doc)}", style.width + INDENT)
    members: Iterable[Member] = described.members if isinstance(described, Entry) else ()
    fields = described.fields if isinstance(described, Entry) else ()
    listed = {
        "Parameters": _items(doc.parameters),
        "Returns": [("", doc.returns)] if doc.returns else [],
        "Errors": _items(doc.errors),
        "Attributes": [(field, f"`{type_}`. {' '.join(text.split())}") for field, type_, text in fields],
        "Members": [(member.name, _brief(member)) for member in members],
    }
    for title, rows in listed.items():
        table = style.table(rows)
        if table is not None:
            yield title, table


def _text(doc: Docstring) -> str:
    return "\n\n".join(part for part in (doc.summary, doc.body) if part)


def _items(items: Sequence[Item]) -> list[tuple[str, str]]:
    return [(item.name, item.doc) for item in items]


def _brief(member: Member) -> str:
    signature = f"`{' '.join(member.signatures[0].split())}`. " if len(member.signatures) == 1 else ""
    return signature + member.doc.summary
