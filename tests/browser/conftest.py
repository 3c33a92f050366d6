"""A browser for each file of tests, closed after its last test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.browser import Browser, launched


@pytest.fixture(scope="module")  # an open page costs part of a core, so it is closed with the last test of a file
def browser() -> Iterator[Browser]:
    yield from launched()
