"""A saver keeps the last checkpoints and the best one, finds them again, and cleans up after killed ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

import typegrad as tg
from typegrad.files import checkpoint
from typegrad.op import core


@pytest.fixture
def session() -> tg.Session:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    one = core.Constant.create(scope, 1)
    tg.Variable.create(scope.with_name("count"), 0).assign_add(scope.with_name("step"), one)
    return tg.Session(graph)


def train(session: tg.Session) -> None:
    session.run(session.graph.operation("step"))


def count(session: tg.Session) -> int:
    return int(session.value(session.graph.variables[0]))


def steps(saver: tg.Saver) -> list[int]:
    """The steps of the files in the folder, in the order in which they were saved."""
    assert sorted(saver.checkpoints()) == sorted(saver.folder.iterdir())
    return [int(path.stem.removeprefix("step-")) for path in saver.checkpoints()]


def test_the_last_checkpoints_are_kept(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path / "deep" / "folder", keep=3)
    for step in range(10, 60, 10):
        assert saver.save(step) == saver.folder / f"step-000000{step}.safetensors"
    assert steps(saver) == [30, 40, 50]
    assert saver.latest() == saver.folder / "step-00000050.safetensors"


def test_without_a_metric_none_is_the_best(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path)
    assert saver.best() is None and saver.restore(saver.best()) is None
    saver.save(1)
    saver.save(2, float("nan"))
    with pytest.raises(tg.CheckpointError, match="has a metric; saver.save\\(step, metric\\) stores one"):
        saver.best()


def test_five_are_kept_unless_told_otherwise(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path)
    for step in range(8):
        saver.save(step)
    assert steps(saver) == [3, 4, 5, 6, 7]


@pytest.mark.parametrize(("best", "expected"), [("min", 3), ("max", 1)])
def test_the_best_is_kept_besides(session: tg.Session, tmp_path: Path, best: Any, expected: int) -> None:
    saver = tg.Saver(session, tmp_path, keep=2, best=best)
    for step, metric in enumerate([2.0, 9.0, float("nan"), -1.0, 5.0, None, -1.0, 3, np.float64(4)]):
        saver.save(step, metric)
    assert steps(saver) == [expected, 7, 8]
    assert saver.best() == tmp_path / f"step-0000000{expected}.safetensors"


def test_infinity_is_a_metric(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path)
    saver.save(1, float("inf"))
    assert saver.best() == saver.latest()


def test_a_new_saver_goes_on_where_another_was(session: tg.Session, tmp_path: Path) -> None:
    first = tg.Saver(session, tmp_path, keep=2)
    first.save(1, 0.5)
    for step in range(2, 5):
        first.save(step, 1.0)
    second = tg.Saver(session, tmp_path, keep=2)
    second.save(5, 1.0)
    assert steps(second) == [1, 4, 5]


def test_the_latest_is_restored(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path)
    assert saver.restore() is None and count(session) == 0
    for step in (1, 2):
        train(session)
        saver.save(step)
    train(session)
    assert saver.restore() == 2 and count(session) == 2
    assert saver.restore(tmp_path / "step-00000001.safetensors") == 1 and count(session) == 1


def test_who_goes_back_saves_new_checkpoints(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path, keep=3)
    for step in (100, 200, 300):
        saver.save(step)
    saver.restore(tmp_path / "step-00000100.safetensors")
    saver.save(150)
    saver.save(200)
    assert steps(saver) == [300, 150, 200] and saver.latest() == tmp_path / "step-00000200.safetensors"


def test_metadata_is_saved_along(session: tg.Session, tmp_path: Path) -> None:
    path = tg.Saver(session, tmp_path).save(1, 0.5, metadata={"epoch": "2"})
    assert checkpoint.read_metadata(path)["epoch"] == "2"


def test_other_files_are_passed_over_and_left_alone(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path, keep=1)
    saver.save(1)
    others = ["step-00000009.safetensors", "step-1.safetensors", "notes.txt", "step-00000001.safetensors.bak"]
    for name in others:
        (tmp_path / name).write_text("not a checkpoint")
    (tmp_path / "step-00000008.safetensors").mkdir()
    saver.save(2)
    assert [path.name for path in saver.checkpoints()] == ["step-00000002.safetensors"]
    assert {path.name for path in tmp_path.iterdir()} == {
        *others,
        "step-00000008.safetensors",
        "step-00000002.safetensors",
    }


def test_files_of_other_programs_count_as_the_first(session: tg.Session, tmp_path: Path) -> None:
    safetensors.numpy.save_file({"count": np.array(7, np.int32)}, tmp_path / "step-00000500.safetensors")
    saver = tg.Saver(session, tmp_path)
    assert saver.restore() == 500 and count(session) == 7
    saver.save(1)
    assert steps(saver) == [500, 1]


@pytest.mark.parametrize(
    "place",
    [
        "[" * 100_000, "[]", "{", '{"order": "x"}', '{"order": true}', '{"order": 1, "metric": "x"}', '{"order": -2}',
        f'{{"order": {"9" * 4300}}}', f'{{"order": {2**53}}}', '{"order": 1, "metric": NaN}',
    ],
)  # fmt: skip
def test_a_file_that_lies_about_its_place_is_passed_over(session: tg.Session, tmp_path: Path, place: str) -> None:
    saver = tg.Saver(session, tmp_path)
    session.save(tmp_path / "step-00000500.safetensors", metadata={"typegrad.saver": place})
    assert saver.checkpoints() == []
    saver.save(1)
    assert saver.checkpoints() == [tmp_path / "step-00000001.safetensors"]


def test_a_checkpoint_that_claims_to_be_the_last_one_possible_is_named(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path)
    path = tmp_path / "step-00000500.safetensors"
    session.save(path, metadata={"typegrad.saver": f'{{"order": {2**53 - 1}}}'})
    assert saver.latest() == path
    with pytest.raises(
        tg.CheckpointError, match="step-00000500.*' says that no checkpoint can come after it; remove it"
    ):
        saver.save(1)


def test_a_file_that_cannot_be_read_stops_nothing(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path, keep=1)
    unreadable = tmp_path / "step-00000009.safetensors"
    unreadable.symlink_to(unreadable)
    train(session)
    first = saver.save(1, 0.5)
    train(session)
    last = saver.save(2, 1.0)
    assert (saver.best(), saver.latest(), saver.checkpoints()) == (first, last, [first, last])
    assert saver.restore() == 2 and count(session) == 2 and unreadable.is_symlink()


def test_a_checkpoint_that_cannot_be_removed_is_removed_later(
    session: tg.Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(path)

    saver = tg.Saver(session, tmp_path, keep=1)
    saver.save(1)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        saver.save(2)
    assert steps(saver) == [1, 2]
    saver.save(3)
    assert steps(saver) == [3]


@pytest.mark.parametrize("step", [-1, 10**18, pytest.param(10**5000, id="long")])
def test_a_step_that_no_name_can_hold_is_refused(session: tg.Session, tmp_path: Path, step: int) -> None:
    with pytest.raises(tg.CheckpointError, match="a step is an integer from 0"):
        tg.Saver(session, tmp_path).save(step)


def test_large_steps_have_longer_names(session: tg.Session, tmp_path: Path) -> None:
    saver = tg.Saver(session, tmp_path, keep=1)
    saver.save(99_999_999)
    saver.save(100_000_000)
    assert steps(saver) == [100_000_000]


def test_options_are_checked(session: tg.Session, tmp_path: Path) -> None:
    with pytest.raises(tg.CheckpointError, match="at least 1"):
        tg.Saver(session, tmp_path, keep=0)
    wrong: Any = "least"
    with pytest.raises(tg.AttributeValueError, match="`best` must be one of 'min', 'max', not str 'least'"):
        tg.Saver(session, tmp_path, best=wrong)


def test_a_file_of_another_name_is_not_restored(session: tg.Session, tmp_path: Path) -> None:
    session.save(tmp_path / "model.safetensors")
    with pytest.raises(tg.CheckpointError, match="is not named step-NUMBER.safetensors"):
        tg.Saver(session, tmp_path).restore(tmp_path / "model.safetensors")


# What killed savers leave behind

LEFT: str = ".step-00000100.safetensors.0123456789abcdef.tmp"


def test_what_a_killed_saver_left_is_removed(session: tg.Session, tmp_path: Path) -> None:
    for name in (LEFT, ".other.safetensors.0123456789abcdef.tmp"):
        (tmp_path / name).write_bytes(b"half")
    tg.Saver(session, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".other.safetensors.0123456789abcdef.tmp"]


def test_saving_removes_what_a_killed_save_to_the_same_file_left(session: tg.Session, tmp_path: Path) -> None:
    for name in (".m.safetensors.0123456789abcdef.tmp", ".n.safetensors.0123456789abcdef.tmp"):
        (tmp_path / name).write_bytes(b"half")
    session.save(tmp_path / "m.safetensors")
    assert {path.name for path in tmp_path.iterdir()} == {"m.safetensors", ".n.safetensors.0123456789abcdef.tmp"}


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
def test_a_name_that_looks_like_a_pattern_is_a_name(session: tg.Session, tmp_path: Path) -> None:
    left = {".m[n].0123456789abcdef.tmp", ".mn.0123456789abcdef.tmp", ".*.0123456789abcdef.tmp"}
    for name in left:
        (tmp_path / name).touch()
    for name in ("m[n]", "*"):
        session.save(tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == {"m[n]", "*", ".mn.0123456789abcdef.tmp"}


@pytest.mark.skipif(sys.platform == "win32", reason="open files need no locks there")
def test_what_another_process_is_writing_is_left_alone(session: tg.Session, tmp_path: Path) -> None:
    program = (
        "import fcntl, sys\n"
        f"file = open({str(tmp_path / LEFT)!r}, 'xb')\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline()
        tg.Saver(session, tmp_path).save(100)
        assert (tmp_path / LEFT).exists()
    tg.Saver(session, tmp_path).save(100)
    assert not (tmp_path / LEFT).exists()
