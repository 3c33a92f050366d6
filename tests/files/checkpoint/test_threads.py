"""Saving and restoring while other threads run the session."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

import typegrad as tg
from typegrad.base.variable_state import VariableState
from typegrad.op import core, random

SIZES = (200, 50)
ROUNDS = 30


def counting() -> tuple[tg.Session, list[tg.Operation], list[tg.Variable[tg.TFloat32]]]:
    """Two variables that a step counts up: one as a whole, one row by row in place; and noise that each step draws."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    one = core.Constant.create(scope, np.ones(SIZES, np.float32))
    rows = core.Constant.create(scope, np.arange(SIZES[0], dtype=np.int32))
    dense, sparse = (
        tg.Variable.create(scope.with_name(name), np.zeros(SIZES, np.float32)) for name in ("dense", "sparse")
    )
    noise = random.RandomUniform.create(scope.with_name("noise"), [2], tg.TFloat32)
    step = [
        dense.assign_add(scope, one).op,
        core.ResourceScatterAdd.create(scope, sparse.handle, rows, one).op,
        noise.op,
    ]
    return tg.Session(graph), step, [dense, sparse]


def test_a_checkpoint_shows_one_moment(tmp_path: Path) -> None:
    session, step, _ = counting()
    stop = threading.Event()

    def train() -> None:
        while not stop.is_set():
            session.run(step)

    def save(worker: int) -> None:
        for i in range(ROUNDS):
            path = tmp_path / f"{worker}-{i}"
            session.save(path)
            values = safetensors.numpy.load_file(path)
            (count,) = {float(number) for value in values.values() for number in np.unique(value)}
            other, _, _ = counting()
            other.restore(path)
            assert other.random_state.counts.get("noise", (0, 0)) == (count, 0)

    with ThreadPoolExecutor(4) as pool:
        training = [pool.submit(train) for _ in range(2)]
        try:
            for saving in [pool.submit(save, worker) for worker in range(2)]:
                saving.result()
        finally:
            stop.set()
        for thread in training:
            thread.result()


def test_restoring_is_seen_as_a_whole(tmp_path: Path) -> None:
    session, step, variables = counting()
    session.run(step)
    session.save(tmp_path / "one")
    reads = [variable.read(tg.Scope(session.graph)) for variable in variables]
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            dense, sparse = session.run(reads)
            assert len(np.unique([dense, sparse])) == 1

    with ThreadPoolExecutor(3) as pool:
        looking = [pool.submit(look) for _ in range(2)]
        for _ in range(ROUNDS):
            session.run(step)
            session.restore(tmp_path / "one")
        stop.set()
        for thread in looking:
            thread.result()


def test_restoring_waits_for_the_runs_that_read(tmp_path: Path) -> None:
    session, step, variables = counting()
    session.run(step)
    session.save(tmp_path / "one")
    session.run(step)

    def read() -> None:
        restoring = pool.submit(session.restore, tmp_path / "one")
        assert not wait([restoring], 0.1).done
        assert {float(session.value(variable)[0, 0]) for variable in variables} == {2}

    with ThreadPoolExecutor(1) as pool:
        session.inspect(lambda _: read())
    assert {float(session.value(variable)[0, 0]) for variable in variables} == {1}


def test_saving_waits_for_the_step_of_another_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, step, variables = counting()
    session.run(step)

    def write() -> None:
        saving = pool.submit(session.save, tmp_path / "m")
        assert not wait([saving], 0.1).done

    with ThreadPoolExecutor(1) as pool, monkeypatch.context() as patch:
        patch.setattr(VariableState, "assign", lambda *_: write())
        session.assign(variables[0], np.ones(SIZES, np.float32))
    assert (tmp_path / "m").exists()


def test_several_threads_may_save_to_one_file(tmp_path: Path) -> None:
    session, step, _ = counting()

    def save(_: int) -> None:
        session.run(step)
        session.save(tmp_path / "m")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, range(40)))
    assert list(tmp_path.iterdir()) == [tmp_path / "m"]
    session.restore(tmp_path / "m")


def test_several_threads_may_use_one_saver(tmp_path: Path) -> None:
    session, step, _ = counting()
    saver = tg.Saver(session, tmp_path, keep=2)

    def save(number: int) -> None:
        session.run(step)
        saver.save(number, float(number))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, range(20)))
    assert len(saver.checkpoints()) == 3 and saver.best() == tmp_path / "step-00000000.safetensors"


def test_the_file_is_written_while_others_run(tmp_path: Path) -> None:
    """A step need not wait for the disk: it runs while a save is stuck at it."""
    session, step, _ = counting()
    session.run(step)
    reached, go_on = threading.Event(), threading.Event()

    class Slow(dict[str, str]):
        """Metadata that is read when the values are taken, and before they are written."""

        def items(self) -> Any:
            reached.set()
            assert go_on.wait(10)
            return super().items()

    with ThreadPoolExecutor(1) as pool:
        saving = pool.submit(lambda: session.save(tmp_path / "m", metadata=Slow(a="b")))
        assert reached.wait(10)
        session.run(step)
        go_on.set()
        saving.result()
    assert {
        float(number) for value in safetensors.numpy.load_file(tmp_path / "m").values() for number in np.unique(value)
    } == {1}
