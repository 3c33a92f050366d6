"""Replacing a file as a whole: whoever opens it, after a kill at any moment, finds the old contents or the new."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

__all__ = ["remove_abandoned", "replacing"]

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
            path.unlink()

    def _sync_folder(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def replacing(path: Path) -> Generator[BinaryIO]:
    """A file that takes the place of `path` when the block ends, and vanishes if the block raises.

    It is written beside `path`, brought to the disk, then renamed, and the renaming is brought to the disk as well.
    What killed writers of `path` have left behind is removed first.
    """
    remove_abandoned(path.parent, escape(path.name))
    temporary, file = _create(path)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":  # still locked, so that nobody takes it for abandoned
                temporary.replace(path)
        if sys.platform == "win32":
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def remove_abandoned(folder: Path, names: str) -> None:
    """Remove the temporary files of writers that are gone; `names` is the glob pattern of the files they were to replace."""
    for temporary in folder.glob(f".{names}.*.tmp"):
        with suppress(OSError):  # its writer is at work, or somebody else has removed it
            _remove_if_abandoned(temporary)


def _create(path: Path) -> tuple[Path, BinaryIO]:
    """A new locked file beside `path`, with the permissions that any new file gets."""
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
        file = temporary.open("xb")
        _lock(file)
        if os.fstat(file.fileno()).st_nlink:
            return temporary, file
        file.close()  # taken for abandoned, and removed, before it was locked
