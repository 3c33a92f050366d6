"""`typegrad check --annotate`: a program with the element types and shapes behind its lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from support import mypy_cache
from support.commands import Run
from support.commands import run as run

ANNOTATED: Final = '''\
"""Every kind of statement whose value is an operand."""

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from typing import Any, Literal, NewType, TypeVar

import typegrad as tg
from typegrad.op import core, math, nn

Batch = NewType("Batch", int)
Time = NewType("Time", int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])


def gelu(x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x * 0.5  # F [*S]


class Layer:
    def __init__(self, scope: tg.Scope) -> None:
        self.w = tg.Variable.create(scope, np.zeros((4, 8), np.float32))  # float32 [4, 8]

    def build(self, scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Batch, Time, Literal[4]]]) -> None:
        h = nn.Relu.create(scope, x @ self.w)  # float32 [Batch, Time, 8]
        h += 1  # float32 [Batch, Time, 8]
        for factor in (0.5, 2.0):
            h = h * factor  # float32 [Batch, Time, 8]
        for start in range(2):
            rest = h[:, :, start:]  # float32 [Batch, Time, ?]
        a, b = h + 1, -h  # float32 [Batch, Time, 8], float32 [Batch, Time, 8]
        parts = [a, b]  # list of float32 [Batch, Time, 8]
        both = (a, 1)  # (float32 [Batch, Time, 8], _)
        named = {"a": a}  # dict of float32 [Batch, Time, 8]
        first, second = core.Split.create(scope, 2, a, num_split=2)  # list of float32 [Batch, Time, 4]
        top = nn.TopK.create(scope, a, 3)  # values float32 [Batch, Time, 3], indices int32 [Batch, Time, 3]
        gelu(first)  # float32 [Batch, Time, 4]
        long = core.Concat.create(  # a comment of the user's
            scope,
            parts,
            0,
        )  # float32 [2*Batch, Time, 8]
        with tg.Session(scope.graph) as session:
            array = session.run(long)
        number = 1.0


def gradient(scope: tg.Scope, y: tg.Operand[tg.TFloat32], x: tg.Operand[tg.TFloat32, tuple[Batch]]) -> None:
    loss, slope = math.Mean.create(scope, y), tg.gradients(scope, y, [x])  # float32 [], (float32 [Batch] | None,)
    vector = core.Placeholder.create(scope, tg.TInt32, (None,))  # int32 [?]


def load() -> Any: ...


def unknown(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, load())  # ? [...]


Tree = list["Tree"] | tg.Operand[tg.TFloat32]


def first(tree: Tree) -> Tree:
    same = tree
    return same


def two(scope: tg.Scope, sizes: tuple[int, ...]) -> list[tg.Operand[tg.TFloat32]]:
    return [core.Placeholder.create(scope, tg.TFloat32, (size,)) for size in sizes]  # list of float32 [?]


def every(layers: Mapping[str, Sequence[tg.Operand[tg.TFloat32, tuple[Batch]]]]) -> None:
    same = layers  # Mapping of Sequence of float32 [Batch]
    last = deque(same["a"])  # deque of float32 [Batch]


left, right = two(tg.Scope(tg.Graph()), (3, 4))  # float32 [3], float32 [4]
'''


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPY_CACHE_DIR", str(mypy_cache.of_process(plugin=True, redefined=True)))
    return tmp_path


def without_annotations(text: str) -> str:
    marks = ["  # float32", "  # F", "  # list of", "  # (", "  # dict of", "  # values", "  # int32", "  # ?"]
    marks += ["  # Mapping of", "  # deque of"]
    return "\n".join(min((line.partition(mark)[0] for mark in marks), key=len) for line in text.split("\n"))


def test_a_file_is_printed_with_its_shapes(run: Run, project: Path) -> None:
    (project / "model.py").write_text(without_annotations(ANNOTATED))
    done = run("check", "--annotate", "--strict", "model.py")
    assert done.out.splitlines() == ANNOTATED.splitlines()
    assert (done.status, done.err) == (0, "")


SMALL: Final = """\
import typegrad as tg
from typegrad.op import core

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (2, None))
y = x + [1.0, 2.0, 3.0]; z = x
n: int = "a"
"""


CONTRADICTED: Final = """\
from typing import Any, Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core

Rays = NewType("Rays", int)
Three = tg.Operand[tg.TFloat32, tuple[Rays, Literal[3]]]


def weights(columns: int) -> Any:
    return np.ones((6, columns), np.float32)


def colors(x: tg.Operand[tg.TFloat32]) -> Three:
    return x @ weights(1)  # float32 [Rays, 1]


scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Rays, 6))  # float32 [Rays, 6]
made = colors(x)  # float32 [Rays, 1]
wide = made * 2.0  # float32 [Rays, 1]
"""


def test_a_declaration_that_the_program_contradicts_is_not_shown(run: Run, project: Path) -> None:
    program = project / "program.py"
    program.write_text(without_annotations(CONTRADICTED))
    shown = run("check", "--annotate", "--strict", str(program))
    assert shown.out == CONTRADICTED
    assert "colors returns an operand of shape [Rays, 1], but is declared to return [Rays, 3]" in shown.err


def test_as_json(run: Run, project: Path) -> None:
    (project / "model.py").write_text(SMALL.replace('"a"', "1"))
    done = run("check", "--annotate", "--strict", "--json", "model.py")
    assert [json.loads(line) for line in done.out.splitlines()] == [
        {"file": "model.py", "line": 5, "end_line": 5, "text": "float32 [2, ?]"},
        {"file": "model.py", "line": 6, "end_line": 6, "text": "float32 [2, 3]"},
        {"file": "model.py", "line": 6, "end_line": 6, "text": "float32 [2, ?]"},
    ]


def test_mypy_s_errors_go_to_standard_error(run: Run, project: Path) -> None:
    (project / "model.py").write_text(SMALL)
    done = run("check", "--annotate", "--strict", "model.py")
    says = 'Incompatible types in assignment (expression has type "str", variable has type "int")  [assignment]'
    assert (done.status, done.err) == (1, f"model.py:7: error: {says}\n")
    assert "y = x + [1.0, 2.0, 3.0]; z = x  # float32 [2, 3]; float32 [2, ?]\n" in done.out


def test_files_of_which_one_is_not_ascii(run: Run, project: Path) -> None:
    names = ("plain.py", "naïve.py", "last.py")
    for name in names:
        (project / name).write_text(SMALL.replace('"a"', "1") + f'\n"{name}"\n', encoding="utf-8")
    done = run("check", "--annotate", "--strict", "--json", *names)
    assert (done.status, done.err) == (0, "")
    assert [(each["file"], each["line"]) for each in map(json.loads, done.out.splitlines())] == [
        (name, line) for name in names for line in (5, 6, 6)
    ]


def test_a_file_that_is_no_python(run: Run, project: Path) -> None:
    (project / "model.py").write_text("x = (\n")
    done = run("check", "--annotate", "--strict", "model.py")
    assert (done.status, done.out) == (2, "") and done.err.startswith("model.py:") and "[syntax]" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.py",), "nowhere.py"),
        ((), "name a file or a folder: typegrad check model.py"),
        (("--coverage", "model.py"), "it excludes --annotate"),
    ],
)
def test_what_cannot_be_annotated(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("check", "--annotate", "--strict", *arguments)
    assert (done.status, done.out) == (2, "") and message in done.err


def test_colours_on_a_terminal(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "model.py").write_text(SMALL)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[36m# float32 [2, ?]\x1b[0m" in run("check", "--annotate", "--strict", "model.py").out
