"""What an editor shows is true of the texts that it holds, saved or not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen

from support import mypy_cache
from support.editor import OPTIONAL, Editor
from support.editor import editor as editor

IMPORTS: Final = """\
import numpy as np
import typegrad as tg
from typegrad.op import core, math
scope = tg.Scope(tg.Graph())
"""
RECORD: Final = """\
from typing import NamedTuple
import typegrad as tg
class Losses(NamedTuple):
    total: tg.Operand[tg.TFloat32]
"""
LAYERS: Final = """\
import numpy as np
import typegrad as tg
sizes = {"in": 3, "out": 4}
def dense(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x @ np.zeros((sizes["in"], sizes["out"]), np.float32)
"""


@frozen
class Unsaved:
    """Two versions of a text, of which the first is on disk, and one that imports it, which is not edited.

    Of each version, the last hint or the only message in the text that imports it.
    """

    versions: tuple[str, str]
    user: str
    expected: tuple[str, str]


CASES: Final = {
    "type": Unsaved(
        ("WIDTH = 'two'\n", "WIDTH = 2\n"), "import {name}\nx: int = {name}.WIDTH\n",
        ('Incompatible types in assignment (expression has type "str", variable has type "int")', ""),
    ),
    "name": Unsaved(("a = 1\n", "b = 1\n"), "from {name} import b\n", ('Module "{name}" has no attribute "b"', "")),
    "constant": Unsaved(
        ("SIZE = 3\n", "SIZE = 4\n"),
        IMPORTS + "from {name} import SIZE\ncore.Placeholder.create(scope, tg.TFloat32, (SIZE, 2))\n",
        ("float32 [3, 2]", "float32 [4, 2]"),
    ),
    "constant, assigned elsewhere": Unsaved(
        ("SIZE = 3\ndef grow() -> None: ...\n", "SIZE = 3\ndef grow() -> None:\n    global SIZE\n    SIZE += 1\n"),
        IMPORTS + "import {name}\n{name}.grow()\ncore.Placeholder.create(scope, tg.TFloat32, ({name}.SIZE, 2))\n",
        ("float32 [3, 2]", "float32 [4, 2]"),
    ),
    "result": Unsaved(
        (
            "import typegrad as tg\ndef f(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:\n    return x * 2.0\n",
            "import typegrad as tg\ndef f(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:\n    return x[0]\n",
        ),
        IMPORTS + "from {name} import f\nf(core.Constant.create(scope, np.zeros((3, 4), np.float32)))\n",
        ("float32 [3, 4]", "float32 [4]"),
    ),
    "what the program makes": Unsaved(
        (LAYERS, LAYERS.replace('"in": 3', '"in": 5')),
        IMPORTS + "from {name} import dense\ndense(core.Constant.create(scope, np.zeros((2, 3), np.float32)))\n",
        ("float32 [2, 4]", "MatMul: inner dimensions differ: a is [2, 3], b is [5, 4]; in dense, line 5 of {name}.py"),
    ),
    "record that a run returned": Unsaved(
        (RECORD.replace("tg.Operand[tg.TFloat32]", "int"), RECORD),
        IMPORTS + "from {name} import Losses\nlosses = Losses(core.Constant.create(scope, 1.0))\n"
        "with tg.Session(scope.graph) as session:\n    now: Losses = session.run(losses)\n"
        "print(f'{{now.total:.3f}}')\n",
        ('Argument 1 to "Losses" has incompatible type ', "(float32 [],)"),
    ),
}  # fmt: skip


def shown(editor: Editor, name: str) -> str:
    """The only message, or the last hint; "" without any."""
    hints = editor.hints(name)
    problems = [text for _, text, _ in editor.problems(name)]
    assert len(problems) < 2, problems
    return (problems or [text for _, _, text in hints[-1:]] or [""])[0]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("on_disk", [True, False], ids=["saved once", "new"])
def test_an_edit_is_true_for_what_imports_the_text(editor: Editor, case: Unsaved, on_disk: bool) -> None:
    name = f"module_{[*CASES.values()].index(case)}_{on_disk}"
    before, after = (each.format(name=name) for each in case.expected)
    module, user = f"{name}.py", f"of_{name}.py"
    if on_disk:
        (editor.folder / module).write_text(case.versions[0])
    editor.open(module, case.versions[0])
    editor.open(user, case.user.format(name=name))
    assert shown(editor, user).startswith(before)
    editor.change(module, 2, {"text": case.versions[1]})
    assert shown(editor, user) == after
    editor.change(module, 3, {"text": case.versions[0]})
    assert shown(editor, user).startswith(before)
    editor.change(module, 4, {"text": case.versions[1]})
    editor.close(module)
    if on_disk:
        assert shown(editor, user).startswith(before)
    else:
        editor.hints(user)
        assert "import" in str(editor.problems(user))
    editor.close(user)


def test_an_edit_is_true_for_what_the_text_imports(editor: Editor) -> None:
    """The program tells what the functions of the other text make."""
    user = CASES["result"].user
    editor.open("calls_f.py", user.format(name="has_f"))
    editor.open("has_f.py", CASES["result"].versions[0])
    editor.hints("calls_f.py")
    assert editor.hints("has_f.py") == [(2, 18, "float32 [3, 4]")]
    editor.change("calls_f.py", 2, {"text": user.format(name="has_f").replace("(3, 4)", "(7,)")})
    assert editor.hints("has_f.py") == [(2, 18, "float32 [7]")]
    editor.change(
        "calls_f.py", 3, {"text": user.format(name="has_f").replace("f(core", "core.Identity.create(scope, (core")}
    )
    assert editor.hints("has_f.py") == [(2, 18, "float32 [...]")]  # as it cannot be read
    editor.change("calls_f.py", 4, {"text": "import has_f\n"})
    assert editor.hints("has_f.py") == [(2, 18, "float32 [...]")]
    editor.change("calls_f.py", 5, {"text": user.format(name="has_f")})
    assert editor.hints("has_f.py") == [(2, 18, "float32 [3, 4]")]
    editor.close("calls_f.py")
    assert editor.hints("has_f.py") == [(2, 18, "float32 [...]")]
    editor.close("has_f.py")


@pytest.mark.parametrize("name", ["untitled:Untitled-2", "not_on_disk.py", "not_on_disk"])
def test_a_record_that_is_declared_in_a_text_that_is_not_on_disk(editor: Editor, name: str) -> None:
    user = CASES["record that a run returned"].user.format(name="").replace("from  import Losses\n", "")
    editor.open(name, RECORD + user)
    assert "(float32 [],)" in [text for _, _, text in editor.hints(name)]
    assert editor.problems(name) == []
    editor.change(name, 2, {"text": RECORD + user.replace("total:.3f", "total.missing")})
    editor.hints(name)
    assert len(editor.problems(name)) == 1
    editor.close(name)


def test_a_package_that_is_not_on_disk(editor: Editor) -> None:
    texts = {
        "new_package/__init__.py": "",
        "new_package/sizes.py": "SIZE = 3\n",
        "new_package/layers.py": CASES["result"].versions[0].replace("\n", "\nfrom .sizes import SIZE as SIZE\n", 1),
        "of_new_package.py": CASES["result"].user.format(name="new_package.layers").replace("(3, 4)", "(SIZE,)").replace("import f", "import SIZE, f"),
    }  # fmt: skip
    for name, text in texts.items():
        editor.open(name, text)
    assert editor.hints("of_new_package.py")[-1][2] == "float32 [3]"
    assert editor.problems("of_new_package.py") == []
    editor.change("new_package/sizes.py", 2, {"text": "SIZE = 8\n"})
    assert editor.hints("new_package/layers.py") == [(3, 18, "float32 [8]")]
    editor.close(*texts)


def test_an_imported_text_that_cannot_be_read(editor: Editor) -> None:
    module, user = CASES["result"].versions[0], CASES["result"].user.format(name="half_written")
    editor.open("half_written.py", module)
    editor.open("of_half_written.py", user)
    hints = editor.hints("of_half_written.py")
    assert editor.problems("of_half_written.py") == []
    editor.change("half_written.py", 2, {"text": module + "def g(\n"})
    assert editor.hints("of_half_written.py") == hints
    ((_, text, _),) = editor.problems("of_half_written.py")
    assert text.startswith("half_written.py:") and text.endswith("[syntax]")
    editor.change("half_written.py", 3, {"text": module})
    assert editor.hints("of_half_written.py") == hints
    assert editor.problems("of_half_written.py") == []
    editor.close("half_written.py", "of_half_written.py")


def test_the_server_ends_while_a_check_waits() -> None:
    command = [sys.executable, "-m", "typegrad", "lsp"]
    environment = {**os.environ, "MYPY_CACHE_DIR": str(mypy_cache.of_process(plugin=True, redefined=True))}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
        editor = Editor(Path.cwd(), process)
        editor.ask("initialize", processId=None, rootUri=None, capabilities=OPTIONAL)
        editor.tell("initialized")
        editor.open("untitled:Untitled-1", IMPORTS)
        editor.ask("shutdown")
        editor.tell("exit")
        assert process.wait(60) == 0
        assert process.stderr is not None and b"Traceback" not in process.stderr.read()


def test_a_file_that_is_not_open_changes(editor: Editor) -> None:
    module = editor.folder / "closed.py"
    module.write_text("WIDTH = 'two'\n")
    editor.open("of_closed.py", "import closed\nx: int = closed.WIDTH\n")
    assert shown(editor, "of_closed.py").startswith("Incompatible types")
    (asked,) = [each for each in editor.told if each["method"] == "client/registerCapability"]
    assert asked["params"]["registrations"][0]["registerOptions"]["watchers"] == [{"globPattern": "**/*.py"}]
    module.write_text("WIDTH = 12\n")
    for name in (".venv/lib/site-packages/a.py", "of_closed.py"):  # whose texts do not matter, or are known
        editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": editor.uri(name), "type": 2}])
    assert shown(editor, "of_closed.py").startswith("Incompatible types")
    editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": editor.uri("closed.py"), "type": 2}])
    assert shown(editor, "of_closed.py") == ""
    editor.close("of_closed.py")
