"""The programs that an editor holds: a document each, or the cells of a notebook; positions in their documents.

mypy counts lines from 1 and columns in bytes, editors count lines from 0 and columns in their own units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from attrs import frozen
from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from typegrad.tools.types.notebooks import Notebook
from typegrad.tools.types.python_files import is_notebook, is_python

__all__ = ["INSTALLED", "Program", "end_of", "extent", "is_raw_notebook", "program_of", "programs_in", "range_in"]

_PYTHON: Final = "python"
_SCHEMES: Final = ("file", "untitled")
"""Of the addresses of programs: VS Code also sends earlier versions of files."""
INSTALLED: Final = "site-packages"
"""A folder of libraries, whose files are not checked when they are opened."""


@frozen
class Program:
    """A program in an editor, with the documents that its text is made of: one, or the cells of a notebook."""

    uri: str
    path: str
    text: str
    documents: Sequence[TextDocument]
    notebook: Notebook | None = None

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the text as they are in the editor."""
        return self.text.splitlines() if self.notebook is None else self.notebook.lines

    def place(self, line: int) -> tuple[TextDocument, int]:
        """The document that has a line of the text, and the line in it."""
        cell, own = (1, line) if self.notebook is None else self.notebook.place(line)
        return self.documents[cell - 1], own

    def reworded(self, text: str) -> str:
        """A text about the program, in which lines are those of cells if it is a notebook."""
        return text if self.notebook is None else self.notebook.reworded(text)


def programs_in(workspace: Workspace) -> Iterator[Program]:
    """The open programs, each with the address that the editor gave; the keys of pygls's dicts are not escaped."""
    uris = [each.uri for each in (*workspace.text_documents.values(), *workspace.notebook_documents.values())]
    for uri in uris:
        program = program_of(workspace, uri)
        if program is not None and program.uri == uri:
            yield program


def program_of(workspace: Workspace, uri: str) -> Program | None:
    """The program that an open document, cell or notebook is part of; None if it is not checked."""
    cells = workspace.get_notebook_document(cell_uri=uri) or workspace.get_notebook_document(notebook_uri=uri)
    if cells is not None:
        return _of_cells(workspace, cells)
    document = workspace.text_documents.get(unquote(uri))
    if document is None:
        return None
    is_program = document.language_id == _PYTHON or is_python(document.path, document.source)
    if not is_program or is_raw_notebook(document) or not _is_checked(uri, document.path):
        return None
    return Program(document.uri, document.path, document.source, [document])


def _of_cells(workspace: Workspace, notebook: lsp.NotebookDocument) -> Program | None:
    code = (each.document for each in notebook.cells if each.kind == lsp.NotebookCellKind.Code)
    cells = [each for each in map(workspace.get_text_document, code) if each.language_id == _PYTHON]
    path = to_fs_path(notebook.uri) or ""
    if not cells or not _is_checked(notebook.uri, path):
        return None
    made = Notebook.of(path, [each.source for each in cells])
    return Program(notebook.uri, path, made.text, cells, made)


def _is_checked(uri: str, path: str) -> bool:
    return urlsplit(uri).scheme in _SCHEMES and Path(path).name != "" and INSTALLED not in Path(path).parts


def is_raw_notebook(document: TextDocument) -> bool:
    """Whether the text is a notebook's JSON: editors may show a notebook as a program."""
    return is_notebook(document.path) and document.source.lstrip().startswith("{")


def range_in(document: TextDocument, start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
    """The range between two places of mypy's."""
    return lsp.Range(_position(document, *start), _position(document, *end))


def end_of(document: TextDocument, line: int) -> lsp.Position:
    """The end of a line."""
    return _position(document, line, len(document.lines[line - 1].encode()))


def extent(document: TextDocument, line: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the text of a line begins and ends."""
    text = document.lines[line - 1].rstrip() if line <= len(document.lines) else ""
    return (line, len(text.encode()) - len(text.lstrip().encode())), (line, len(text.encode()))


def _position(document: TextDocument, line: int, column: int) -> lsp.Position:
    lines = document.lines
    if line > len(lines):
        return lsp.Position(len(lines), 0)
    text = lines[line - 1].rstrip("\r\n").encode()[: max(column, 0)].decode(errors="ignore")
    return document.position_codec.position_to_client_units(lines, lsp.Position(line - 1, len(text)))
