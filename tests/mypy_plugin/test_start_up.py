"""The plugin imports what it needs alone: every run of mypy waits for it."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import typegrad

IMPORTED: Final = """
import sys, typegrad.mypy_plugin.hooks
late = "numpy.ma", "typegrad.session", "typegrad.differentiation", "typegrad.files", "typegrad.op", "typegrad.training"
print([name for name in late if name in sys.modules])
"""

HOOKS: Final = """
import sys, typegrad.mypy_plugin.interface
print(sorted(name for name in sys.modules if name.startswith("typegrad.mypy_plugin.")))
"""


def _printed(program: str) -> str:
    return subprocess.check_output([sys.executable, "-c", program], text=True)


def test_the_hooks_import_no_session() -> None:
    assert _printed(IMPORTED) == "[]\n"


def test_a_run_that_checks_no_file_imports_no_hooks() -> None:
    modules = "base", "base.codes", "interface", "values", "values.program_files", "values.sources", "versions"
    assert _printed(HOOKS) == f"{[f'typegrad.mypy_plugin.{each}' for each in modules]}\n"


def test_names_that_are_imported_late_are_listed() -> None:
    assert {"Operand", "Saver", "Session", "gradients", "initializers"} <= set(dir(typegrad))
