"""What the modules of programs share: their `PROGRAMS`, behind their `HEADER`, are one run of mypy. Also which modules
are for all versions of mypy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import IS_NEWEST, Report, check, disagreements
from mypy_plugin.programs import programs

_OF_MYPY: Final = frozenset((
    "test_generics", "test_incremental", "test_joins", "test_layers", "test_leading_dimensions", "test_messages",
    "test_objects", "test_programs", "test_refusals", "test_start_up", "test_truth", "test_types_in_calls",
    "test_unreachable", "test_values", "test_versions",
))  # fmt: skip
"""The modules about what mypy infers, represents, keeps and checks again, which its versions may do otherwise. The rest
is about what the plugin makes of that, and is asked with the newest version alone: continuous integration has a quarter
of an hour."""

_FILES: Final = Path(__file__).parent.glob("test_*.py")
collect_ignore = [] if IS_NEWEST else [path.name for path in _FILES if path.stem not in _OF_MYPY]


@pytest.fixture(scope="module")
def different(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says of each program that it should not, from a single run."""
    module = request.module
    return disagreements(tmp_path_factory.mktemp("programs"), module.PROGRAMS, module.HEADER)


@pytest.fixture(scope="session")
def of_programs(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """What mypy says of the programs of `programs.py`, which are `program0.py` and so on."""
    sources = {f"program{number}.py": program.source for number, program in enumerate(programs())}
    return check(tmp_path_factory.mktemp("programs"), sources)
