"""The command line, run in this process, with separate outputs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from attrs import frozen

from typegrad.tools.cli import main

__all__ = ["Done", "Run", "run"]


@frozen
class Done:
    """The exit status and the outputs of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output, which must be JSON and nothing else."""
        return json.loads(self.out)


Run: TypeAlias = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call it with the words of a command line. The output is plain, 80 wide, unless a test sets the environment
    otherwise.
    """
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> Done:
        capsys.readouterr()
        status = main(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Done(status, out, err)

    return call
