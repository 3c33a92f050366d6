"""What all tests share: a scope, and that hypothesis draws the same examples every time, and does not mind a slow machine."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

import typegrad as tg

settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())
