"""Sessions are tested with programs that are compiled; what interprets them has tests of its own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _compiled(compiled: None) -> None:
    """As asked for."""
