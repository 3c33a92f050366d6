"""All Markdown pages of the reference, the guides and others, each with its address on the site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from attrs import frozen

from typegrad_codegen.bundled import project_file
from typegrad_codegen.schema import Entry
from typegrad_reference.entries.sources import in_registry
from typegrad_reference.guides.checking import load
from typegrad_reference.guides.pages import Page, Prose, read

__all__ = ["ListedPage", "address", "listed", "of_operation"]

_PAGES: Final = (
    ("docs/static-shapes.md", "Guides", "guides/static-shapes.html"),
    ("docs/examples/README.md", "Guides", "guides/examples.html"),
    ("framework/README.md", "Project", "project/framework.html"),
    ("ops/README.md", "Project", "project/registry.html"),
    ("codegen/README.md", "Project", "project/codegen.html"),
    ("framework/typegrad/graph/README.md", "Project", "project/graph.html"),
    ("framework/typegrad/differentiation/README.md", "Project", "project/differentiation.html"),
    ("framework/typegrad/session/README.md", "Project", "project/session.html"),
    ("framework/typegrad/files/checkpoint/README.md", "Project", "project/checkpoint.html"),
    ("framework/typegrad/arguments/README.md", "Project", "project/arguments.html"),
    ("framework/typegrad/mypy_plugin/README.md", "Project", "project/mypy-plugin.html"),
    ("framework/typegrad/dry_run/README.md", "Project", "project/dry-runs.html"),
    ("framework/typegrad/tools/cli/README.md", "Project", "project/command-line.html"),
    ("codegen/typegrad_checking/README.md", "Project", "project/checking.html"),
    ("codegen/typegrad_reference/README.md", "Project", "project/reference.html"),
    ("docs/guides/README.md", "Project", "project/guides.html"),
    ("CONTRIBUTING.md", "Project", "project/contributing.html"),
    ("CHANGELOG.md", "Project", "project/changelog.html"),
)
"""Pages besides the guides."""


@frozen
class ListedPage:
    """A page, with its path in the project and its address on the site."""

    file: str
    address: str
    section: str
    """"Guides", "Project" or "Operations"."""
    page: Page

    @property
    def name(self) -> str:
        """What `typegrad docs show` calls it: the last part of the address."""
        return PurePosixPath(self.address).stem


def listed() -> Iterator[ListedPage]:
    """All pages except those about operations, in order.

    Raises:
        PageError: A guide does not keep the conventions.
    """
    for page in load(project_file("docs/guides")):
        yield ListedPage(f"docs/guides/{page.path.name}", f"guides/{page.name}.html", "Guides", page)
    for file, section, where in _PAGES:
        yield ListedPage(file, where, section, _plain(project_file(file)))


def of_operation(op: Entry) -> ListedPage | None:
    """The page that an entry names; None if it names none. It is a part of the operation's own page."""
    if not op.page:
        return None
    return ListedPage(in_registry(op, op.page), address(op), "Operations", read(op.path.parent / op.page))


def address(op: Entry) -> str:
    """The page of an operation."""
    return f"ops/{op.group}/{op.class_name}.html"


def _plain(path: Path) -> Page:
    """A page that follows no conventions: all of it is prose."""
    return Page(path, (Prose(path.read_text(encoding="utf-8")),))
