"""How many threads BLAS uses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import typegrad as tg
from typegrad.base import threads
from typegrad.op import core, linalg


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a new process without variables; afterwards the number is as it was."""
    before = threads.count()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    threads.chosen.cache_clear()
    yield
    monkeypatch.undo()
    threads.set_threads(before)
    threads.chosen.cache_clear()


def open_session(number: int | None = None) -> int | None:
    tg.Session(tg.Graph(), threads=number).close()
    return threads.count()


def test_a_session_sets_the_number_for_the_process() -> None:
    assert [open_session(number) for number in (1, 2, 1)] == [1, 2, 1]


@pytest.mark.parametrize(
    ("allowed", "cores", "others", "expected"),
    [(2, 2, 0, 2), (2, 2, 1, 1), (2, 2, 9, 1), (4, 16, 3, 4), (4, 16, 13, 3), (1, 1, 0, 1)],
)
def test_cores_that_others_leave_idle(allowed: int, cores: int, others: int, expected: int) -> None:
    assert threads.idle(allowed, cores, others) == expected


def test_the_first_session_chooses_and_later_ones_leave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "usable", lambda: 2)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(threads, "busy", lambda: 1)
    open_session(2)
    assert open_session() == 1
    monkeypatch.setattr(threads, "busy", lambda: 0)
    assert open_session() == 1
    assert open_session(2) == 2
    assert open_session() == 2
    assert threads.chosen() == threads.Choice(1, "of 2 usable cores, when others kept 1 of 2 busy")


def test_an_environment_variable_counts_more(monkeypatch: pytest.MonkeyPatch) -> None:
    open_session(2)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert open_session() == 2  # BLAS has read the variable when it was loaded
    assert threads.chosen() == threads.Choice(None, "OMP_NUM_THREADS=7")


@pytest.mark.parametrize("number", [0, -1])
def test_at_least_one(number: int) -> None:
    with pytest.raises(tg.OptionError, match=f"threads, the number of .* uses, is 1 or more; got {number}"):
        open_session(number)


def test_without_threadpoolctl(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(threads, "_controller", lambda: None)
        assert open_session() is None
        assert threads.chosen() == threads.Choice(None, "one for each core, as threadpoolctl is not installed")
        with pytest.raises(
            tg.OptionError,
            match=r"threads=2 needs threadpoolctl, which is not installed: pip install 'typegrad\[threads\]'",
        ):
            open_session(2)


def test_what_runs_is_looked_at() -> None:
    assert 0 <= threads.busy() < 100_000
    assert 1 <= threads.usable() <= (os.cpu_count() or 1)


QUOTAS = {
    "none": ("0::/", {}, None),
    "no limit": ("0::/", {"cpu.max": "max 100000"}, None),
    "one and a half cores": ("0::/", {"cpu.max": "150000 100000"}, 2),
    "less than one": ("0::/", {"cpu.max": "20000 100000"}, 1),
    "of an inner group": ("0::/a/b", {"cpu.max": "400000 100000", "a/b/cpu.max": "200000 100000"}, 2),
    "first version": (
        "5:memory:/x\n4:cpu,cpuacct:/",
        {"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"},
        3,
    ),
    "first version, no limit": ("4:cpu:/", {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
    "another text": ("0::/", {"cpu.max": "many"}, None),
}


@pytest.mark.parametrize("name", QUOTAS)
def test_quotas_of_control_groups(name: str, tmp_path: Path) -> None:
    groups, files, expected = QUOTAS[name]
    (tmp_path / "groups").write_text(groups + "\n")
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text + "\n")
    assert threads.quota(tmp_path, tmp_path / "groups") == expected


def test_no_control_groups(tmp_path: Path) -> None:
    assert threads.quota(tmp_path, tmp_path / "groups") is None


def test_elementwise_results_do_not_depend_on_the_number(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (64, 64))
    y = core.Sum.create(scope, x * x + x, 0)
    product = linalg.MatMul.create(scope, x, x)
    value = np.random.default_rng(0).random((64, 64), np.float32)
    one, two = (tg.Session(scope.graph, threads=number).run([y, product], {x: value}) for number in (1, 2))
    np.testing.assert_array_equal(one[0], two[0])
    np.testing.assert_allclose(one[1], two[1], rtol=1e-6)


def test_the_number_is_set_whatever_was_imported_before() -> None:
    program = "from typegrad.base.threads import count, set_threads; set_threads(1); import numpy; print(count())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]
