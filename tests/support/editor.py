"""An editor that speaks with `typegrad lsp`, as a fixture."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

import pytest

from support import mypy_cache

__all__ = ["EVERYWHERE", "OPTIONAL", "Editor", "editor"]

EVERYWHERE: Final = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
OPTIONAL: Final = {
    "workspace": {"inlayHint": {"refreshSupport": True}, "didChangeWatchedFiles": {"dynamicRegistration": True}},
    "window": {"workDoneProgress": True},
    "notebookDocument": {"synchronization": {}},
}


class Editor:
    """An editor that speaks the protocol, with what the server told it unasked."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.folder = folder
        self.told: list[Any] = []
        self._to: IO[bytes] = process.stdin
        self._from: IO[bytes] = process.stdout
        self._number = 0

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while (message := self._receive()).get("id") != self._number or "method" in message:
            self.told.append(message)
            if "id" in message:
                self._send({"id": message["id"], "result": None})
        return message["result"]

    def open(self, name: str, text: str, language: str = "python") -> None:
        document = {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)

    def change(self, name: str, version: int, *changes: Any) -> None:
        document = {"uri": self.uri(name), "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=changes)

    def close(self, *names: str) -> None:
        for name in names:
            self.tell("textDocument/didClose", textDocument={"uri": self.uri(name)})

    def open_notebook(self, name: str, *cells: str, texts: Sequence[str] = ()) -> None:
        """Open a notebook with cells of code, after others that are texts."""
        code = [self.cell(name, number) for number in range(1, len(cells) + 1)]
        notes = [{"kind": 1, "document": f"{self.cell(name, 0)}{number}"} for number in range(len(texts))]
        notebook = {
            "uri": self.uri(name), "notebookType": "jupyter-notebook", "version": 1,
            "cells": [*notes, *({"kind": 2, "document": each} for each in code)],
        }  # fmt: skip
        documents = [self._document(uri, text) for uri, text in zip(code, cells, strict=True)]
        self.tell("notebookDocument/didOpen", notebookDocument=notebook, cellTextDocuments=documents)

    def change_cell(self, name: str, number: int, version: int, text: str) -> None:
        document = {"uri": self.cell(name, number), "version": version}
        self._change_cells(name, version, textContent=[{"document": document, "changes": [{"text": text}]}])

    def insert_cell(self, name: str, start: int, number: int, version: int, text: str) -> None:
        """Insert a cell before the one at `start`."""
        uri = self.cell(name, number)
        array = {"start": start, "deleteCount": 0, "cells": [{"kind": 2, "document": uri}]}
        self._change_cells(name, version, structure={"array": array, "didOpen": [self._document(uri, text)]})

    def remove_cell(self, name: str, start: int, number: int, version: int) -> None:
        """Remove the cell at `start`."""
        array = {"start": start, "deleteCount": 1}
        closed = [{"uri": self.cell(name, number)}]
        self._change_cells(name, version, structure={"array": array, "didClose": closed})

    def close_notebook(self, name: str, count: int) -> None:
        cells = [{"uri": self.cell(name, number)} for number in range(1, count + 1)]
        self.tell("notebookDocument/didClose", notebookDocument={"uri": self.uri(name)}, cellTextDocuments=cells)

    def cell(self, name: str, number: int) -> str:
        """The address of a cell, as VS Code makes it."""
        return f"{self.uri(name)}#W{number}sZmlsZQ%3D%3D".replace("file:", "vscode-notebook-cell:")

    def _document(self, uri: str, text: str) -> dict[str, Any]:
        return {"uri": uri, "languageId": "python", "version": 1, "text": text}

    def _change_cells(self, name: str, version: int, **cells: Any) -> None:
        notebook = {"uri": self.uri(name), "version": version}
        self.tell("notebookDocument/didChange", notebookDocument=notebook, change={"cells": cells})

    def hints(self, name: str, where: Any = EVERYWHERE) -> list[tuple[int, int, str]]:
        answer = self.ask("textDocument/inlayHint", textDocument={"uri": self.uri(name)}, range=where)
        return [(each["position"]["line"], each["position"]["character"], each["label"]) for each in answer]

    def hover(self, name: str, line: int, character: int) -> Any:
        position = {"line": line, "character": character}
        return self.ask("textDocument/hover", textDocument={"uri": self.uri(name)}, position=position)

    def problems(self, name: str) -> list[tuple[tuple[int, ...], str, str | None]]:
        """The last diagnostics of a file: where, text, code."""
        methods = [each for each in self.told if each["method"] == "textDocument/publishDiagnostics"]
        last = [{"diagnostics": []}, *(each["params"] for each in methods if each["params"]["uri"] == self.uri(name))][
            -1
        ]
        return [
            (
                tuple(each["range"][side][part] for side in ("start", "end") for part in ("line", "character")),
                each["message"],
                each.get("code"),
            )
            for each in last["diagnostics"]
        ]

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._to.flush()

    def _receive(self) -> Any:
        length = 0
        while line := self._from.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return json.loads(self._from.read(length))


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("project")
    (folder / ".git").mkdir()
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    for name in ("broken.py", "foreign.py", "model.py", "sizes.py", "user.py"):
        (folder / name).write_text("WIDTH = 2\n" if name == "sizes.py" else "")
    environment = {**os.environ, "MYPY_CACHE_DIR": str(mypy_cache.of_process(plugin=True, redefined=True))}
    command = [sys.executable, "-m", "typegrad", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        result = Editor(folder, process)
        result.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities=OPTIONAL)
        result.tell("initialized")
        yield result
        result.ask("shutdown")
        result.tell("exit")
        assert process.wait() == 0
