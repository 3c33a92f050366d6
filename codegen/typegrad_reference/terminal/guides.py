"""Hand-written pages in a terminal: guides, and the pages of single operations."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from typegrad.base.misspelt import nearest, plain
from typegrad_codegen.docs import filled
from typegrad_codegen.schema import Entry
from typegrad_codegen.unicode_math import formulas
from typegrad_reference.guides.listed import ListedPage, listed, of_operation
from typegrad_reference.terminal.style import Style, put

__all__ = ["contents", "markdown", "show_page"]


def show_page(console: Console, text: str) -> None:
    """Print Markdown."""
    if console.is_terminal:
        put(console, Style(console).prose(text))
    else:
        console.out(filled(formulas(text), console.width), highlight=False)  # lines of code are not broken


def contents() -> str:
    """A list of the guides, each with its name and what it is about."""
    guides = [each for each in listed() if each.section == "Guides"]
    return "# The guides\n\n" + "\n".join(f"- `{each.name}`: {each.page.sections[0].summary}" for each in guides)


def markdown(place: str, operations: Iterable[Entry]) -> str:
    """What a page says, or a section of it: "training", "training#watching".

    Raises:
        LookupError: There is no such page or section. The message says which there are.
    """
    name, _hash, anchor = place.partition("#")
    pages = {plain(each.name): each for each in _pages(operations)}
    page = pages.get(plain(name))
    if page is None:
        near = nearest(name, [each.name for each in pages.values()])
        guides = ", ".join(each.name for each in pages.values() if each.section == "Guides")
        remedy = f"did you mean {near}?" if near else f"the guides are {guides}"
        raise LookupError(f"no page is called {name!r}; {remedy}")
    try:
        return page.page.readable(anchor)
    except LookupError:
        anchors = ", ".join(section.anchor for section in page.page.sections[1:])
        raise LookupError(f"the page {page.name} has no section {anchor!r}; its sections are {anchors}") from None


def _pages(operations: Iterable[Entry]) -> Iterable[ListedPage]:
    yield from filter(None, map(of_operation, operations))
    yield from listed()
