"""Paths that users pass: of files and folders, to be read or written."""

from __future__ import annotations

from contextlib import suppress
from os import PathLike
from pathlib import Path

from typegrad.base.brief import quoted
from typegrad.base.errors import AttributeValueError, TypegradError

__all__ = ["as_path", "check_page", "made_folder"]


def as_path(path: str | PathLike[str], argument: str, error: type[TypegradError] = AttributeValueError) -> Path:
    """`path`, if a file system takes it, whether there is something or not; else an error that names the argument."""
    try:
        file = Path(path)
        with suppress(OSError):
            file.stat()
    except (TypeError, ValueError) as reason:  # bytes; a NUL, or half a surrogate pair
        shown = quoted(str(path))
        raise error(f"argument `{argument}`: {shown} cannot be the path of a file: {reason}") from None
    return file


def made_folder(file: Path) -> Path:
    """The path of a file that is going to be written, in a folder that there is from now on."""
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def check_page(path: str | PathLike[str]) -> None:
    """An error if a path of a page is one of another kind of file."""
    file = Path(path)
    if file.suffix.lower() not in ("", ".html", ".htm"):
        raise AttributeValueError(
            f"{quoted(str(path))}: show writes a page; call it {quoted(file.with_suffix('.html').name)}. Of the text "
            "that graph.to_dot() returns, `dot -Tsvg graph.dot -o graph.svg` makes a picture"
        )
