"""The Markdown of the project: guides, pages on single subjects, the registry's reference, the changelog."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from attrs import frozen
from markupsafe import Markup

from typegrad_codegen.bundled import project_file
from typegrad_codegen.schema import OpSpec
from typegrad_reference.guides import checking as guides
from typegrad_reference.guides.pages import Code, Output, Page, PageError, Picture, Prose, read
from typegrad_reference.site import markup
from typegrad_reference.site.context import Context

__all__ = ["Document", "documents", "mentions", "of_operation"]


@frozen
class Document:
    """One page of Markdown."""

    file: str
    """Where it stands in the project: links in it are relative to that."""
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
        after = self.page.source.partition("\n# ")[2] or self.page.source
        paragraphs = [text for text in after.split("\n\n")[1:] if text and text[0] not in "#`|<-!"]
        return " ".join(paragraphs[0].split()) if paragraphs else ""

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


_GUIDES: Final = 4
"""So many guides at most are named on the page of an operation: those that speak of it most."""

_PAGES: Final = (
    ("docs/static-shapes.md", "Guides", "guides/static-shapes.html"),
    ("docs/examples/README.md", "Guides", "guides/examples.html"),
    ("ops/README.md", "Project", "project/registry.html"),
    ("framework/README.md", "Project", "project/framework.html"),
    ("framework/typegrad/gradients/README.md", "Project", "project/gradients.html"),
    ("framework/typegrad/session/README.md", "Project", "project/session.html"),
    ("framework/typegrad/checkpoint/README.md", "Project", "project/checkpoint.html"),
    ("codegen/README.md", "Project", "project/codegen.html"),
    ("codegen/typegrad_reference/README.md", "Project", "project/reference.html"),
    ("CHANGELOG.md", "Project", "project/changelog.html"),
)
"""Pages besides the guides."""


def documents(problems: list[str]) -> list[Document]:
    """All pages, those with pictures run."""
    try:
        found = [
            _run(f"docs/guides/{page.path.name}", f"guides/{page.name}.html", page, problems, section="Guides")
            for page in guides.load(project_file("docs/guides"))
        ]
    except PageError as error:
        problems.append(str(error))
        found = []
    return [*found, *(Document(file, address, section, _plain(project_file(file))) for file, section, address in _PAGES)]


def of_operation(op: OpSpec, address: str, problems: list[str]) -> Document | None:
    """The page that an entry names, with its programs run; None if it names none."""
    if not op.page:
        return None
    return _run(f"ops/{op.page}", address, read(project_file(f"ops/{op.page}")), problems, section="Operations")


def mentions(op: OpSpec, found: Iterable[Document]) -> list[Document]:
    """The guides that speak of an operation or use it, in their order."""
    name = re.compile(rf"\b{op.group}\.{op.class_name}\b|`{op.class_name}[`(]")
    counted = {document: len(name.findall(document.page.source)) for document in found if document.section == "Guides"}
    most = sorted(counted.values(), reverse=True)[:_GUIDES]
    speaking = [document for document, times in counted.items() if times and times >= most[-1]]
    return speaking[:_GUIDES]


def _run(file: str, address: str, page: Page, problems: list[str], *, section: str) -> Document:
    if any(isinstance(block, Picture) for block in page.blocks):
        try:
            page = guides.run(page, draw="typegrad.pictures:figure")
        except PageError as error:
            problems.append(f"{file}: {error}")
    return Document(file, address, section, page)


def _plain(path: Path) -> Page:
    """A page that keeps no conventions: all of it is prose."""
    text = path.read_text(encoding="utf-8")
    return Page(path, (Prose(text),))
