"""The language server: operands' types as inlay hints and hovers, and mypy's messages as diagnostics.

A document is checked when it is opened or edited, with the texts in the editor, and with the open documents that import
it, whose programs tell what its functions make; all open documents are checked when one is saved, since they may import
it. It may be new: it needs no file. One check runs at a time, in another process; an edit stops it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from typegrad import __version__
from typegrad.tools.types.analysis import Analysis, Settings, look, problem_of
from typegrad.tools.types.checking import Problem
from typegrad.tools.types.children import Children, NoAnswerError
from typegrad.tools.types.python_files import NOT_IN_EDITORS, is_notebook, is_python

__all__ = ["TypesServer"]

_NAME: Final = "typegrad"
_PAUSE: Final = 0.15
"""Seconds without an edit before a document is checked."""
_SEVERITY: Final = {"error": lsp.DiagnosticSeverity.Error, "note": lsp.DiagnosticSeverity.Information}
_SCHEMES: Final = ("file", "untitled")
"""Of the addresses of texts that are checked: VS Code also sends earlier versions of files, and cells of notebooks."""
_INSTALLED: Final = "site-packages"
"""A folder of libraries, whose files are not checked when they are opened."""


class TypesServer(LanguageServer):
    """The server. `start_io` serves one editor over standard input and output."""

    def __init__(self, settings: Settings) -> None:
        """Create the server, with mypy's settings for each check."""
        super().__init__(_NAME, __version__)
        self._settings = settings
        self._seen: dict[str, Analysis] = {}
        self._waiting: dict[str, None] = {}
        self._checked: str | None = None
        self._children = Children(look.__module__, "typegrad.mypy_plugin.hooks")
        self._work: asyncio.Task[None] | None = None
        self._register()

    def _register(self) -> None:
        async def initialized(_: lsp.InitializedParams) -> None:
            if self.workspace.root_path:
                os.chdir(self.workspace.root_path)  # for the project's settings and cache of mypy

        async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
            self._ask_for(params.text_document.uri)
            self._tell_of_notebook(self._document(params.text_document.uri))

        async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
            if params.text_document.uri == self._checked:
                self._children.stop()
            self._ask_for(params.text_document.uri)

        async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
            self._ask_for(params.text_document.uri, *(each.uri for each in self._open()))

        async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
            self._forget(params.text_document.uri)

        async def inlay_hint(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
            return await self._hints(params.text_document.uri, params.range)

        async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
            return await self._hover(params.text_document.uri, params.position)

        self.feature(lsp.INITIALIZED)(initialized)
        self.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(did_open)
        self.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
        self.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(did_save)
        self.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(did_close)
        self.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(inlay_hint)
        self.feature(lsp.TEXT_DOCUMENT_HOVER)(hover)

    # Checks

    def _ask_for(self, *uris: str) -> None:
        """Check these documents soon, the first one first."""
        self._waiting |= {uri: None for uri in uris if _is_checked(self._document(uri))}
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._check_waiting())

    def _tell_of_notebook(self, document: TextDocument) -> None:
        """Say at the top of a notebook that it is not checked."""
        if _is_notebook(document):
            start = lsp.Position(0, 0)
            why = NOT_IN_EDITORS.format(Path(document.path).name)
            told = lsp.Diagnostic(lsp.Range(start, start), why, lsp.DiagnosticSeverity.Warning, source=_NAME)
            self._publish(document.uri, document.version, [told])

    @asynccontextmanager
    async def _shown_as_running(self) -> AsyncIterator[None]:
        """Have an editor that can show that a check is running: the first one of a project takes long."""
        window = self.client_capabilities.window
        if not (window and window.work_done_progress):
            yield
            return
        token, progress = str(uuid4()), self.work_done_progress
        await progress.create_async(token)
        progress.begin(token, lsp.WorkDoneProgressBegin("checking types"))
        try:
            yield
        finally:
            progress.end(token, lsp.WorkDoneProgressEnd())
            progress.tokens.pop(token)

    async def _check_waiting(self) -> None:
        async with self._shown_as_running():
            await self._check_each()
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.inlay_hint and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    async def _check_each(self) -> None:
        while self._waiting:
            await asyncio.sleep(_PAUSE)
            uri = next(iter(self._waiting))
            document = self._document(uri)
            texts = {each.path: each.source for each in self._open() if _is_checked(each)}
            version = document.version
            self._checked = uri
            try:
                check = partial(self._children.run, look, self._settings, document.path, version, texts)
                seen = await asyncio.to_thread(check)
            except NoAnswerError as error:
                seen = Analysis(version, texts[document.path].splitlines(), problems=[problem_of(error)])
            self._checked = None
            if all(each.uri != uri for each in self._open()):
                self._waiting.pop(uri, None)
            elif self._document(uri).version == version:
                self._waiting.pop(uri, None)
                self._seen[uri] = seen = seen.after(self._seen.get(uri))
                self._publish(uri, version, [self._diagnostic(self._document(uri), each) for each in seen.problems])

    async def _settled(self, uri: str) -> Analysis | None:
        """What is known of a document as it is now; None if nothing is."""
        while uri in self._waiting and self._work is not None and not self._work.done():
            await asyncio.wait([self._work], timeout=_PAUSE)
        seen = self._seen.get(uri)
        return seen if seen is not None and seen.version == self._document(uri).version else None

    def _forget(self, uri: str) -> None:
        self._seen.pop(uri, None)
        self._waiting.pop(uri, None)
        self._publish(uri, None, [])

    def _publish(self, uri: str, version: int | None, diagnostics: Sequence[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    # Answers

    async def _hints(self, uri: str, asked: lsp.Range) -> list[lsp.InlayHint]:
        seen = await self._settled(uri)
        document = self._document(uri)
        shown = [] if seen is None else seen.annotations
        return [
            lsp.InlayHint(_end_of(document, each.end_line), each.text, lsp.InlayHintKind.Type, padding_left=True)
            for each in shown
            if asked.start.line <= each.end_line - 1 <= asked.end.line
        ]

    async def _hover(self, uri: str, position: lsp.Position) -> lsp.Hover | None:
        seen = await self._settled(uri)
        document = self._document(uri)
        around = [
            (_range(document, (each.line, each.column), (each.end_line, each.end_column)), each)
            for each in ([] if seen is None else seen.expressions)
            if each.line - 1 <= position.line <= each.end_line - 1
        ]
        inside = [(where, each) for where, each in around if where.start <= position < where.end]
        if not inside:
            return None
        where, known = max(inside, key=lambda pair: (pair[0].start, -pair[0].end.line, -pair[0].end.character))
        text = f"{known.source}: {known.text}" if known.source else known.text
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, f"```python\n{text}\n```"), where)

    def _open(self) -> list[TextDocument]:
        """The open documents, each with the uri of the editor; the keys of pygls's dict are not escaped."""
        return list(self.workspace.text_documents.values())

    def _document(self, uri: str) -> TextDocument:
        return self.workspace.get_text_document(uri)

    def _diagnostic(self, document: TextDocument, problem: Problem) -> lsp.Diagnostic:
        start, end = (problem.line, problem.column - 1), (problem.end_line, max(problem.end_column, problem.column))
        if (start, end) == (
            (problem.line, 0),
            (problem.line, 1),
        ):  # an error of the program has a line alone
            start, end = _extent(document, problem.line)
        where, severity = _range(document, start, end), _SEVERITY[problem.severity]
        return lsp.Diagnostic(where, problem.text, severity, problem.code or None, source=_NAME)


