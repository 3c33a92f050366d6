"""Notebooks in an editor: hints, hovers and messages are in the cells, which are one program."""

from __future__ import annotations

from typing import Final

import pytest

from support.editor import EVERYWHERE, Editor
from support.editor import editor as editor

NAME: Final = "lesson.ipynb"
CELLS: Final = (
    "%matplotlib inline\nimport numpy as np\nimport typegrad as tg\nfrom typegrad.op import core, math",
    "scope = tg.Scope(tg.Graph())\nx = core.Placeholder.create(scope, tg.TFloat32, (None, 2))",
    "%time h = x + 1\ny = h @ x  # 😀",
)


@pytest.fixture
def lesson(editor: Editor) -> Editor:
    editor.open_notebook(NAME, *CELLS, texts=["# A lesson"])
    return editor


def _hints(editor: Editor, number: int) -> list[tuple[int, int, str]]:
    return editor.hints(editor.cell(NAME, number))


def test_cells_are_one_program(lesson: Editor) -> None:
    cell = lesson.cell(NAME, 3)
    assert [_hints(lesson, number) for number in (1, 2, 3)] == [
        [], [(1, 58, "float32 [?, 2]")], [(0, 15, "float32 [?, 2]"), (1, 15, "float32 [?, 2]")],
    ]  # fmt: skip
    assert lesson.hints(cell, {**EVERYWHERE, "end": {"line": 0, "character": 9}}) == [(0, 15, "float32 [?, 2]")]
    assert lesson.hover(cell, 0, 10)["contents"]["value"] == "```python\nx: float32 [?, 2]\n```"
    whole = lesson.hover(cell, 1, 6)
    assert whole["contents"]["value"] == "```python\nfloat32 [?, 2]\n```"
    assert whole["range"] == {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 9}}
    assert lesson.hover(lesson.cell(NAME, 1), 1, 4) is None
    assert [lesson.problems(lesson.cell(NAME, number)) for number in (1, 2, 3)] == [[], [], []]

    lesson.change_cell(NAME, 2, 2, CELLS[1].replace("None", "3"))
    assert _hints(lesson, 3)[0] == (0, 15, "float32 [3, 2]")
    ((where, text, code),) = lesson.problems(cell)
    assert (where, code) == ((1, 4, 1, 9), "typegrad-shape")
    assert text.startswith("MatMul: inner dimensions differ: a is [3, 2], b is [3, 2]")
    assert lesson.problems(lesson.cell(NAME, 2)) == []
    lesson.close_notebook(NAME, 3)
    assert _hints(lesson, 3) == []
    assert lesson.problems(cell) == []


def test_a_cell_that_cannot_be_read(lesson: Editor) -> None:
    hints = _hints(lesson, 3)
    lesson.change_cell(NAME, 2, 2, CELLS[1] + "\nw = (")
    assert _hints(lesson, 3) == hints
    assert [[code for _, _, code in lesson.problems(lesson.cell(NAME, number))] for number in (1, 2)] == [
        [],
        ["syntax"],
    ]
    lesson.change_cell(NAME, 2, 3, CELLS[1])
    assert _hints(lesson, 3) == hints
    assert lesson.problems(lesson.cell(NAME, 2)) == []
    lesson.close_notebook(NAME, 3)


def test_cells_are_inserted_and_removed(lesson: Editor) -> None:
    _hints(lesson, 3)
    lesson.insert_cell(NAME, 3, 9, 2, "x = core.Placeholder.create(scope, tg.TFloat32, (2, 2))\nz: int = x")
    assert _hints(lesson, 9)[0] == (0, 55, "float32 [2, 2]")
    assert _hints(lesson, 3)[0] == (0, 15, "float32 [2, 2]")
    assert len(lesson.problems(lesson.cell(NAME, 9))) == 1
    lesson.remove_cell(NAME, 3, 9, 3)
    assert _hints(lesson, 3)[0] == (0, 15, "float32 [?, 2]")
    assert lesson.problems(lesson.cell(NAME, 9)) == []
    lesson.close_notebook(NAME, 3)


def test_messages_name_cells(lesson: Editor) -> None:
    lesson.insert_cell(NAME, 4, 4, 2, "def f(x: int) -> int:\n    return x\n\n\nf(1)")
    lesson.insert_cell(NAME, 5, 5, 3, "f(2)\ndef g() -> None: ...\ndef g(x: int) -> None: ...")
    _hints(lesson, 5)
    ((where, text, _),) = lesson.problems(lesson.cell(NAME, 5))
    assert where[0] == 2 and text == 'Name "g" already defined on cell 5, line 2'
    lesson.close_notebook(NAME, 5)


def test_a_later_cell_defines_a_name_anew(lesson: Editor) -> None:
    lesson.insert_cell(NAME, 4, 4, 2, "def y(n: int) -> int:\n    return n\ny(1)")
    lesson.insert_cell(NAME, 5, 5, 3, "y = h @ [[1.0], [2.0]]\ny(2)")
    assert _hints(lesson, 5)[0] == (0, 22, "float32 [?, 1]")
    assert lesson.hover(lesson.cell(NAME, 3), 1, 0)["contents"]["value"] == "```python\ny: float32 [?, 2]\n```"
    assert [len(lesson.problems(lesson.cell(NAME, number))) for number in (3, 4, 5)] == [0, 0, 1]
    lesson.close_notebook(NAME, 5)


def test_a_notebook_imports_an_unsaved_text(editor: Editor) -> None:
    editor.open("folder/widths.py", "WIDTH = 3\n")
    cells = (*CELLS[:1], "import widths\ncore.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, (widths.WIDTH,))")
    editor.open_notebook("folder/a.ipynb", *cells)
    editor.open_notebook("folder/b.ipynb", *cells)
    for name in ("folder/a.ipynb", "folder/b.ipynb"):
        assert [text for _, _, text in editor.hints(editor.cell(name, 2))] == ["float32 [3]"]
        assert editor.problems(editor.cell(name, 2)) == []
    editor.change("folder/widths.py", 2, {"text": "WIDTH = 4\n"})
    for name in ("folder/a.ipynb", "folder/b.ipynb"):
        assert [text for _, _, text in editor.hints(editor.cell(name, 2))] == ["float32 [4]"]
        editor.close_notebook(name, 2)
    editor.close("folder/widths.py")


def test_a_notebook_without_code(editor: Editor) -> None:
    editor.open_notebook("empty.ipynb", texts=["# Nothing"])
    editor.insert_cell("empty.ipynb", 1, 1, 2, "x: int = 'a'")
    assert editor.hints(editor.cell("empty.ipynb", 1)) == []
    assert len(editor.problems(editor.cell("empty.ipynb", 1))) == 1
    editor.close_notebook("empty.ipynb", 1)
