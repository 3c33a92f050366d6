"""The plugin imports what it needs alone: every run of mypy waits for it."""

from __future__ import annotations

import subprocess
import sys

import typegrad

IMPORTED = """
import sys, typegrad.mypy_plugin.hooks
late = "numpy.ma", "typegrad.session", "typegrad.differentiation", "typegrad.files", "typegrad.op", "typegrad.training"
print([name for name in late if name in sys.modules])
"""


def test_the_plugin_imports_no_session() -> None:
    assert subprocess.check_output([sys.executable, "-c", IMPORTED], text=True) == "[]\n"


def test_names_that_are_imported_late_are_listed() -> None:
    assert {"Operand", "Saver", "Session", "gradients", "initializers"} <= set(dir(typegrad))
