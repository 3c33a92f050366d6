"""The cost of the mypy plugin and Pyright in a cold run over a model of 2,000 lines: `python benchmarks/plugin.py`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

LINES: Final = 2000

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


def model(lines: int) -> str:
    """A model file of about this many lines."""
    parts = [HEADER]
    while sum(part.count("\n") for part in parts) < lines:
        parts.append(LAYER.format(number=len(parts)))
    return "".join(parts)


def mypy(folder: Path, *, plugin: bool) -> float:
    """The processor time in seconds of a run without mypy's cache; Python's modules are compiled."""
    config = folder / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n" + ("plugins = typegrad.mypy_plugin\n" if plugin else ""))
    arguments = ["--config-file", str(config), "--cache-dir", os.devnull, str(folder / "model.py")]
    return _seconds(folder, "mypy", *arguments)


def pyright(folder: Path) -> float:
    """The processor time in seconds of Pyright's strict mode, which keeps no cache."""
    (folder / "pyrightconfig.json").write_text('{"include": ["model.py"], "typeCheckingMode": "strict"}')
    return _seconds(folder, "basedpyright", "--project", str(folder), "--pythonpath", sys.executable)


def _seconds(folder: Path, *command: str) -> float:
    """The processor time in seconds of a module that finds no error."""
    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",  # without NumPy's threads, which spin while mypy runs
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }
    before = _seconds_of_children()
    done = subprocess.run(
        [sys.executable, "-m", *command], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return _seconds_of_children() - before


def _seconds_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare mypy with and without the plugin, and Pyright.")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each kind, in turns (default: 7)")
    rounds = parser.parse_args().rounds
    kinds: dict[str, Callable[[Path], float]] = {
        "mypy": partial(mypy, plugin=False),
        "mypy with the plugin": partial(mypy, plugin=True),
        "Pyright": pyright,
    }
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.py").write_text(model(LINES))
        mypy(folder, plugin=True)  # not counted: compiles the modules
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(rounds):
            for kind, measure in kinds.items():
                times[kind].append(measure(folder))
    alone = median(times["mypy"])
    print(f"Processor time, median of {rounds} runs:")
    for kind, measured in times.items():
        print(f"{kind:20} {median(measured):6.2f} s, {median(measured) / alone - 1:+.1%}")


if __name__ == "__main__":
    main()
