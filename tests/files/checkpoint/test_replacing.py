"""Replacing a file: what is there after success, failure and interrupts, with which mode, and when it is on the
disk.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, Final

import pytest

import typegrad as tg
from typegrad.files.checkpoint import atomic, read_metadata
from typegrad.files.checkpoint.atomic import remove_abandoned, replace

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")
NEW: Final = b"new" * 100


@contextmanager
def umask(mask: int) -> Generator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def write_new(file: BinaryIO) -> None:
    file.write(NEW)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "m.safetensors"
    target.write_text("old")
    return target


def test_a_failed_write_leaves_the_old_file_and_nothing_else(path: Path) -> None:
    def fail(file: BinaryIO) -> None:
        file.write(b"new")
        _ = 1 / 0

    with pytest.raises(ZeroDivisionError):
        replace(path, fail)
    assert path.read_text() == "old" and list(path.parent.iterdir()) == [path]


# Modes and links


@posix_only
@pytest.mark.parametrize("mask", [0o077, 0o022, 0o002])
def test_a_new_file_gets_the_mode_of_any_new_file(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        replace(tmp_path / "m", write_new)
    assert mode(tmp_path / "m") == 0o666 & ~mask


@posix_only
@pytest.mark.parametrize("kept", [0o600, 0o640, 0o666, 0o444, 0o000])
def test_a_file_keeps_its_mode_and_is_never_more_open_meanwhile(path: Path, kept: int) -> None:
    path.chmod(kept)
    seen = []

    def look(file: BinaryIO) -> None:
        seen.append(stat.S_IMODE(os.fstat(file.fileno()).st_mode))
        file.write(NEW)

    with umask(0o022):
        replace(path, look)
    assert (seen, mode(path)) == ([kept], kept)
    path.chmod(0o600)
    assert path.read_bytes() == NEW


@posix_only
def test_a_private_file_is_private_from_the_first_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(0o600)
    asked = []

    def opened(file: str, flags: int, mode: int = 0o777, **more: Any) -> int:
        asked.append(mode)
        return real(file, flags, mode, **more)

    real = os.open
    monkeypatch.setattr(os, "open", opened)
    replace(path, write_new)
    assert asked[0] == 0o600


@posix_only
def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    for name in ("data", "links"):
        (tmp_path / name).mkdir()
    target, link, second = tmp_path / "data" / "m", tmp_path / "links" / "m", tmp_path / "second"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to("../data/m")
    second.symlink_to(link)
    left = target.with_name(".m.0123456789abcdef.tmp")
    left.touch()
    replace(second, write_new)
    assert second.is_symlink() and link.readlink() == Path("../data/m") and not target.is_symlink()
    assert target.read_bytes() == second.read_bytes() == NEW and mode(target) == 0o600
    assert list(target.parent.iterdir()) == [target] and list(link.parent.iterdir()) == [link]


@posix_only
def test_a_link_to_nothing_gets_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    replace(tmp_path / "link", write_new)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_bytes() == NEW


@posix_only
def test_links_in_a_circle_stay(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(OSError, match="symbolic links"):
        replace(tmp_path / "link", write_new)
    assert [entry.is_symlink() for entry in tmp_path.iterdir()] == [True]


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_what_no_file_can_be_called_is_refused(tmp_path: Path, name: str) -> None:
    session = tg.Session(tg.Graph())
    wrong = str(tmp_path / name)
    for use in (session.save, session.restore, read_metadata, lambda path: tg.Saver(session, path)):
        with pytest.raises(tg.CheckpointError, match=r"a(\\x00b|\\ud800)' cannot be the path of a file: "):
            use(wrong)
    assert not list(tmp_path.iterdir())


@posix_only
def test_only_files_are_replaced(tmp_path: Path) -> None:
    session = tg.Session(tg.Graph())
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo"):
        for use in (session.save, session.restore):
            with pytest.raises(tg.CheckpointError, match=f"^'{path}' is not a file"):
                use(path)
    assert (tmp_path / "fifo").is_fifo()


@posix_only
def test_a_file_that_is_removed_before_it_is_locked_is_made_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its lock it looks abandoned to another process."""
    results = []

    def lock(file: BinaryIO) -> None:
        results.append(os.fstat(file.fileno()).st_ino)
        if len(results) == 1:
            Path(file.name).unlink()

    monkeypatch.setattr(atomic, "_lock", lock)
    replace(path, write_new)
    assert len(results) == 2 and path.read_bytes() == NEW and list(path.parent.iterdir()) == [path]


