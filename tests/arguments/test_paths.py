"""Every function that takes a path refuses, by name and before anything is written, what no file can be called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import typegrad as tg
from arguments.test_public_functions import PARAMETERS
from typegrad import pictures
from typegrad.files import checkpoint
from typegrad.files.tensorboard import EventWriter


class Nameless:
    """A path that is not a string."""

    def __init__(self, path: Any) -> None:
        self._path = path

    def __fspath__(self) -> Any:
        return self._path


WRONG: Final[dict[str, Any]] = {
    "a NUL": "a\0b",
    "half a character": "a\ud800b",
    "bytes": Nameless(b"a"),
    "a number": Nameless(3),
}

USES: Final[dict[str, Callable[[tg.Session, Any], object]]] = {
    "EventWriter(folder)": lambda session, path: EventWriter(path),
    "Graph.show(path)": lambda session, path: session.graph.show(path),
    "Saver(folder)": tg.Saver,
    "Saver.restore(path)": lambda session, path: tg.Saver(session, ".").restore(path),
    "Session.restore(path)": lambda session, path: session.restore(path),
    "Session.save(path)": lambda session, path: session.save(path),
    "Session.trace(path)": lambda session, path: session.trace(path),
    "read_metadata(path)": lambda session, path: checkpoint.read_metadata(path),
    "read_values(path)": lambda session, path: checkpoint.read_values(path),
    "show(path)": lambda session, path: pictures.show(session.graph, path),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one, and a browser that opens nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda _: None)
    return tmp_path


def test_these_are_all_that_take_a_path() -> None:
    named = {name for name in PARAMETERS if name.endswith(("(path)", "(folder)", "(file)", "(directory)"))}
    assert named == USES.keys()


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("use", USES)
def test_what_no_file_can_be_called_is_refused(use: str, what: str, here: Path) -> None:
    session = tg.Session(tg.Graph())
    argument = use.partition("(")[2].rstrip(")")
    with pytest.raises(tg.TypegradError, match=f"^argument `{argument}`: '.*' cannot be the path of a file: "):
        USES[use](session, WRONG[what])
    assert not list(here.iterdir())


@pytest.mark.parametrize("use", ["Session.save(path)", "Session.restore(path)", "Saver.restore(path)"])
def test_a_message_shows_a_name_that_is_no_text(use: str, here: Path) -> None:
    """Python has the names of files that are not UTF-8 as strings with surrogates."""
    (here / "a\udc80b").mkdir()
    with pytest.raises(tg.CheckpointError, match=r"^'a\\udc80b' is not "):
        USES[use](tg.Session(tg.Graph()), "a\udc80b")


def test_tensorboard_wants_text(here: Path) -> None:
    with pytest.raises(tg.AttributeValueError, match=r"^argument `folder`: 'a\\udc80b' is not text, which TensorBoard"):
        EventWriter("a\udc80b")


@pytest.mark.parametrize("use", ["Graph.show(path)", "Saver(folder)", "Session.save(path)", "EventWriter(folder)"])
def test_a_missing_folder_is_made(use: str, here: Path) -> None:
    USES[use](tg.Session(tg.Graph()), here / "not" / "there" / "file.html")
    assert (here / "not" / "there").is_dir()


def test_a_trace_makes_its_folder(here: Path) -> None:
    with tg.Session(tg.Graph()).trace(here / "not" / "trace.json"):
        pass
    assert (here / "not" / "trace.json").is_file()


def test_what_is_no_checkpoint(here: Path) -> None:
    (here / "notes").write_text("Not a checkpoint at all.")
    with pytest.raises(tg.CheckpointError, match="; this is no safetensors file, or a damaged one"):
        tg.Session(tg.Graph()).restore(here / "notes")
