"""One browser for all tests of a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.browser import Browser, launched


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    yield from launched()
