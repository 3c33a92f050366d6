"""What the tests of functions share."""

from __future__ import annotations

import pytest

import typegrad as tg


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph(seed=1))
