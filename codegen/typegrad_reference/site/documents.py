"""The Markdown of the project: guides, pages on single subjects, the registry's reference, the changelog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final

from attrs import frozen
from markupsafe import Markup

from typegrad_codegen.schema import Entry
from typegrad_reference.guides.listed import ListedPage, listed
from typegrad_reference.guides.pages import Code, Output, Page, PageError, Picture
from typegrad_reference.guides.programs import run
from typegrad_reference.site import markup
from typegrad_reference.site.context import Context

__all__ = ["Document", "document", "documents", "mentions"]


@frozen
class Document:
    """One page of Markdown."""

    file: str
    """Its path in the project, to which its links are relative."""
    address: str
    section: str
    page: Page

    @property
    def title(self) -> str:
        """The first heading."""
        return self.page.title.replace("`", "")

    @property
    def summary(self) -> str:
        """The first paragraph."""
        return self.page.summary

    def html(self, context: Context, shift: int = 0) -> Markup:
        """The page: prose, code, what code prints, pictures. Its headings go `shift` levels deeper."""
        return Markup("").join(self._block(block, context, shift) for block in self.page.blocks)

    def _block(self, block: object, context: Context, shift: int) -> Markup:
        if isinstance(block, Code):
            return markup.code_block(context, block.text, block.language)
        if isinstance(block, Output):
            return markup.code_block(context, block.text, "text")
        if isinstance(block, Picture):
            return Markup(block.drawing)
        return context.markdown(getattr(block, "text", ""), file=self.file, shift=shift)


_NAME: Final = re.compile(r"\b(?=(\w+\.[A-Z]\w*)\b)|`(\w+)[`(]")
_GUIDES: Final = 4
"""How many guides the page of an operation names at most: the ones that mention it most often."""


def documents(problems: list[str]) -> list[Document]:
    """All pages except the ones about operations; a page with pictures is run."""
    try:
        return [document(each, problems) for each in listed()]
    except PageError as error:
        problems.append(str(error))
        return []


def document(each: ListedPage, problems: list[str]) -> Document:
    """A page, run if it has pictures."""
    page = each.page
    if any(isinstance(block, Picture) for block in page.blocks):
        try:
            page = run(page, draw="typegrad.tools.pictures:figure")
        except PageError as error:
            problems.append(f"{each.file}: {error}")
    return Document(each.file, each.address, each.section, page)


def mentions(op: Entry, documents: Iterable[Document]) -> list[Document]:
    """The guides that mention an operation most often, in their order."""
    names = (f"{op.group}.{op.class_name}", op.class_name)
    guides = (each for each in documents if each.section == "Guides")
    counts = {guide: sum(_names(guide.page.source)[name] for name in names) for guide in guides}
    most = sorted(counts.values(), reverse=True)[:_GUIDES]
    return [guide for guide, count in counts.items() if count and count >= most[-1]][:_GUIDES]


@cache
def _names(text: str) -> Counter[str]:
    """How often a text has each name of a module and a class, `math.Add`, or of a class as code of its own: `Add`."""
    return Counter(module or alone for module, alone in _NAME.findall(text))
