"""What the search finds besides operations: pages and their sections, names of the API."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from attrs import evolve, frozen

from typegrad_codegen.schema import Entry
from typegrad_reference.guides.listed import ListedPage, listed, of_operation

__all__ = ["Text", "addresses", "of_api", "of_page", "pages", "with_known"]


@frozen
class Text:
    """A page, a section of one, a class or a function."""

    title: str
    address: str
    """On the site."""
    where: str
    """What it is a part of."""
    summary: str = ""
    name: str = ""
    """The dotted name of a class or function."""
    known: tuple[str, ...] = ()
    """What people call it who look for it: names elsewhere, and phrases."""
    words: str = ""
    """Each word of what it says, once."""

    @property
    def page(self) -> str:
        """What `typegrad docs show` takes for it: "training#watching"."""
        page, hash_, anchor = self.address.partition("#")
        return f"{PurePosixPath(page).stem}{hash_}{anchor}"


def pages(operations: Iterable[Entry]) -> list[ListedPage]:
    """The pages that the search knows: the guides, and the parts of operations' pages that are written by hand."""
    own = filter(None, map(of_operation, operations))
    return [*(each for each in listed() if each.section == "Guides"), *own]


def of_page(each: ListedPage, where: str = "") -> Iterator[Text]:
    """A page and its sections.

    One that is a part of another page has no entry of its own; `where` says what it belongs to.
    """
    first, *others = each.page.sections
    words = _words(first.text)
    if where:
        others = each.page.sections
    else:
        yield Text(first.title, each.address, "guide", each.page.summary, words=words)
    for section in others:
        address = f"{each.address}#{section.anchor}"
        yield Text(section.title, address, where or first.title, section.summary, words=_words(section.text))


def addresses(texts: Iterable[ListedPage]) -> dict[str, str]:
    """The address of each page by its file."""
    return {each.file: each.address for each in texts}


def of_api(name: str) -> Text:
    """A class, function or method by its dotted name: "typegrad.Session.run".

    Raises:
        AttributeError: There is none.
        ModuleNotFoundError: There is no such module.
    """
    module, _, rest = name.partition(".")
    parts = rest.split(".")
    value: Any = import_module(module)
    while parts:
        inner = getattr(value, parts[0], None)
        if inner is None:
            inner = import_module(f"{module}.{parts[0]}")
        if not isinstance(inner, ModuleType):
            break
        value, module = inner, f"{module}.{parts.pop(0)}"
    for part in parts:
        value = inspect.getattr_static(value, part) if isinstance(value, type) else getattr(value, part)
    title = ".".join(parts)
    doc = inspect.getdoc(value) or ""
    return Text(title, f"api/{module}.html#{title}", module, " ".join(doc.partition("\n\n")[0].split()), name)


def with_known(texts: Iterable[Text], known: Mapping[str, tuple[str, ...]]) -> list[Text]:
    """The texts, each with the names that people search for; `known` has these by address."""
    return [evolve(text, known=known.get(text.address, ())) for text in texts]


def _words(text: str) -> str:
    return " ".join(dict.fromkeys(re.findall(r"[^\W_]+", text.lower())))
