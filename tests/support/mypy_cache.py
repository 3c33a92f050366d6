"""mypy's cache of NumPy and typegrad, filled once for all tests of a run: filling it takes longer than most tests."""

from __future__ import annotations

import subprocess
import sys
from functools import cache, partial
from pathlib import Path
from shutil import copytree
from tempfile import mkdtemp
from typing import Final

from mypy import version

from support import sharing

__all__ = ["REDEFINITION", "copy", "of_process", "settings"]

_IS_FIRST: Final = version.__version__.startswith("1.")
REDEFINITION: Final = ("allow_redefinition_new", "local_partial_types") if _IS_FIRST else ("allow_redefinition",)
"""The options with which a name may hold values of different types in turn."""

_PROGRAM: Final = """
import numpy as np
import typegrad as tg
from typegrad import activations, initializers, losses, optimizers, regularizers
from typegrad.op import *
from typegrad.training.optimizers import GradientDescent
"""


def settings(*, plugin: bool, redefined: bool = False) -> str:
    """Settings of mypy for which the cache holds: strict, with the plugin or with redefinition, as the guide says.

    With both, they are those of `typegrad check --strict`. The oldest mypy gets the format of cache that newer ones
    have, which it reads in half the time.
    """
    chosen = ["plugins = typegrad.mypy_plugin"] if plugin else []
    redefinition = [f"{each} = true" for each in REDEFINITION] if redefined or not plugin else []
    fast = ["fixed_format_cache = true"] if _IS_FIRST else []
    return "\n".join(["[mypy]", "strict = true", *chosen, *redefinition, *fast, ""])


def copy(folder: Path, *, plugin: bool, redefined: bool = False) -> Path:
    """Copy the cache to `folder`, which must not exist."""
    name = "of-check" if redefined else "with-plugin" if plugin else "without-plugin"
    filled = sharing.once(name, partial(_fill, plugin=plugin, redefined=redefined))
    return Path(copytree(filled / "cache", folder))


@cache
def of_process(*, plugin: bool, redefined: bool = False) -> Path:
    """A copy for all tests of this process, which add to it."""
    folder = Path(mkdtemp(prefix="typegrad-mypy-", dir=sharing.folder)) / "cache"
    return copy(folder, plugin=plugin, redefined=redefined)


def _fill(folder: Path, *, plugin: bool, redefined: bool) -> None:
    (folder / "program.py").write_text(_PROGRAM)
    (folder / "mypy.ini").write_text(settings(plugin=plugin, redefined=redefined))
    command = [sys.executable, "-m", "mypy", "--cache-dir", "cache", "program.py"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
