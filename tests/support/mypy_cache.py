"""mypy's cache of NumPy and typegrad, filled once for all tests of a run: filling it takes longer than most tests."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import mkdtemp
from typing import Final

__all__ = ["copy", "of_process", "settings", "shared"]

_PROGRAM: Final = """
import numpy as np
import typegrad as tg
from typegrad import activations, initializers, losses, optimizers, regularizers
from typegrad.op import *
from typegrad.training.optimizers import GradientDescent
"""

shared = Path()
"""The folder that the processes of this run share; conftest.py states it."""


def settings(*, plugin: bool) -> str:
    """Settings of mypy for which the cache holds: strict, perhaps with the plugin."""
    return "[mypy]\nstrict = true\n" + ("plugins = typegrad.mypy_plugin\n" if plugin else "")


def copy(folder: Path, *, plugin: bool) -> Path:
    """Copy the cache to `folder`, which must not exist. The first call of a run fills the cache, and others wait for
    it.
    """
    kept = shared / ("with-plugin" if plugin else "without-plugin")
    with (shared / f"{kept.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _fill(kept, plugin=plugin)
    return Path(copytree(kept / "cache", folder))


@cache
def of_process(*, plugin: bool) -> Path:
    """A copy for all tests of this process, which add to it."""
    return copy(Path(mkdtemp(prefix="typegrad-mypy-", dir=shared)) / "cache", plugin=plugin)


def _fill(kept: Path, *, plugin: bool) -> None:
    unfinished = kept.with_name(f"{kept.name}.unfinished")
    unfinished.mkdir()
    (unfinished / "program.py").write_text(_PROGRAM)
    (unfinished / "mypy.ini").write_text(settings(plugin=plugin))
    command = [sys.executable, "-m", "mypy", "--cache-dir", "cache", "program.py"]
    subprocess.run(command, cwd=unfinished, check=True, stdout=subprocess.DEVNULL)
    unfinished.rename(kept)