@posix_only
def test_a_file_that_is_made_again_is_not_taken_for_the_abandoned_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes may take a file for abandoned: its writer has made a new one when the second one gets its lock."""
    temporary = tmp_path / ".m.0.tmp"
    temporary.touch()

    def lock(file: BinaryIO, operation: int) -> None:
        del file, operation
        temporary.unlink()
        temporary.write_bytes(NEW)

    monkeypatch.setattr("fcntl.flock", lock)
    remove_abandoned(tmp_path, "m")
    assert temporary.read_bytes() == NEW


# The disk


@posix_only
def test_file_and_folder_are_brought_to_the_disk_before_and_after_the_renaming(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power failure may undo whatever was not brought to the disk: the renaming must not be there before the
    contents.
    """
    synced = []

    def sync(descriptor: int) -> None:
        status = os.fstat(descriptor)
        what = "folder" if stat.S_ISDIR(status.st_mode) else f"file of {status.st_size} bytes"
        same = os.path.samestat(status, path.parent.stat()) if what == "folder" else True
        synced.append((what, same, path.read_bytes() == NEW))

    monkeypatch.setattr(os, "fsync", sync)
    replace(path, write_new)
    assert synced == [(f"file of {len(NEW)} bytes", True, False), ("folder", True, True)]


# Interrupts


class Interrupter:
    """Raises KeyboardInterrupt at one bytecode of what is called, where the signal of Ctrl-C may strike.

    If `twice`, it raises another one at the next moment when Python looks for signals: a function of Python has begun,
    or one of C has returned.
    """

    def __init__(self, at: int, *, twice: bool) -> None:
        self.left = at
        self.twice = twice

    def __call__(self, frame: FrameType, event: str, _: object) -> Interrupter | None:
        if frame.f_globals["__name__"] not in (atomic.__name__, "contextlib"):
            return None  # what is called there is as good as the call
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                if self.twice:
                    sys.setprofile(self.again)
                raise KeyboardInterrupt
        return self

    def again(self, frame: FrameType | None, event: str, _: object) -> None:
        is_heard = event in ("call", "c_return")
        while is_heard and frame:
            if frame.f_globals["__name__"] == atomic.__name__:
                sys.setprofile(None)
                raise KeyboardInterrupt
            frame = frame.f_back


def is_interrupted(path: Path, at: int, *, twice: bool) -> bool:
    """Replace a file; whether it took so many bytecodes that the interrupt came."""
    sys.settrace(Interrupter(at, twice=twice))
    try:
        replace(path, write_new)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    return False


@pytest.mark.skipif(sys.gettrace() is not None, reason="a debugger or a coverage tracer is at work")
@pytest.mark.parametrize("twice", [False, True])
def test_an_interrupt_at_any_moment_leaves_the_old_file_or_the_new_one_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, twice: bool
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # takes long
    monkeypatch.setattr(sys, "unraisablehook", [].append)  # files are closed when nothing refers to them
    left = []
    for at in count(1):
        path.write_text("old")
        if not is_interrupted(path, at, twice=twice):
            break
        assert list(path.parent.iterdir()) == [path], at
        left.append(path.read_bytes())
    assert left == sorted(left, reverse=True) and set(left) == {b"old", NEW}


def test_what_a_killed_writer_left_is_removed_for_any_name(tmp_path: Path) -> None:
    target, other = tmp_path / "m[1]", tmp_path / ".m1.0.tmp"
    left = tmp_path / ".m[1].0.tmp"
    left.write_bytes(b"")
    other.write_bytes(b"")
    replace(target, write_new)
    assert sorted(each.name for each in tmp_path.iterdir()) == [".m1.0.tmp", "m[1]"]
