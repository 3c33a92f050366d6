"""The site of the reference, built once for all tests of a session."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import unescape
from pathlib import Path
from re import sub

from typegrad_reference.site.build import render

__all__ = ["files", "page", "text", "write"]


@cache
def files() -> Mapping[str, bytes]:
    """Every file by its name."""
    return render()


def page(name: str) -> str:
    """A page as HTML."""
    return files()[name].decode()


def text(name: str) -> str:
    """The text of a page, without its markup."""
    return unescape(sub(r"<[^>]+>", "", page(name)))


def write(folder: Path) -> Path:
    """Write the site into a folder."""
    for name, content in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