def _is_checked(document: TextDocument) -> bool:
    path = Path(document.path)
    if urlsplit(document.uri).scheme not in _SCHEMES or path.name == "" or _INSTALLED in path.parts:
        return False
    is_program = document.language_id == "python" or is_python(document.path, document.source)
    return is_program and not _is_notebook(document)


def _is_notebook(document: TextDocument) -> bool:
    """Whether the text is a notebook's JSON: editors may show a notebook as a program."""
    return is_notebook(document.path) and document.source.lstrip().startswith("{")


# Positions: mypy counts lines from 1 and columns in bytes, editors count lines from 0 and columns in their own units.


def _position(document: TextDocument, line: int, column: int) -> lsp.Position:
    lines = document.lines
    if line > len(lines):
        return lsp.Position(len(lines), 0)
    text = lines[line - 1].rstrip("\r\n").encode()[: max(column, 0)].decode(errors="ignore")
    return document.position_codec.position_to_client_units(lines, lsp.Position(line - 1, len(text)))


def _extent(document: TextDocument, line: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the text of a line begins and ends."""
    text = document.lines[line - 1].rstrip() if line <= len(document.lines) else ""
    return (line, len(text.encode()) - len(text.lstrip().encode())), (line, len(text.encode()))


def _range(document: TextDocument, start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
    return lsp.Range(_position(document, *start), _position(document, *end))


def _end_of(document: TextDocument, line: int) -> lsp.Position:
    return _position(document, line, len(document.lines[line - 1].encode()))
