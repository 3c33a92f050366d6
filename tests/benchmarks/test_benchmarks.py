"""The benchmarks: typegrad and NumPy by hand compute the same, and what the command does when they don't."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import run as benchmark
from comparing import disagreement
from contenders import with_numpy, with_typegrad
from contenders.inputs import Array
from contenders.tasks import TASKS, Task

COMMAND = [sys.executable, str(Path(__file__).parents[2] / "benchmarks" / "run.py"), "--libraries", "typegrad", "numpy"]
CONTENDERS = {**with_typegrad.CONTENDERS, **with_numpy.CONTENDERS}
COMPUTED = [task for task in TASKS if task.setup]


def results(task: Task) -> dict[str, list[Array]]:
    computed: dict[str, list[Array]] = {}
    for name, setups in CONTENDERS.items():
        if task.setup in setups:
            run = setups[task.setup](**task.arguments(quick=True))
            computed[name] = [array for _ in range(task.calls) for array in run.read(run.work())]
    return computed


@pytest.mark.parametrize("task", COMPUTED, ids=lambda task: task.name)
def test_all_contenders_compute_the_same(task: Task) -> None:
    computed = results(task)
    assert computed["typegrad"]
    assert disagreement(computed, task.tolerance) == ""


@pytest.mark.parametrize("task", [task for task in COMPUTED if task.calls > 1], ids=lambda task: task.name)
def test_a_training_step_reduces_the_loss(task: Task) -> None:
    first, *_, last = results(task)["typegrad"]
    assert last < first


def test_every_task_but_building_and_importing_has_numpy_by_hand() -> None:
    by_hand = with_numpy.CONTENDERS["NumPy, by hand"]
    missing = {task.name for task in COMPUTED if task.setup not in by_hand and task.aim is None}
    assert missing == {task.name for task in COMPUTED if task.name.startswith("build")}


def test_an_aim_beside_numpy_is_for_what_numpy_and_scipy_have() -> None:
    theirs = with_numpy.CONTENDERS["NumPy and SciPy"]
    beside = {task.setup for task in COMPUTED if task.aim and task.aim.contender == "NumPy and SciPy"}
    assert beside == theirs.keys()


def test_an_aim_is_the_least_ratio_to_its_contender(capsys: pytest.CaptureFixture[str]) -> None:
    task = next(task for task in TASKS if task.name == "kernel/FFT-64")
    rows = [
        benchmark.Row(task.name, "typegrad", 2.0, 1.0, [2.0]),
        benchmark.Row(task.name, "NumPy and SciPy", 1.0, 0.5, [1.0], benchmark.aim(task, "NumPy and SciPy")),
        benchmark.Row(
            task.name, "TensorFlow, operation", 1.0, 0.5, [1.0], benchmark.aim(task, "TensorFlow, operation")
        ),
        benchmark.Row(task.name, "NumPy, fewest calls", 1.6, 0.8, [1.6]),
    ]
    benchmark.show(task, rows, 1)
    benchmark.show_aims(rows)
    assert capsys.readouterr().out == (
        "\nkernel/FFT-64: FFT, 64\n"
        "  typegrad                      2.00 s     1.00\n"
        "  NumPy and SciPy               1.00 s     0.50  aim 0.83, missed\n"
        "  TensorFlow, operation         1.00 s     0.50\n"
        "  NumPy, fewest calls           1.60 s     0.80\n"
        "\n1 of 1 aims are missed\n  kernel/FFT-64 0.50 of 0.83; 0.62 in the fewest calls of NumPy\n"
    )


def test_names_of_tasks_are_unique() -> None:
    assert len({task.name for task in TASKS}) == len(TASKS)


ONE = np.array([1.0, 100.0], np.float32)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ([ONE], ""),
        ([ONE * (1 + 1e-5)], ""),
        ([], ""),
        ([ONE * 1.01], "result 0 differs by 1 between A and B; values are up to 100"),
        ([ONE[:1]], "result 0 has shape (2,) with A, but (1,) with B"),
        ([ONE, ONE], "A has 1 results, B has 2"),
        ([ONE * np.nan], "result 0 differs by nan between A and B; values are up to 100"),
    ],
)
def test_results_are_compared(other: list[Array], expected: str) -> None:
    assert disagreement({"A": [ONE], "B": other}, 1e-4) == expected


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)


def test_the_command_measures_and_compares() -> None:
    done = run("--quick", "--cpu", "--only", "one-op", "--only", "deep-mem*", "--only", "import", "--json")
    assert done.returncode == 0, done.stderr
    rows = [(row["task"], row["contender"]) for row in json.loads(done.stdout)["rows"]]
    names = {"one-op": "NumPy, by hand", "deep-memory": "NumPy, by hand", "import": "NumPy"}
    assert rows == [(task, name) for task, other in names.items() for name in ("typegrad", other)]


def test_a_task_that_takes_long_has_fewer_rounds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark, "PATIENCE", 0.0)
    assert benchmark.main(["--libraries", "typegrad", "--only", "one-op", "--rounds", "3"]) == 0
    assert "one-op: one call that adds two float32[8] (1 of 3 rounds)\n" in capsys.readouterr().out


def test_an_unknown_task_lists_the_known_ones() -> None:
    done = run("--only", "nothing")
    assert done.returncode == 2
    assert all(task.name in done.stdout for task in TASKS)


def test_an_interpreter_that_fails_ends_the_command(tmp_path: Path) -> None:
    failing = tmp_path / "python"
    failing.write_text("#!/bin/sh\nexit 3\n")
    failing.chmod(0o755)
    done = run("--quick", "--only", "one-op", "--python", f"numpy={failing}")
    assert (done.returncode, done.stderr) == (1, "the process of numpy has ended with status 3\n")
