"""What the tests of dry runs share."""

from __future__ import annotations

from typing import Any

import pytest

from dry_run.following import HEADER, UNSIZED


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The names of a program with arrays whose sizes values tell, and their values."""
    made: dict[str, Any] = {}
    exec((HEADER + UNSIZED).replace("import unknown_library as unknown", ""), made)
    return made
