"""What the lines of a module say where the programs of other checked files call its functions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from support import mypy_cache
from support.commands import Run
from support.commands import run as run

LAYERS: Final = """\
from typing import Any, TypeVar

import numpy as np

import typegrad as tg
from typegrad.op import core, nn

N = TypeVar("N", bound=int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])


def loaded(rows: int, columns: int) -> Any:
    return np.zeros((rows, columns), np.float32)


class Dense:
    def __init__(self, scope: tg.Scope, inputs: int, outputs: int) -> None:
        self.w = tg.Variable.create(scope, loaded(inputs, outputs))  # float32 [8, 4]

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        h = x @ self.w  # float32 [Batch, 4]
        h += 1.0  # float32 [Batch, 4]
        return h  # float32 [Batch, 4]


def halves(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> list[tg.Operand[tg.TFloat32]]:
    first, second = core.Split.create(scope, 1, x, num_split=2)  # list of float32 [Batch, 4]
    best = nn.TopK.create(scope, x, 3)  # values float32 [Batch, 3], indices int32 [Batch, 3]
    print(best.values)
    return [first, second]  # list of float32 [Batch, 4]


def scaled(x: tg.Operand[F, S], bias: tg.Operand[F, tuple[N]], none: bool) -> tuple[tg.Operand[F, S], tg.Operand[F] | None]:
    twice = bias + bias  # float32 [8]
    other = twice if none else None  # float32 [8]
    return x * 2.0, other  # (float32 [Batch, 8], float32 [8])


def twice_in_one_program(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0  # float32 [Batch, ?]


def in_two_programs(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0  # float32 [?, 8]


def of_two_ranks(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0  # float32 [...]


def in_its_own_program(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0  # float32 [?]


def perhaps(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0  # float32 [...]


def of_nobody(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0  # float32 [...]


def shown() -> None:
    in_its_own_program(core.Constant.create(tg.Scope(tg.Graph()), [1.0, 2.0]))  # float32 [2]
"""
TRAIN: Final = """\
import sys
from typing import NewType

import typegrad as tg
from typegrad.op import core

import layers

Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
layers.Dense(scope, 8, 4)(x)
layers.halves(scope, x)
layers.scaled(x, x[0], True)
layers.twice_in_one_program(x)
layers.twice_in_one_program(x[:, :3])
layers.in_two_programs(x)
layers.of_two_ranks(x)
layers.perhaps(x)
if sys.argv:
    layers.perhaps(x[0])
"""
EVALUATE: Final = """\
from typing import NewType

import typegrad as tg
from typegrad.op import core

import layers

Rows = NewType("Rows", int)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Rows, 8))
layers.in_two_programs(x)
layers.of_two_ranks(x[0])
layers.in_its_own_program(x[0])
number: int = "a mistake that does not end the program"
"""
COMMENT: Final = re.compile(r"  # (float|list|values|\().*")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands are strict, as mypy's cache is: with other settings, mypy would check NumPy and typegrad again."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    mypy_cache.copy(tmp_path / ".mypy_cache" / "strict", plugin=True, redefined=True)
    for name, text in {"layers": LAYERS, "train": TRAIN, "evaluate": EVALUATE}.items():
        (tmp_path / f"{name}.py").write_text(COMMENT.sub("", text))
    return tmp_path


def test_what_all_programs_make(run: Run) -> None:
    shown = run("check", "--annotate", "--strict", "layers.py", "train.py", "evaluate.py").out
    assert shown.splitlines()[: LAYERS.count("\n")] == LAYERS.splitlines()


SMALL: Final = """\
import numpy as np

import typegrad as tg
from typegrad.op import core


def table(scope: tg.Scope, size: int) -> tg.Variable[tg.TFloat32, tuple[int, int]]:
    return tg.Variable.create(scope, np.zeros((size, 2), np.float32))
"""
USER: Final = """\
import typegrad as tg
from layers import table

table(tg.Scope(tg.Graph()), 3)
"""


def _result(run: Run, *files: str) -> str:
    (line,) = [each for each in run("check", "--annotate", "--strict", *files).out.splitlines() if "return" in each]
    return line.partition("  # ")[2]


def test_no_size_is_of_an_earlier_program(run: Run, project: Path) -> None:
    layers, train = project / "layers.py", project / "train.py"
    layers.write_text(SMALL)
    train.write_text(USER)
    both = ("layers.py", "train.py")
    assert [_result(run, *both) for _ in range(2)] == ["float32 [3, 2]"] * 2
    train.write_text(USER.replace("3", "14"))
    assert _result(run, *both) == "float32 [14, 2]"
    layers.write_text(SMALL.replace("(size, 2)", "(2, size, 2)").replace("int, int", "int, int, int"))
    assert _result(run, *both) == "float32 [2, 14, 2]"
    assert _result(run, *reversed(both)) == "float32 [2, 14, 2]"
    assert _result(run, "layers.py") == "float32 [2, ?, 2]"
    train.write_text("import layers\n")
    assert _result(run, *both) == "float32 [2, ?, 2]"


def test_coverage_counts_what_programs_make(run: Run) -> None:
    alone, both = (
        run("check", "--coverage", "--strict", *files).out for files in (["layers.py"], ["layers.py", "train.py"])
    )
    open_lines = [
        number for number, line in enumerate(LAYERS.splitlines(), 1) if re.search(r"float32 \[\.\.\.\]", line)
    ]
    unknown = [int(line) for line in re.findall(r"^layers.py:(\d+)", both, re.MULTILINE)]
    assert "layers.py:22: `x @ self.w`: the shape comes from `x`" in alone and "5 of 14 operations known" in alone
    assert unknown == open_lines[1:]
