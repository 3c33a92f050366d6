"""The cost of static checking, in processor time: `python benchmarks/plugin.py`.

mypy without and with the plugin, and Pyright, over a model of 2,500 lines in one file, over a library of 2,000, none of
whose functions is called, and over the drafts of the tests. "Cold" is without any cache, so mypy checks NumPy and
typegrad as well; "edit" is after a line was added to every file, with the rest cached. Of a file of one line, this is
the start-up. At last, one variable made of an array, in Pyright, and how much of that is the call that makes the array.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

LINES: Final = 2500
LIBRARY_LINES: Final = 2000
CALLS: Final = 200
CLOCK: Final = "Pyright's clock"
"""The seconds that Pyright itself counts: its compiler and memory have threads that take processor time beside it."""
LONGEST: Final = 600
"""The seconds after which a run has failed."""
DRAFTS: Final = Path(__file__).parents[1] / "tests" / "drafts" / "models"

HEADER: Final = """\
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn, random

Batch = NewType("Batch", int)

scope = tg.Scope(tg.Graph())
"""
LAYER: Final = """

def layer_{number}(
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[64]]],
) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[64]]]:
    w = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (64, 4 * {number}), tg.TFloat32))
    b = tg.Variable.create(scope, np.zeros(4 * {number}, np.float32))
    h = nn.BiasAdd.create(scope, linalg.MatMul.create(scope, x, w), b)
    h2 = nn.Relu.create(scope, h + math.Tanh.create(scope, h))
    mean = math.Mean.create(scope, h2, 1, keep_dims=True)
    centered = (h2 - mean) * 0.5
    back = linalg.MatMul.create(scope, centered, w, transpose_b=True)
    parts = core.Split.create(scope, 1, back, num_split=4).output
    joined = core.Concat.create(scope, [parts[0], parts[1], parts[2], parts[3]], 1)
    rows = core.Reshape.create(scope, joined, (-1, 8, 8))
    turned = linalg.Transpose.create(scope, rows, (0, 2, 1))
    flat = core.Reshape.create(scope, turned, (-1, 64))
    return flat + x[:, :1]
"""
BLOCK: Final = """

def gated_{number}(
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[{size}]]], units: int
) -> tg.Operand[tg.TFloat32, tuple[Batch, int]]:
    w = tg.Variable.create(scope, np.zeros(({size}, units), np.float32))
    b = tg.Variable.create(scope, np.zeros(units, np.float32))
    h = x @ w + b
    gate = math.Sigmoid.create(scope, h * 0.5 - 0.25)
    candidate = math.Tanh.create(scope, h / 2.0 + b)
    return gate * candidate + (1.0 - gate) * h


class Block{number}:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.w = tg.Variable.create(scope, random.TruncatedNormal.create(scope, ({size}, {size}), tg.TFloat32))
        self.scale = core.Constant.create(scope, np.ones({size}, np.float32))

    def __call__(self, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[{size}]]]) -> tg.Operand[tg.TFloat32]:
        centered = x - math.Mean.create(self.scope, x, 1, keep_dims=True)
        variance = math.Mean.create(self.scope, centered * centered, 1, keep_dims=True)
        normed = centered * math.Rsqrt.create(self.scope, variance + 1e-5)
        h = nn.Relu.create(self.scope, linalg.MatMul.create(self.scope, normed, self.w) + 0.5)
        z = h * self.scale - normed / 2.0
        return x + (z - h) * 0.1 - normed
