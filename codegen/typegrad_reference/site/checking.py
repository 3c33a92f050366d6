"""Checks of the finished site: links, anchors, weights."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import unescape
from typing import Final
from urllib.parse import unquote

from attrs import frozen

__all__ = ["LIMIT", "ParsedPage", "lost", "parse", "problems", "weight"]

LIMIT: Final = 200_000
"""The most bytes that a page and what it loads at once may weigh."""

# Templates write every attribute in double quotes, and every text escapes them: so these find attributes and nothing
# else.
_TAG: Final = re.compile(r"<(a|img|link|script)\s([^>]*)>")
_ATTRIBUTE: Final = re.compile(r'\b(href|src|loading)="([^"]*)"')
_ANCHOR: Final = re.compile(r'\sid="([^"]*)"')
_EXTERNAL: Final = ("http:", "https:", "mailto:")


@frozen
class ParsedPage:
    """The anchors and links of a page, and what it loads."""

    anchors: Counter[str]
    links: tuple[str, ...]
    loads: tuple[str, ...]


def parse(html: str) -> ParsedPage:
    """What a page says."""
    links: list[str] = []
    loads: list[str] = []
    for tag, text in _TAG.findall(html):
        attributes: dict[str, str] = dict(_ATTRIBUTE.findall(text))
        target = unescape(attributes.get("href", attributes.get("src", "")))
        if target:
            (links if tag == "a" or "loading" in attributes else loads).append(target)
    return ParsedPage(Counter(_ANCHOR.findall(html)), tuple(dict.fromkeys(links)), tuple(dict.fromkeys(loads)))


def problems(files: Mapping[str, bytes], pages: Mapping[str, ParsedPage]) -> Iterator[str]:
    """Broken links, missing and duplicate anchors, requests to other hosts, pages that are too large."""
    for name, page in pages.items():
        for anchor, count in page.anchors.items():
            if count > 1:
                yield f"{name}: the anchor #{anchor} is there {count} times"
        for link in (*page.links, *page.loads):
            yield from (f"{name}: {problem}" for problem in _link(name, link, files, pages))
        for load in page.loads:
            if load.startswith(_EXTERNAL):
                yield f"{name}: loads {load}, which is not on the reader's machine"
        total = weight(name, page, files)
        if total > LIMIT:
            yield f"{name}: weighs {total} bytes with what it loads, more than {LIMIT}"


def lost(targets: Iterable[str], files: Mapping[str, bytes], pages: Mapping[str, ParsedPage]) -> Iterator[str]:
    """Targets of the search that do not exist."""
    for target in targets:
        yield from (f"the search: {problem}" for problem in _link("index.html", target, files, pages))


def weight(name: str, page: ParsedPage, files: Mapping[str, bytes]) -> int:
    """The bytes of a page and of everything that it loads at once."""
    loaded = {_resolve(name, load) for load in page.loads}
    return len(files[name]) + sum(len(files[item]) for item in loaded if item in files)


def _link(name: str, link: str, files: Mapping[str, bytes], pages: Mapping[str, ParsedPage]) -> Iterator[str]:
    if link.startswith(_EXTERNAL):
        return
    path, _, anchor = link.partition("#")
    target = _resolve(name, path) if path else name
    if target not in files:
        yield f"the link {link} leads nowhere"
    elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
        yield f"the link {link} leads to an anchor that is not there"


def _resolve(name: str, link: str) -> str:
    return _joined(posixpath.dirname(name), unquote(link.partition("#")[0]))


@cache
def _joined(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))
