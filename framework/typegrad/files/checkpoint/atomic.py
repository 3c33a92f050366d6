"""Replace a file atomically: after a kill at any moment, it has either the old or the new contents."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from glob import escape
from pathlib import Path
from typing import BinaryIO

from typegrad.arguments.paths import made_folder

__all__ = ["remove_abandoned", "replace"]

if sys.platform == "win32":
    # A file that is open cannot be removed there, which is what the locks are for elsewhere; nor can it be renamed.

    def _lock(file: BinaryIO) -> None:
        pass

    def _remove_if_abandoned(path: Path) -> None:
        path.unlink()

    def _sync_folder(folder: Path) -> None:
        pass
else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        """Lock until the file is closed, at the latest when the process ends."""
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)

    def _remove_if_abandoned(path: Path) -> None:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_nlink:  # else another one was faster, and its writer has made a new file
                path.unlink()

    def _sync_folder(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Put what `write` writes in the place of the file at `path`, all of it or, if `write` raises, nothing.

    It is written beside the file, brought to the disk, then renamed, and the renaming is brought to the disk as well.
    The new file has the mode of the old one, and a symbolic link stays: the file that it leads to is replaced. What
    killed writers of the file have left behind is removed first. A folder that is missing is made.
    """
    target, mode = made_folder(Path(os.path.realpath(path))), _mode(path)
    remove_abandoned(target.parent, escape(target.name))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    name = os.fspath(temporary)
    try:  # begins before there is a file, for an interrupt may come at any moment
        with _create(temporary, mode) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":  # still locked, so that nobody takes it for abandoned
                temporary.replace(target)
        if sys.platform == "win32":
            temporary.replace(target)
    except BaseException:
        # The first call is one of C, on text, so a second interrupt comes after it.
        try:  # noqa: SIM105
            os.unlink(name)  # noqa: PTH108
        except FileNotFoundError:
            pass
        raise
    _sync_folder(target.parent)


def remove_abandoned(folder: Path, names: str) -> None:
    """Remove the temporary files of dead writers; the files that they were to replace match the glob `names`."""
    for temporary in folder.glob(f".{names}.*.tmp"):
        with suppress(OSError):  # its writer is at work, or another process has removed it
            _remove_if_abandoned(temporary)


def _mode(path: Path) -> int | None:
    """The permissions of the file at `path`; None if there is none."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _create(path: Path, mode: int | None) -> BinaryIO:
    """A new locked file: with these permissions from the first moment, or with those that any new file gets."""
    while True:
        file = open(path, "xb", opener=None if mode is None else partial(os.open, mode=mode))  # noqa: SIM115
        _lock(file)
        if os.fstat(file.fileno()).st_nlink:
            break
        file.close()  # taken for abandoned, and removed, before it was locked
    if mode is not None:
        path.chmod(mode)  # what the umask has taken away
    return file
