"""`typegrad check --coverage`: what is not known of a program's operations, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from support import mypy_cache
from support.commands import Run
from support.commands import run as run

HEADER: Final = """\
# mypy: no-check-untyped-defs, allow-untyped-defs, allow-untyped-calls
from typing import Any

import numpy as np
import typegrad as tg
from typegrad import activations
from typegrad.op import core, linalg, math

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (None, 784))


def load() -> Any: return open("data").read()
def old(x): return math.Exp.create(scope, x)
def plain(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]: raise ValueError(x)
def matrix(array: "np.ndarray[Any, np.dtype[np.float32]]", size: int) -> None:
"""
REASONS: Final = """\
    y = core.Constant.create(scope, load())  # Constant: the element type and the shape come from `load()`, which returns Any
    z = linalg.MatMul.create(scope, x, load())  # MatMul: the shape comes from `load()`, which returns Any
    y * x  # `y * x`: the shape comes from `y` (line 17), which is ? [...]
    anything: Any = load()
    x + anything  # `x + anything`: the shape comes from `anything`, which is Any
    old(x)  # `old(x)`: `old` has no annotations
    plain(x)  # `plain(x)`: `plain` is declared to return float32 [...]
    core.Constant.create(scope, array)  # Constant: the shape comes from `array`, an array of unknown shape
    core.Reshape.create(scope, x, [size] * size)  # Reshape: the shape depends on values that are not in the source
    core.Reshape.create(scope, x, (size, -1))
    (x + 1) @ (y)  # `(x + 1) @ (y)`: the shape comes from `y` (line 17), which is ? [...]
    core.Reshape.create(scope, x, (size, -1)) * (1.0 / np.sqrt(size))
    x[0] + x.expect(tg.TFloat32, (2, 784))
    core.Constant.create(scope, load()).expect(tg.TFloat32, (784,))
    activations.relu(scope, y)  # `activations.relu(scope, y)`: the element type and the shape come from `y` (line 17), which is ? [...]
    len([x]), load(), np.zeros(size)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPY_CACHE_DIR", str(mypy_cache.of_process(plugin=True, redefined=True)))
    return tmp_path


def test_each_operation_that_is_not_known_has_a_reason(run: Run, project: Path) -> None:
    (project / "model.py").write_text(HEADER + REASONS)
    done = run("check", "--coverage", "--strict", "model.py")
    start = HEADER.count("\n") + 1
    expected = [
        f"model.py:{number}: {line.partition('  # ')[2]}"
        for number, line in enumerate(REASONS.splitlines(), start)
        if "  # " in line
    ]
    unchecked = "model.py:14: `old`: mypy checks no function without annotations; annotate it"
    assert done.out.splitlines()[:-1] == [unchecked, *expected]
    assert (done.status, done.out.splitlines()[-1], done.err) == (1, "9 of 19 operations known", "")


def test_a_line_with_an_error_is_its_own_reason(run: Run, project: Path) -> None:
    (project / "model.py").write_text(HEADER + "    y = x + np.zeros(3, np.float32)\n    z = y * x\n")
    done = run("check", "--coverage", "--strict", "model.py")
    reasons = [
        "model.py:17: `x + np.zeros(3, np.float32)`: the shape cannot be told, as the line has an error",
        "model.py:18: `y * x`: the shape comes from `y` (line 17), which is float32 [...]",
    ]
    assert (done.status, done.out.splitlines()[1:-1]) == (1, reasons)


def test_a_program_of_which_all_is_known(run: Run, project: Path) -> None:
    (project / "model.py").write_text(
        HEADER.replace("def old(x): return math.Exp.create(scope, x)\n", "") + "    x + 1\n"
    )
    done = run("check", "--coverage", "--strict", "model.py")
    assert (done.status, done.out) == (0, "2 of 2 operations known\n")


MADE: Final = """\
from collections.abc import Callable
import numpy as np
import typegrad as tg
from typegrad.op import core, math

scope = tg.Scope(tg.Graph())


def build(sizes: list[int]) -> tuple[Callable[[], None], list[tg.Variable[tg.TFloat32]], tg.Operand[tg.TFloat32]]:
    made = [tg.Variable.create(scope, np.zeros((n, n), np.float32)) for n in sizes]
    return print, made, math.Mean.create(scope, made[0])


_, variables, mean = build([2, 3])
"""


def test_a_tuple_is_known_if_the_program_makes_its_operands(run: Run, project: Path) -> None:
    (project / "model.py").write_text(MADE)
    assert run("check", "--coverage", "--strict", "model.py").out == "4 of 4 operations known\n"


def test_as_json(run: Run, project: Path) -> None:
    (project / "model.py").write_text(HEADER + "    x + load()\n")
    done = run("check", "--coverage", "--strict", "--json", "model.py")
    assert [json.loads(line) for line in done.out.splitlines()][1:] == [
        {
            "file": "model.py",
            "line": 17,
            "what": "`x + load()`",
            "reason": "the shape comes from `load()`, which returns Any",
        },
        {"operations": 2, "known": 1},
    ]


def test_a_file_that_cannot_be_checked(run: Run, project: Path) -> None:
    (project / "model.py").write_text("x = (\n")
    done = run("check", "--coverage", "--strict", "model.py")
    assert (done.status, done.out) == (2, "") and "[syntax]" in done.err