"""


def model(lines: int) -> str:
    """A model file of about this many lines."""
    return _file(HEADER, LAYER, lines)


def library(lines: int) -> str:
    """A file of about this many lines, whose functions and methods nothing calls."""
    return _file(HEADER, BLOCK, lines)


def _file(header: str, part: str, lines: int) -> str:
    parts = [header]
    while sum(part.count("\n") for part in parts) < lines:
        parts.append(part.format(number=len(parts), size=4 * len(parts)))
    return "".join(parts)


ARRAY: Final = "np.zeros((4, 2), np.float32)"
VARIABLE: Final = f"tg.Variable.create(scope, {ARRAY})"


def calls(call: str, count: int) -> str:
    """A function that makes this call a number of times."""
    lines = f"    {call}\n" * count
    return f"{HEADER}\n\ndef calls() -> None:\n    print(np, tg, core, linalg, math, nn, random)\n{lines}"


def programs() -> dict[str, dict[str, str]]:
    """The files of each program to check."""
    return {
        f"a file of {LINES:,} lines": {"model.py": model(LINES)},
        f"a library of {LIBRARY_LINES:,} lines that nothing calls": {"library.py": library(LIBRARY_LINES)},
        "the drafts": {path.name: path.read_text(encoding="utf-8") for path in sorted(DRAFTS.glob("*.py"))},
        "one line": {"model.py": "import typegrad as tg\n"},
    }


class Measured:
    """The processor times of checking one program, by the kind of run."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        """Write the files to `folder`."""
        folder.mkdir()
        self.folder = folder
        self.files = files
        self.times: dict[str, list[float]] = {}
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "alone.ini").write_text("[mypy]\nstrict = true\n")
        (folder / "plugin.ini").write_text("[mypy]\nstrict = true\nplugins = typegrad.mypy_plugin\n")
        settings = {"typeCheckingMode": "strict", "reportUnusedImport": False, "reportUnusedExpression": False}
        (folder / "pyrightconfig.json").write_text(json.dumps(settings))

    def measure(self, number: int) -> None:
        """Run everything once more."""
        caches = {config: self.folder / f"cache_{config}" for config in ("alone", "plugin")}
        for config, cache in caches.items():
            if not cache.exists():
                self._mypy(config, cache)  # not counted: fills the cache, compiles Python's modules
        for name, text in self.files.items():
            (self.folder / name).write_text(f"{text}\nedited: int = {number}\n", encoding="utf-8")
        for config, cache in caches.items():
            self.times.setdefault(f"edit {config}", []).append(self._mypy(config, cache))
            self.times.setdefault(f"cold {config}", []).append(self._mypy(config, Path(os.devnull)))
        self.pyright()

    def pyright(self) -> None:
        """Run Pyright, which keeps no cache, once more."""
        arguments = ["--project", str(self.folder), "--pythonpath", sys.executable, "--outputjson"]
        seconds, output = _run(self.folder, "basedpyright", *arguments)
        self.times.setdefault("Pyright", []).append(seconds)
        self.times.setdefault(CLOCK, []).append(json.loads(output)["summary"]["timeInSec"])

    def _mypy(self, config: str, cache: Path) -> float:
        arguments = ["--config-file", str(self.folder / f"{config}.ini"), "--cache-dir", str(cache)]
        return _run(self.folder, "mypy", *arguments, *(str(self.folder / name) for name in self.files))[0]

    def median(self, kind: str) -> float:
        """The median time of a kind of run."""
        return median(self.times[kind])


def _run(folder: Path, *command: str) -> tuple[float, str]:
    """The processor time in seconds of a module, and its output."""
    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",  # without NumPy's threads, which spin while mypy runs
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }
    before = _seconds_of_children()
    done = subprocess.run(
        [sys.executable, "-m", *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    if done.returncode > 1:  # 1: errors in the program, which mypy alone finds in some drafts
        raise SystemExit(done.stdout + done.stderr)
    return _seconds_of_children() - before, done.stdout


def _seconds_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure mypy with and without the plugin, and Pyright.")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind, in turns (default: 5)")
    rounds = parser.parse_args().rounds
    with TemporaryDirectory() as name:
        root = Path(name)
        measured = {title: Measured(root / str(i), files) for i, (title, files) in enumerate(programs().items())}
        of_calls = {
            title: Measured(root / title, {"model.py": calls(call, count)})
            for title, call, count in (("none", VARIABLE, 0), ("array", ARRAY, CALLS), ("variable", VARIABLE, CALLS))
        }
        for number in range(rounds):
            for each in measured.values():
                each.measure(number)
            for each in of_calls.values():
                each.pyright()
    print(f"Processor time, median of {rounds} runs:")
    for title, each in measured.items():
        print(title)
        for kind in ("cold", "edit"):
            alone, plugin = each.median(f"{kind} alone"), each.median(f"{kind} plugin")
            more = f"{plugin - alone:+.2f} s, {plugin / alone - 1:+.1%}"
            print(f"  mypy, {kind}: {alone:.2f} s; with the plugin {plugin:.2f} s, {more}")
        print(f"  Pyright: {each.median('Pyright'):.2f} s, and {each.median(CLOCK):.2f} s by its own clock")
    print(VARIABLE)
    for kind, name in (("Pyright", "Pyright"), (CLOCK, "  by its own clock")):
        none, array, variable = (each.median(kind) for each in of_calls.values())
        in_all, of_numpy = (1000 * (seconds - none) / CALLS for seconds in (variable, array))
        print(f"  {name}: {in_all:.1f} ms, of which {ARRAY} alone costs {of_numpy:.1f} ms")


if __name__ == "__main__":
    main()
