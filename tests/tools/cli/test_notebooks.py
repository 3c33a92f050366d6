"""`typegrad check lesson.ipynb`: the cells of a notebook are checked as one program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from support.commands import Run
from support.notebooks import check, notebook
from typegrad.tools.types.notebooks import Notebook

IMPORTS: Final = """\
%matplotlib inline
!pip install typegrad
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg
from __future__ import annotations"""
OPERANDS: Final = """\
%%time
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, shape=(4, 3))
w = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
display(x)"""
FUNCTION: Final = """\
def pair(a: int, b: int) -> list[int]:
    return [a, b]"""
RUN: Final = """\
with tg.Session(scope.graph) as session:
    value = session.run(x, {x: np.zeros((4, 3), np.float32)})
value"""
MATMUL: Final = (
    "MatMul: inner dimensions differ: a is [4, 3], b is [2, 3]; linalg.MatMul with transpose_b=True would fit"
)


def test_errors_are_told_by_cell_and_line(tmp_path: Path, cache: Path) -> None:
    cells = (
        IMPORTS, OPERANDS, "%%bash\nls -l", "", FUNCTION, "files = !ls\nx?\nlen(files)\ny = x @ w",
        "pair(1,\n     'two')", "def one() -> None: ...\ndef one(x: int) -> None: ...",
    )  # fmt: skip
    (tmp_path / "lesson.ipynb").write_text(notebook(*cells))
    done = check(tmp_path, cache, "lesson.ipynb")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        f"lesson.ipynb:cell_6:4: error: {MATMUL}  [typegrad-shape]",
        'lesson.ipynb:cell_7:2: error: Argument 2 to "pair" has incompatible type "str"; expected "int"  [arg-type]',
        'lesson.ipynb:cell_8:2: error: Name "one" already defined on cell 8, line 1  [no-redef]',
        "Found 3 errors in 1 file (checked 1 source file)",
    ]
    told = [json.loads(line) for line in check(tmp_path, cache, "--json", "lesson.ipynb").stdout.splitlines()]
    assert [(each["cell"], each["line"]) for each in told] == [(6, 4), (7, 2), (8, 2)]
    assert told[-1]["message"] == 'Name "one" already defined on cell 8, line 1'


def test_what_a_program_makes_is_told_by_cell_and_line(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "lesson.ipynb").write_text(
        notebook(IMPORTS, OPERANDS, "sizes = {'a': 3}", "x + np.zeros(sizes['a'] + 1)")
    )
    done = check(tmp_path, cache, "lesson.ipynb")
    assert done.stdout.startswith("lesson.ipynb:cell_4:1: error: AddV2: ")


def test_the_calls_that_lead_to_an_error_are_told_by_cell_and_line(tmp_path: Path, cache: Path) -> None:
    def function(name: str, result: str) -> str:
        return f"def {name}(n: int) -> tg.Operand[tg.TFloat32]:\n    return {result}\n"

    inner = function("add", "x + np.zeros(n, np.float32)")
    outer = function("twice", "add(n)") + function("thrice", "twice(n)")
    (tmp_path / "lesson.ipynb").write_text(notebook(IMPORTS, OPERANDS, inner, outer, "\ny = thrice(5)"))
    told, _ = check(tmp_path, cache, "lesson.ipynb").stdout.splitlines()
    assert told.startswith("lesson.ipynb:cell_5:2: error: AddV2: ")
    assert told.endswith("; in add, cell 3, line 2, called in cell 4, line 2 and cell 4, line 4  [typegrad-shape]")


def test_right_cells_beside_other_files(tmp_path: Path, cache: Path) -> None:
    cells = (
        IMPORTS, OPERANDS, "for each in range(3):\n    !echo {each}\n    print('%d'\n          % each)",
        "%load_ext autoreload\nget_ipython()", "%%html\n<b>", RUN,
    )  # fmt: skip
    for name in ("a.ipynb", "b.ipynb"):
        (tmp_path / name).write_text(notebook(*cells))
    (tmp_path / "program.py").write_text("x = 1\n")
    done = check(tmp_path, cache, "a.ipynb", "program.py", "./b.ipynb")
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 3 source files\n")
    (tmp_path / "b.ipynb").write_text(notebook(*cells, "x + 'a'"))
    done = check(tmp_path, cache, "a.ipynb", "program.py", str(tmp_path / "b.ipynb"))
    assert done.returncode == 1 and "b.ipynb:cell_7:1: error: AddV2: " in done.stdout


def test_a_notebook_as_a_text(tmp_path: Path) -> None:
    path = tmp_path / "lesson.ipynb"
    path.write_text(notebook("%cd ..\ndisplay(x)\nif x:\n  %cd ..", "y = 1 %2"))
    first, *lines = Notebook.read(str(path)).text.splitlines()
    assert "display" in first and "__future__" not in first
    assert lines == ["pass", "display(x)", "if x:", "  pass", "y = 1 %2"]
    path.write_text(notebook())
    assert Notebook.read(str(path)).placed(f"{path}:1: error: no") == f"{path}:cell_1:1: error: no"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1\n", "lesson.ipynb is not a notebook of Jupyter's format 4"),
        ("[]", "lesson.ipynb is not a notebook of Jupyter's format 4"),
        ('{"worksheets": [], "metadata": {}, "nbformat": 3}', "lesson.ipynb is not a notebook of Jupyter's format 4"),
        (
            notebook(metadata={"kernelspec": {"language": "julia"}}),
            "the cells of lesson.ipynb are in julia, not in Python",
        ),
    ],
)
def test_what_is_no_notebook_of_python(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lesson.ipynb").write_text(text)
    done = run("check", "lesson.ipynb")
    assert (done.status, done.out, done.err) == (2, "", f"typegrad: {why}\n")


HELPERS: Final = """\
import typegrad as tg
def twice(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0
"""
RUNS: Final = (
    IMPORTS,
    OPERANDS,
    "from helpers import twice\n%time y = twice(x)",
    "import asyncio\nawait asyncio.sleep(0)\nprint(_, Out[1])",
    "get_ipython().run_line_magic('ls', '')\nfiles = !ls\nfor each in files:\n    print(each.upper())",
    "%%capture out\nprint(y)",
    "out.show()\ntwice(y)",
)
READS_OTHERS: Final = "%run other.py\nother(x, ratio)"


def test_what_runs_in_jupyter_is_right(tmp_path: Path, cache: Path) -> None:
    """A notebook imports from its folder, and may have names of IPython and of its magics."""
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "helpers.py").write_text(HELPERS)
    (folder / "a.py").write_text("get_ipython().run_line_magic('ls', '')\n")
    (folder / "a.ipynb").write_text(notebook(*RUNS))
    (folder / "b.ipynb").write_text(notebook(*RUNS, READS_OTHERS))
    done = check(tmp_path, cache, "lessons/a.ipynb", "lessons/b.ipynb")
    assert done.stdout == "Success: no issues found in 2 source files\n"
    (folder / "a.ipynb").write_text(notebook(*RUNS, "ratio"))
    done = check(tmp_path, cache, "lessons/a.ipynb")
    assert 'lessons/a.ipynb:cell_8:1: error: Name "ratio" is not defined' in done.stdout


def test_notebooks_of_one_name(tmp_path: Path, cache: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lesson.ipynb").write_text(
            notebook(IMPORTS, OPERANDS, "x @ w" if name == "two" else "x + x")
        )
    (tmp_path / "lesson.py").write_text("x = 1\n")
    done = check(tmp_path, cache, "one/lesson.ipynb", "lesson.py", "two/lesson.ipynb", "--", "--no-error-summary")
    assert done.stdout == f"two/lesson.ipynb:cell_3:1: error: {MATMUL}  [typegrad-shape]\n"
    assert done.returncode == 1


def test_types_are_shown_in_cells(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "lesson.ipynb").write_text(notebook(*RUNS[:3], "y: int = x"))
    done = check(tmp_path, cache, "--annotate", "lesson.ipynb", "helpers.py")
    assert done.stdout.splitlines() == [
        "# %% cell 1",
        *IMPORTS.splitlines(),
        "# %% cell 2",
        "%%time",
        "scope = tg.Scope(tg.Graph())",
        "x = core.Placeholder.create(scope, tg.TFloat32, shape=(4, 3))  # float32 [4, 3]",
        "w = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))  # float32 [2, 3]",
        "display(x)",
        "# %% cell 3",
        "from helpers import twice",
        "%time y = twice(x)  # float32 [4, 3]",
        "# %% cell 4",
        "y: int = x  # float32 [4, 3]",
        *HELPERS.splitlines()[:2],
        "    return x * 2.0  # float32 [4, 3]",
    ]
    assert done.returncode == 1 and done.stderr.startswith("lesson.ipynb:cell_4:1: error: ")
    told = [
        json.loads(each) for each in check(tmp_path, cache, "--annotate", "--json", "lesson.ipynb").stdout.splitlines()
    ]
    assert told[2] == {"file": "lesson.ipynb", "line": 2, "end_line": 2, "text": "float32 [4, 3]", "cell": 3}


def test_what_is_not_known_is_listed_by_cell(tmp_path: Path, cache: Path) -> None:
    cells = "import json\ny = core.Constant.create(scope, json.loads(input()), tg.TFloat32)", "y + x"
    (tmp_path / "lesson.ipynb").write_text(notebook(IMPORTS, OPERANDS.replace("display(x)", ""), *cells))
    done = check(tmp_path, cache, "--coverage", "lesson.ipynb")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "lesson.ipynb:cell_3:2: Constant: the shape comes from `json.loads(input())`, which returns Any",
        "lesson.ipynb:cell_4:1: `y + x`: the shape comes from `y` (cell 3, line 2), which is float32 [...]",
        "2 of 4 operations known",
    ]
    told = check(tmp_path, cache, "--coverage", "--json", "lesson.ipynb").stdout.splitlines()
    assert json.loads(told[1])["cell"] == 4 and "(cell 3, line 2)" in json.loads(told[1])["reason"]
