"""The language server: operands' types as inlay hints and hovers, and mypy's messages as diagnostics.

A program is checked when it is opened or edited, with the texts in the editor, and with the open programs that import
it, which tell what its functions make; their messages follow from its text, too, so one check tells of all of them.
What it imports is checked next. All programs are checked when one is saved or a file changes that is not open.
A program may be new: it needs no file. One check runs at a time, in another process; an edit stops it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import unquote
from uuid import uuid4

from attrs import evolve
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from typegrad import __version__
from typegrad.tools.types.analysis import Analysis, Settings, look, problem_of
from typegrad.tools.types.checking import Problem
from typegrad.tools.types.children import Children, NoAnswerError
from typegrad.tools.types.programs import (
    INSTALLED,
    Program,
    end_of,
    extent,
    is_raw_notebook,
    program_of,
    programs_in,
    range_in,
)
from typegrad.tools.types.python_files import NOT_IN_EDITORS

__all__ = ["TypesServer"]

_NAME: Final = "typegrad"
_PAUSE: Final = 0.15
"""Seconds without an edit before a program is checked."""
_SEVERITY: Final = {"error": lsp.DiagnosticSeverity.Error, "note": lsp.DiagnosticSeverity.Information}
_NOTEBOOKS: Final = lsp.NotebookDocumentSyncOptions(
    [lsp.NotebookDocumentFilterWithCells([lsp.NotebookCellLanguage("python")], "jupyter-notebook")], save=True
)
"""The notebooks whose cells the server is told of."""
_Seen: TypeAlias = tuple[Program, Analysis]


class TypesServer(LanguageServer):
    """The server. `start_io` serves one editor over standard input and output."""

    def __init__(self, settings: Settings) -> None:
        """Create the server, with mypy's settings for each check."""
        super().__init__(_NAME, __version__, notebook_document_sync=_NOTEBOOKS)
        self._settings = settings
        self._seen: dict[str, _Seen] = {}
        self._waiting: dict[str, int] = {}
        """The programs to check, each with the number of the edit after which it was asked for."""
        self._edits = 0
        self._checked: str | None = None
        self._children = Children(look.__module__, "typegrad.mypy_plugin.hooks")
        self._work: asyncio.Task[None] | None = None
        self._register()

    def _register(self) -> None:
        async def initialized(_: lsp.InitializedParams) -> None:
            if self.workspace.root_path:
                os.chdir(self.workspace.root_path)  # for the project's settings and cache of mypy
            await self._ask_for_news_of_files()

        async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
            self._edited(params.text_document.uri)
            self._tell_of_notebook(self.workspace.get_text_document(params.text_document.uri))

        async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
            self._edited(params.text_document.uri)

        async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
            self._forget(params.text_document.uri, params.text_document.uri)

        async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
            self._saved(params.text_document.uri)

        async def did_change_files(params: lsp.DidChangeWatchedFilesParams) -> None:
            is_open = {unquote(each.uri) for each in programs_in(self.workspace)}
            changed = (unquote(each.uri) for each in params.changes)
            if any(each not in is_open and INSTALLED not in each for each in changed):
                self._saved()

        async def did_open_notebook(params: lsp.DidOpenNotebookDocumentParams) -> None:
            self._edited(params.notebook_document.uri)

        async def did_change_notebook(params: lsp.DidChangeNotebookDocumentParams) -> None:
            cells = params.change.cells
            for each in (cells and cells.structure and cells.structure.did_close) or ():
                self._publish(each.uri, None, [])
            self._edited(params.notebook_document.uri)

        async def did_close_notebook(params: lsp.DidCloseNotebookDocumentParams) -> None:
            self._forget(params.notebook_document.uri, *(each.uri for each in params.cell_text_documents))

        async def did_save_notebook(params: lsp.DidSaveNotebookDocumentParams) -> None:
            self._saved(params.notebook_document.uri)

        async def inlay_hint(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
            return await self._hints(params.text_document.uri, params.range)

        async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
            return await self._hover(params.text_document.uri, params.position)

        async def shutdown(_: None) -> None:
            if self._work is not None:
                self._work.cancel()
            self._children.stop()

        self.feature(lsp.INITIALIZED)(initialized)
        self.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(did_open)
        self.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
        self.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(did_close)
        self.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(did_save)
        self.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_files)
        self.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)(did_open_notebook)
        self.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)(did_change_notebook)
        self.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)(did_close_notebook)
        self.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)(did_save_notebook)
        self.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(inlay_hint)
        self.feature(lsp.TEXT_DOCUMENT_HOVER)(hover)
        self.feature(lsp.SHUTDOWN)(shutdown)

    # Which programs to check

    def _edited(self, uri: str) -> None:
        """Check a program soon, and then those about which its text tells something."""
        self._ask_for(uri, *self._related(uri))

    def _saved(self, *uris: str) -> None:
        """Check all programs, these first: what they import may have changed."""
        self._ask_for(*uris, *(each.uri for each in programs_in(self.workspace)))

    async def _ask_for_news_of_files(self) -> None:
        """Ask an editor that can to tell of changes of files that are not open."""
        watched = self.client_capabilities.workspace and self.client_capabilities.workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.py")])
            asked = lsp.Registration(str(uuid4()), lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await self.client_register_capability_async(lsp.RegistrationParams([asked]))

    def _ask_for(self, *uris: str) -> None:
        """Check these programs soon, the first one first."""
        programs = (program_of(self.workspace, uri) for uri in uris)
        asked = [each.uri for each in programs if each is not None]
        self._edits += 1
        others = {uri: edit for uri, edit in self._waiting.items() if uri not in asked}
        self._waiting = dict.fromkeys(asked, self._edits) | others
        if self._checked in asked:
            self._children.stop()
        if self._waiting and (self._work is None or self._work.done()):
            self._work = asyncio.create_task(self._check_waiting())

    def _importing(self, path: str) -> list[str]:
        """The programs that import a file, so that its text tells of them, too."""
        return [uri for uri, (_, seen) in self._seen.items() if path in seen.imports]

    def _imported(self, paths: Collection[str]) -> list[str]:
        """The programs that are one of these files, of which a program tells that imports them."""
        return [uri for uri, (program, _) in self._seen.items() if program.path in paths]

    def _related(self, uri: str) -> list[str]:
        """The programs of which the text of a document or notebook tells something."""
        imports = self._seen[uri][1].imports if uri in self._seen else ()
        return [*self._importing(self.workspace.get_text_document(uri).path), *self._imported(imports)]

    def _forget(self, uri: str, *documents: str) -> None:
        related = self._related(uri)
        self._seen.pop(uri, None)
        self._waiting.pop(uri, None)
        for each in documents:
            self._publish(each, None, [])
        self._ask_for(*related)

    # Checks

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
        except asyncio.CancelledError:  # nobody listens any more
            raise
        except BaseException:
            progress.end(token, lsp.WorkDoneProgressEnd())
            raise
        progress.end(token, lsp.WorkDoneProgressEnd())
        progress.tokens.pop(token)

    async def _check_waiting(self) -> None:
        async with self._shown_as_running():
            while self._waiting:
                await asyncio.sleep(_PAUSE)
                await self._check_next()
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.inlay_hint and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    async def _check_next(self) -> None:
        """Check the program that was asked for last. Before it, one of which not even the imports are known."""
        if not self._waiting:
            return
        uri = next((uri for uri in self._waiting if uri not in self._seen), next(iter(self._waiting)))
        programs = {each.uri: each for each in programs_in(self.workspace)}
        if uri not in programs:
            self._waiting.pop(uri)
            return
        own, edit = programs[uri], self._edits
        importing = [programs[each] for each in self._importing(own.path) if each in programs]
        texts = {each.path: each.text for each in programs.values()}
        self._checked = uri
        try:
            paths = [each.path for each in importing]
            check = partial(self._children.run, look, self._settings, own.path, paths, texts)
            found: Mapping[str, Analysis] = await asyncio.to_thread(check)
        except NoAnswerError as error:
            found = {own.path: Analysis(own.text.splitlines(), problems=[problem_of(error)])}
        self._checked = None
        for program in (own, *importing):
            if program.path in found:
                self._note(program, found[program.path], edit)

    def _note(self, program: Program, seen: Analysis, edit: int) -> None:
        """Keep and show what is known of a program, unless its text, or one that it depends on, was edited since."""
        is_open = program_of(self.workspace, program.uri) is not None
        if not is_open or self._waiting.get(program.uri, 0) > edit:
            return
        self._waiting.pop(program.uri, None)
        _, earlier = self._seen.get(program.uri, (program, None))
        seen = evolve(seen, lines=program.lines).after(earlier)
        self._seen[program.uri] = program, seen
        self._show_problems(program, seen.problems)
        called = set(seen.imports) ^ set(earlier.imports if earlier else ())
        self._ask_for(*self._imported(called))

    async def _settled(self, uri: str) -> _Seen | None:
        """The program of a document, and what is known of it as it is; None if nothing is."""
        program = program_of(self.workspace, uri)
        if program is None:
            return None
        while program.uri in self._waiting and self._work is not None and not self._work.done():
            await asyncio.wait([self._work], timeout=_PAUSE)
        return None if program.uri in self._waiting else self._seen.get(program.uri)

    # Answers

    def _show_problems(self, program: Program, problems: Sequence[Problem]) -> None:
        by_document: dict[str, list[lsp.Diagnostic]] = {each.uri: [] for each in program.documents}
        for each in problems:
            document, line = program.place(each.line)
            by_document[document.uri].append(self._diagnostic(program, document, line, each))
        for document in program.documents:
            self._publish(document.uri, document.version, by_document[document.uri])

    def _diagnostic(self, program: Program, document: TextDocument, line: int, problem: Problem) -> lsp.Diagnostic:
        start = line, problem.column - 1
        end = line + problem.end_line - problem.line, max(problem.end_column, problem.column)
        if (start, end) == ((line, 0), (line, 1)):  # an error of the program has a line alone
            start, end = extent(document, line)
        where, text = range_in(document, start, end), program.reworded(problem.text)
        return lsp.Diagnostic(where, text, _SEVERITY[problem.severity], problem.code or None, source=_NAME)

    def _tell_of_notebook(self, document: TextDocument) -> None:
        """Say at the top of a notebook that is a text in the editor that it is not checked."""
        if is_raw_notebook(document):
            start = lsp.Position(0, 0)
            why = NOT_IN_EDITORS.format(Path(document.path).name)
            told = lsp.Diagnostic(lsp.Range(start, start), why, lsp.DiagnosticSeverity.Warning, source=_NAME)
            self._publish(document.uri, document.version, [told])

    def _publish(self, uri: str, version: int | None, diagnostics: Sequence[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    async def _hints(self, uri: str, asked: lsp.Range) -> list[lsp.InlayHint]:
        settled = await self._settled(uri)
        if settled is None:
            return []
        program, seen = settled
        own = self.workspace.get_text_document(uri)
        placed = ((*program.place(each.end_line), each.text) for each in seen.annotations)
        return [
            lsp.InlayHint(end_of(document, line), text, lsp.InlayHintKind.Type, padding_left=True)
            for document, line, text in placed
            if document is own and asked.start.line <= line - 1 <= asked.end.line
        ]

    async def _hover(self, uri: str, position: lsp.Position) -> lsp.Hover | None:
        settled = await self._settled(uri)
        if settled is None:
            return None
        program, seen = settled
        own = self.workspace.get_text_document(uri)
        placed = ((*program.place(each.line), each) for each in seen.expressions)
        around = [
            (range_in(document, (line, each.column), (line + each.end_line - each.line, each.end_column)), each)
            for document, line, each in placed
            if document is own and line - 1 <= position.line <= line - 1 + each.end_line - each.line
        ]
        inside = [(where, each) for where, each in around if where.start <= position < where.end]
        if not inside:
            return None
        where, known = max(inside, key=lambda pair: (pair[0].start, -pair[0].end.line, -pair[0].end.character))
        text = f"{known.source}: {known.text}" if known.source else known.text
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, f"```python\n{program.reworded(text)}\n```"), where)
