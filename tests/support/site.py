"""The site of the reference, built once for all processes of a test run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import unescape
from pathlib import Path
from re import sub

from support import sharing
from typegrad_reference.site.build import render

__all__ = ["files", "folder", "page", "text"]


@cache
def files() -> Mapping[str, bytes]:
    """Every file by its name."""
    root = folder()
    paths = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def page(name: str) -> str:
    """A page as HTML."""
    return files()[name].decode()


def text(name: str) -> str:
    """The text of a page, without its markup."""
    return unescape(sub(r"<[^>]+>", "", page(name)))


def folder() -> Path:
    """The folder with the files of the site. Tests do not change it."""
    return sharing.once("site", _fill)


def _fill(folder: Path) -> None:
    for name, content in render().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
