"""One browser for all tests of the folder; it is closed after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.browser import Browser, launched


@pytest.fixture(scope="module")  # an open page costs part of a core, so it is closed with the last test of a file
def browser() -> Iterator[Browser]:
    yield from launched()
