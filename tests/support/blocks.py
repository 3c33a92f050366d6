"""Fused groups with blocks of a few elements."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import pytest

__all__ = ["small_blocks"]


@contextmanager
def small_blocks(size: int = 3) -> Generator[None]:
    """Divide arrays of any size into blocks of so many elements."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typegrad.session.fused.LARGE", 1)
        patch.setattr("typegrad.session.steps.LARGE", 1)
        patch.setattr("typegrad.session.large.LARGE", 1)
        patch.setattr("typegrad.session.updates.LARGE", 1)
        patch.setattr("typegrad.session.fused._BLOCK", size)
        patch.setattr("typegrad.kernels.reduction.MANY", 1)
        yield
