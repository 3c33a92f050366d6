"""What every page needs: relative addresses, Markdown, mathematics, code, links to symbols and to source."""

from __future__ import annotations

import posixpath
import typing
from functools import cache
from pathlib import Path

from attrs import define, field, frozen
from markupsafe import Markup

from typegrad_codegen.bundled import project_file
from typegrad_reference.entries.sources import Place, Sources
from typegrad_reference.site import highlighting, markup

__all__ = ["Context", "Links"]


@define
class Links:
    """Where everything is: addresses from the root of the site."""

    symbols: dict[str, str] = field(factory=dict)
    """By name, with or without the module: "linalg.MatMul", "MatMul", "tg.Scope"."""
    files: dict[str, str] = field(factory=dict)
    """The page made from a file, by the file's path in the project: "ops/README.md"."""
    copied: dict[str, Path] = field(factory=dict)
    """Files that pages show, such as pictures, by their address."""

    def add(self, address: str, *names: str) -> None:
        """Register an address for the names. The first page that claims a name keeps it."""
        for name in names:
            self.symbols.setdefault(name, address)


@typing.final
@frozen
class Context:
    """One page's view of the site."""

    address: str
    links: Links
    sources: Sources
    problems: list[str]
    """What is wrong anywhere on the site; the build fails with all of them."""

    def report(self, problem: str) -> None:
        """Note that something on this page is wrong."""
        self.problems.append(f"{self.address}: {problem}")

    def url(self, target: str) -> str:
        """The address of a page or asset as seen from this page."""
        path, hash_, anchor = target.partition("#")
        if path == self.address and anchor:
            return f"#{anchor}"
        return _relative(path, posixpath.dirname(self.address)) + hash_ + anchor

    def symbol(self, name: str) -> str:
        """The address of a name's page, seen from here; "" if it has none, or if it is this page.

        A lowercase name may be a variable, so it needs its module before it.
        """
        target = self.links.symbols.get(name, "") if "." in name or not name.islower() else ""
        return "" if not target or target == self.address else self.url(target)

    def place(self, place: Place) -> str:
        """The address of lines of source, seen from here."""
        return self.url(f"{self.sources.page(place.file)}#L{place.first}")

    def code(self, text: str, language: str = "python") -> Markup:
        """Code, coloured, its names linked. `Any` is an operation, but not in code."""
        return highlighting.code(text, language, lambda name: "" if hasattr(typing, name) else self.symbol(name))

    def markdown(self, text: str, *, file: str = "", shift: int = 0) -> Markup:
        """Markdown as HTML; `file` is its path in the project, `shift` how much deeper its headings go."""
        return markup.block(text, self, file=file, shift=shift)

    def inline(self, text: str) -> Markup:
        """One line of Markdown."""
        return markup.inline(" ".join(text.split()), self)

    def math(self, latex: str, *, display: bool = False) -> Markup:
        """A formula."""
        return markup.math(latex, self, display=display)

    def file(self, target: str, file: str) -> str:
        """The address for a relative link in `file`; "" if the site has nothing there."""
        path, hash_, anchor = target.partition("#")
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file
        if joined in self.links.files:
            return self.url(self.links.files[joined] + hash_ + anchor)
        if f"{joined}/README.md" in self.links.files:
            return self.url(self.links.files[f"{joined}/README.md"])
        return self.url(self.sources.page(joined)) if self.sources.has(joined) else ""

    def picture(self, target: str, file: str) -> str:
        """The address of a picture that Markdown in `file` shows; it is copied into the site."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), target))
        address = f"assets/pictures/{posixpath.basename(path)}"
        source = project_file(path)
        if not source.is_file():
            self.report(f"there is no picture {path}")
        self.links.copied[address] = source
        return self.url(address)


@cache
def _relative(path: str, folder: str) -> str:
    return posixpath.relpath(path, folder or ".")
