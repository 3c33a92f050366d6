"""What the tests after TensorFlow Java's share."""

from __future__ import annotations

import pytest

import typegrad as tg


@pytest.fixture
def graph() -> tg.Graph:
    return tg.Graph()


@pytest.fixture
def tf(graph: tg.Graph) -> tg.Ops:
    return tg.Ops.create(graph)
