"""`typegrad lsp`: the language server, driven as an editor drives it."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import Final

import pytest

from support.commands import Run
from support.commands import run as run
from support.editor import EVERYWHERE, Editor
from support.editor import editor as editor
from typegrad.tools.cli import features

PROGRAM: Final = """\
import typegrad as tg
from typegrad.op import core

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (None, 2))
h = x + 1; y = h @ x  # 😀
"""
CALLED: Final = """\
import typegrad as tg


def twice(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0
"""


def test_hints_hovers_and_diagnostics_follow_the_text(editor: Editor) -> None:
    editor.open("model.py", PROGRAM)
    shapes = [(4, 58, "float32 [?, 2]"), (5, 26, "float32 [?, 2]"), (5, 26, "float32 [?, 2]")]
    assert editor.hints("model.py") == shapes
    assert editor.hints("model.py", {**EVERYWHERE, "end": {"line": 4, "character": 99}}) == shapes[:1]
    assert editor.problems("model.py") == []

    assert editor.hover("model.py", 5, 15)["contents"]["value"] == "```python\nh: float32 [?, 2]\n```"
    on_call = editor.hover("model.py", 4, 10)
    assert on_call["contents"] == {"kind": "markdown", "value": "```python\nfloat32 [?, 2]\n```"}
    assert on_call["range"] == {"start": {"line": 4, "character": 4}, "end": {"line": 4, "character": 58}}
    assert editor.hover("model.py", 3, 1) is None

    place = {"start": {"line": 4, "character": 49}, "end": {"line": 4, "character": 53}}
    editor.change("model.py", 2, {"range": place, "text": "3"})
    assert editor.hints("model.py")[0] == (4, 55, "float32 [3, 2]")
    where = (5, 15, 5, 20)
    said = "MatMul: inner dimensions differ: a is [3, 2], b is [3, 2]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit"
    assert editor.problems("model.py") == [(where, said, "typegrad-shape")]

    editor.change("model.py", 3, {"text": "x = (\n"})
    assert editor.hints("model.py") == []
    ((_, _, code),) = editor.problems("model.py")
    assert code == "syntax"

    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("model.py")})
    assert editor.hover("user.py", 0, 0) is None
    assert editor.problems("model.py") == []
    assert any(each["method"] == "workspace/inlayHint/refresh" for each in editor.told)


def test_a_check_is_shown_while_it_runs(editor: Editor) -> None:
    editor.told.clear()
    editor.open("model.py", PROGRAM)
    editor.hints("model.py")
    asked, *reported = [each for each in editor.told if "token" in each.get("params", ())]
    assert asked["method"] == "window/workDoneProgress/create"
    assert [each["params"]["value"]["kind"] for each in reported] == ["begin", "end"]
    assert {each["params"]["token"] for each in reported} == {asked["params"]["token"]}
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("model.py")})


FOREIGN: Final = """\
import typegrad as tg
from typegrad.op import core

scope = tg.Scope(tg.Graph())
größe, é = core.Placeholder.create(scope, tg.TFloat32, (2,)), 1
print("naïve 😀", größe * 2); y = größe + "😀"  # é
h = {"é😀": größe}["é😀"] * 2  # 😀é
"""


def test_columns_are_those_of_the_editor(editor: Editor) -> None:
    """The protocol counts 16-bit units: one for an accent, two for an emoji."""

    def at(line: int, text: str) -> tuple[int, int]:
        """Where a text begins in a line."""
        return line, len(FOREIGN.splitlines()[line].partition(text)[0].encode("utf-16-le")) // 2

    editor.open("foreign.py", FOREIGN)
    hints = [(*at(4, "!"), "float32 [2], _"), (*at(5, "!"), "? [...]"), (*at(6, "!"), "float32 [2]")]
    assert editor.hints("foreign.py") == hints
    for place in (at(5, "größe * 2"), at(5, "größe + "), at(6, "größe")):
        result = editor.hover("foreign.py", *place)
        line, column = place
        end = {"line": line, "character": column + len("größe")}
        assert result["contents"]["value"] == "```python\ngröße: float32 [2]\n```"
        assert result["range"] == {"start": {"line": line, "character": column}, "end": end}
        assert editor.hover("foreign.py", line, column - 1) != result != editor.hover("foreign.py", line, column + 5)
    ((where, text, code),) = editor.problems("foreign.py")
    assert (where, code) == ((*at(5, "größe + "), *at(5, "  # é")), "typegrad-dtype") and "😀" in text


def test_a_file_that_cannot_be_read_keeps_its_hints(editor: Editor) -> None:
    editor.open("broken.py", PROGRAM)
    whole = editor.hints("broken.py")
    lines = PROGRAM.splitlines(keepends=True)
    editor.change("broken.py", 2, {"text": "".join([*lines[:4], "w = [x\n", *lines[4:]])})
    assert editor.hints("broken.py") == [(line + 1, *rest) for line, *rest in whole]
    assert editor.hover("broken.py", 6, 0)["contents"]["value"] == "```python\nh: float32 [?, 2]\n```"
    assert [code for _, _, code in editor.problems("broken.py")] == ["syntax"]
    editor.change("broken.py", 3, {"text": "".join(lines[:5]) + "h = (x +\n"})
    assert editor.hints("broken.py") == whole[:1]
    editor.change("broken.py", 4, {"text": PROGRAM})
    assert editor.hints("broken.py") == whole and editor.problems("broken.py") == []


def test_several_files_one_of_them_outside_the_folder(editor: Editor, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("")
    names = ["model.py", "sizes.py", str(outside)]
    for name in names:
        editor.open(name, PROGRAM)
    assert [len(editor.hints(name)) for name in names] == [3, 3, 3]
    editor.change(names[0], 2, {"text": "x = 1\n"})
    assert [len(editor.hints(name)) for name in names] == [0, 3, 3]
    for name in names:
        editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})


@pytest.mark.parametrize("name", ["new.py", "folder/new.py", "Übungen 1/c+d.py", "untitled:Untitled-1"])
def test_a_new_text_needs_no_file(editor: Editor, name: str) -> None:
    editor.open(name, PROGRAM + CALLED + "twice(x)\n")
    assert [text for _, _, text in editor.hints(name)] == ["float32 [?, 2]"] * 5
    editor.change(name, 2, {"text": PROGRAM.replace("None", "3")})
    assert len(editor.hints(name)) == 3
    assert [code for _, _, code in editor.problems(name)] == ["typegrad-shape"]
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})
    assert editor.hints("model.py") == []
    assert editor.problems(name) == []


@pytest.mark.parametrize("name", ["git:/model.py?HEAD", "vscode-notebook-cell:/model.ipynb#1", "site-packages/some.py"])
def test_texts_that_are_not_the_users_files_are_not_checked(editor: Editor, name: str) -> None:
    editor.open(name, PROGRAM)
    assert editor.hints(name) == []
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})


@pytest.mark.parametrize(
    ("name", "language", "text", "hints", "told"),
    [
        ("lesson.ipynb", "json", '{"cells": []}', 0, "a notebook is checked where an editor shows its cells, and by typegrad check lesson.ipynb"),
        ("lesson.ipynb", "python", '{"cells": []}', 0, "a notebook is checked where an editor shows its cells, and by typegrad check lesson.ipynb"),
        ("lesson.ipynb", "python", PROGRAM, 3, None),
        ("model.txt", "plaintext", PROGRAM, 0, None),
        ("model.txt", "python", PROGRAM, 3, None),
        ("script", "", PROGRAM, 3, None),
    ],
)  # fmt: skip
def test_texts_of_other_languages_are_not_checked(
    editor: Editor, name: str, language: str, text: str, hints: int, told: str | None
) -> None:
    editor.open(name, text, language)
    assert len(editor.hints(name)) == hints
    said = [message for _, message, _ in editor.problems(name)]
    assert len(said) == (told is not None) and all(told is not None and told in each for each in said)
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})


@pytest.mark.parametrize("user", ["user.py", "élève [1].py"])
def test_an_imported_file_has_the_text_in_the_editor(editor: Editor, user: str) -> None:
    editor.open("sizes.py", "WIDTH = 'two'\n")
    editor.open(user, "import sizes\nx: str = sizes.WIDTH\n")
    editor.hints(user)
    assert editor.problems(user) == []
    editor.change("sizes.py", 2, {"text": "WIDTH = 2\n"})
    editor.hints("sizes.py")
    editor.tell("textDocument/didSave", textDocument={"uri": editor.uri("sizes.py")})
    editor.hints(user)
    assert [code for _, _, code in editor.problems(user)] == ["assignment"]
    for name in ("sizes.py", user):
        editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})


CALLS: Final = PROGRAM + "from called import twice\ntwice(x)\n"


def test_a_function_has_the_sizes_of_the_open_files_that_call_it(editor: Editor) -> None:
    for name, text in {"called.py": CALLED, "calls.py": CALLS}.items():
        (editor.folder / name).write_text(text)
    editor.open("called.py", CALLED)
    assert editor.hints("called.py") == [(4, 18, "float32 [...]")]
    editor.open("calls.py", CALLS.replace("(None, 2)", "(3, 3)"))
    editor.change("called.py", 2, {"text": f"# one line more\n{CALLED}"})
    assert editor.hints("called.py") == [(5, 18, "float32 [3, 3]")]
    assert editor.hover("called.py", 5, 15)["contents"]["value"] == "```python\nfloat32 [3, 3]\n```"
    editor.change("calls.py", 2, {"text": "x = ("})
    editor.change("called.py", 3, {"text": CALLED})
    assert editor.hints("called.py") == [(4, 18, "float32 [...]")]
    assert editor.problems("called.py") == []
    for name in ("called.py", "calls.py"):
        editor.tell("textDocument/didClose", textDocument={"uri": editor.uri(name)})


def test_names_have_the_sizes_of_the_program(editor: Editor) -> None:
    text = """\
import typegrad as tg
from typegrad.op import core

class Held:
    def __init__(self, x: tg.Operand[tg.TFloat32]) -> None:
        self.x = x
scope = tg.Scope(tg.Graph())
xs: list[tg.Operand[tg.TFloat32]] = [core.Constant.create(scope, [1.0] * size) for size in (3, 4)]
held = Held(xs[0])
y = held.x
for x in xs:
    print(x, y)
first, second = xs
def doubled(scale: tg.Operand[tg.TFloat32], *, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    scale = scale * 2.0
    return scale * x[0]
doubled(xs[0], x=xs[1])
"""
    (editor.folder / "names.py").write_text(text)
    editor.open("names.py", text)
    for line, column, shown in (
        (5, 10, "x: float32 [3]"),
        (5, 17, "x: float32 [3]"),
        (9, 0, "y: float32 [3]"),
        (9, 9, "x: float32 [3]"),
        (10, 4, "x: float32 [?]"),
        (11, 10, "x: float32 [?]"),
        (11, 13, "y: float32 [3]"),
        (12, 0, "first: float32 [3]"),
        (12, 8, "second: float32 [4]"),
        (13, 12, "scale: float32 [...]"),
        (13, 47, "x: float32 [4]"),
        (4, 23, "x: float32 [3]"),
    ):
        assert editor.hover("names.py", line, column)["contents"]["value"] == f"```python\n{shown}\n```", (line, column)


PASSED: Final = """\
import numpy as np
import typegrad as tg
from typegrad.op import core

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (None, 2))
weights = {n: tg.Variable.create(scope, np.zeros((n, 4), np.float32)) for n in (2, 3)}


def product(n: int) -> tg.Operand[tg.TFloat32]:
    return x @ weights[n]


product(3)
"""


def test_an_error_of_the_program_is_of_a_whole_line(editor: Editor) -> None:
    (editor.folder / "passed.py").write_text(PASSED)
    editor.open("passed.py", PASSED)
    editor.hints("passed.py")
    ((where, text, _),) = editor.problems("passed.py")
    assert PASSED.splitlines()[where[0]][where[1] : where[3]] == "return x @ weights[n]"
    assert text.startswith("MatMul: inner dimensions differ: a is [?, 2], b is [3, 4]")
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("passed.py")})


def test_settings_that_mypy_cannot_read(editor: Editor) -> None:
    (editor.folder / "mypy.ini").write_text("no section\n")
    editor.open("model.py", PROGRAM)
    assert editor.hints("model.py") == []
    ((where, text, _),) = editor.problems("model.py")
    assert where[0] == 0 and "mypy.ini" in text


def test_without_pygls(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "find_spec", lambda name: None if name == "pygls" else util.find_spec(name))
    done = run("lsp")
    expected = "typegrad: typegrad lsp needs pygls: run pip install 'typegrad[lsp]'\n"
    assert (done.status, done.out, done.err) == (1, "", expected)
