"""Pictures are shown in the browser, or in the running notebook."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import typegrad as tg
from tools.pictures.examples import masked
from typegrad import pictures


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the browser is told to open."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    return addresses


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """What a notebook shows; a running one is pretended."""
    outputs: list[Mapping[str, str]] = []
    shell = SimpleNamespace(kernel=object(), display_pub=SimpleNamespace(publish=outputs.append))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    return outputs


@pytest.mark.parametrize("method", [tg.Graph.to_text, tg.Graph.show])
def test_help_names_the_options(method: Callable[..., object]) -> None:
    assert [name for name in pictures.Options.__annotations__ if f"`{name}`" not in str(method.__doc__)] == []


def test_a_temporary_page_is_opened(opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    example = masked()
    file = example.graph.show(y=example.loss)
    assert file is not None and file.parent == tmp_path and file.suffix == ".html"
    assert file.read_text("utf-8") == pictures.page(example.graph, y=example.loss)
    assert opened == [file.as_uri()]


def test_a_page_goes_where_the_user_wants_it(
    opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tg.Graph().show("a b.html") == Path("a b.html")
    assert (tmp_path / "a b.html").read_text("utf-8") == pictures.page(tg.Graph())
    assert opened == [(tmp_path / "a b.html").as_uri()]


def test_a_terminal_with_ipython_is_no_notebook(
    opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for shell in (None, SimpleNamespace()):
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda shell=shell: shell))
        tg.Graph().show(tmp_path / "page.html")
    assert len(opened) == 2


def test_a_notebook_shows_a_frame_and_no_file(opened: list[str], published: list[Mapping[str, str]]) -> None:
    example = masked()
    assert example.graph.show(y=example.loss) is None
    assert published == [
        {
            "text/html": pictures.frame(example.graph, y=example.loss),
            "text/plain": example.graph.to_text(y=example.loss),
        }
    ]
    assert opened == []


def test_a_notebook_writes_a_file_if_it_is_asked_to(published: list[Mapping[str, str]], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert tg.Graph().show(file) == file
    assert file.read_text("utf-8") == pictures.page(tg.Graph()) and len(published) == 1


def test_a_picture_is_of_a_graph() -> None:
    wrong: Any = tg.Session(tg.Graph())
    with pytest.raises(tg.GraphError, match="`graph` must be a Graph, not Session"):
        pictures.document(wrong)


def test_a_picture_in_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tg.AttributeValueError, match=r"show writes a page; call it 'graph.html'.*dot -Tsvg"):
        tg.Graph().show(tmp_path / "graph.svg")
    assert not list(tmp_path.iterdir())
