"""Which files are programs: mypy takes any text for Python, and a notebook without `null` for a right program."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

__all__ = ["NOT_IN_EDITORS", "is_notebook", "is_python"]

NOT_IN_EDITORS: Final = "a notebook is checked where an editor shows its cells, and by typegrad check {}"
_ENDINGS: Final = ("", ".py", ".pyi", ".pyw")
_STARTS_PYTHON: Final = re.compile(r"#!.*python")


def is_notebook(path: str) -> bool:
    """Whether the name is one of a notebook."""
    return PurePath(path).suffix == ".ipynb"


def is_python(path: str, text: str) -> bool:
    """Whether a file is one of Python. Scripts may have any name."""
    return PurePath(path).suffix in _ENDINGS or _STARTS_PYTHON.match(text) is not None
