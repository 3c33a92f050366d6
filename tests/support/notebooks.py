"""Notebooks, and what `typegrad check` says of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from support import mypy_cache

__all__ = ["FIRST", "cache", "check", "notebook", "parted"]

FIRST: Final = """\
import numpy as np
import typegrad as tg
from typegrad.op import core, math
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, 3))
F = tg.Operand[tg.TFloat32]
"""
"""What comes before the cells of such a text."""
_BETWEEN: Final = "# %%\n"
_IN_PYTHON: Final = {"language_info": {"name": "python"}}


def notebook(*cells: str, metadata: dict[str, Any] | None = None) -> str:
    """A file of Jupyter's format 4, whose first cell is a text."""
    code = [{"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []} for cell in cells]
    text = {"cell_type": "markdown", "source": ["# A lesson\n", "x = null"]}
    return json.dumps({"cells": [text, *code], "metadata": _IN_PYTHON if metadata is None else metadata, "nbformat": 4})


def parted(text: str) -> str:
    """A notebook whose cells are the parts of a text between lines `# %%`."""
    return notebook(*(FIRST + _BETWEEN + text).split(_BETWEEN))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of mypy for all checks."""
    return mypy_cache.copy(tmp_path_factory.mktemp("cache") / "strict", plugin=True, redefined=True)


def check(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`typegrad check --strict` in a folder."""
    (folder / ".git").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "typegrad", "check", "--strict", *arguments]
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cache)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
