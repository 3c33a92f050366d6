"""In a notebook, what shows where a node was created names the cell, as IPython does, and not the file it compiles."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import pictures

FILE = "/tmp/ipykernel_1/123.py"
"""The name under which IPython compiles a cell."""

CELL = """\
import numpy as np

import typegrad as tg
from typegrad.op import core

graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (None, 2))
"""

SHELLS: dict[str, Callable[[], Any]] = {
    "no shell": lambda: None,
    "a shell without a compiler": SimpleNamespace,
    "an old compiler": lambda: SimpleNamespace(compile=SimpleNamespace()),
    "a file that is no cell": lambda: SimpleNamespace(compile=SimpleNamespace(format_code_name=lambda name: None)),
}


def _run(text: str = CELL) -> dict[str, Any]:
    """The names after a cell has run."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, FILE, "exec"), names)
    return names


@pytest.fixture
def _notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """A running IPython is pretended that has compiled the file as its second cell."""
    compiler = SimpleNamespace(format_code_name={FILE: ("Cell", "In[2]")}.get)
    shell = SimpleNamespace(compile=compiler)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


@pytest.mark.usefixtures("_notebook")
def test_a_place_is_a_cell() -> None:
    names = _run()
    assert names["x"].op.created_at == "Cell In[2], line 8"
    assert '"where":"Cell In[2], line 8"' in pictures.page(names["graph"])


@pytest.mark.usefixtures("_notebook")
def test_an_error_names_the_cell() -> None:
    with pytest.raises(tg.ShapeError) as error:
        _run(f"{CELL}\ny = x @ np.ones((3, 1), np.float32)\n")
    assert str(error.value) == (
        "MatMul 'MatMul' (Cell In[2], line 10): inner dimensions differ: a is [?, 2], b is [3, 1]\n"
        "  a = 'x:0' (Placeholder, float32 [?, 2], created at Cell In[2], line 8)\n"
        "  b = 'MatMul/b:0' (Const, float32 [3, 1], created at Cell In[2], line 10)"
    )


@pytest.mark.usefixtures("_notebook")
def test_code_of_files_has_their_places() -> None:
    x = tg.op.core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, (2,))
    assert x.op.created_at.rpartition(":")[0] == __file__


@pytest.mark.parametrize("name", SHELLS)
def test_what_is_no_cell_is_a_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=SHELLS[name]))
    assert _run()["x"].op.created_at == f"{FILE}:8"


@pytest.mark.usefixtures("_notebook")
def test_tables_of_runs_name_the_cell() -> None:
    names = _run(f"{CELL}\nwith scope:\n    y = x * 2.0\n")
    session: tg.Session = tg.Session(names["graph"])
    assert "Cell In[2], line 11" in str(session.explain(names["y"], [names["x"]]))
    assert "Cell In[2], line 11" in str(session.profile(names["y"], {names["x"]: np.ones((1, 2), np.float32)}, runs=1))
