"""The IPython that runs the program, if one does. IPython itself is not imported."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["cell_of", "running_ipython"]


def running_ipython() -> Any:
    """The running shell of IPython, or None."""
    python = sys.modules.get("IPython")
    get_shell = getattr(python, "get_ipython", None)
    return None if get_shell is None else get_shell()


def cell_of(file: str) -> str | None:
    """What IPython calls the cell that it compiled under the name of a file, "Cell In[2]"; None for any other file."""
    compiler = getattr(running_ipython(), "compile", None)
    format_name = getattr(compiler, "format_code_name", None)  # of IPython 8.0 and later
    label = None if format_name is None else format_name(file)
    return None if label is None else " ".join(label)
