"""What all tests share: a scope, a folder, and that hypothesis draws the same examples every time, on a slow machine
too.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

import typegrad as tg
from support import sharing
from typegrad.session import interpreted

settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


def pytest_configure() -> None:
    """While tests are collected, almost all objects stay: no garbage is looked for."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Later, garbage collection passes over all that was imported."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are compiled for their first run."""
    monkeypatch.setattr(interpreted, "INTERPRETED", 0)


@pytest.fixture(scope="session", autouse=True)
def _share(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    sharing.folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
