"""Show a picture in the notebook or in the browser."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from typegrad.arguments.paths import as_path, check_page, made_folder
from typegrad.base.notebook import running_ipython
from typegrad.tools.pictures.document import Document
from typegrad.tools.pictures.html import render_frame, render_page

__all__ = ["display"]


def display(document: Document, text: str, path: str | os.PathLike[str] | None) -> Path | None:
    """Show a picture in the notebook or the browser, or write it to `path`. Return the file written."""
    notebook = _notebook()
    file = _page(path) if path is not None else None if notebook else _temporary()
    if file is not None:
        made_folder(file).write_text(render_page(document, text), "utf-8")
    if notebook:
        notebook.display_pub.publish({"text/html": render_frame(document, text), "text/plain": text})
    elif file is not None:
        webbrowser.open(file.resolve().as_uri())
    return file


def _page(path: str | os.PathLike[str]) -> Path:
    """The path of a page; refused if the name is of another kind of file."""
    file = as_path(path, "path")
    check_page(path)
    return file


def _notebook() -> Any:
    """The running IPython if its front end can show HTML, else None."""
    shell = running_ipython()
    return None if getattr(shell, "kernel", None) is None else shell


def _temporary() -> Path:
    """A new temporary file, which is kept, since the browser may open it at any time."""
    handle, name = tempfile.mkstemp(".html", "typegrad-")
    os.close(handle)
    return Path(name)
