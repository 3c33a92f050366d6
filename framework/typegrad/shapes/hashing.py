"""Shape functions of `ops/hashing.yaml`."""

from __future__ import annotations

from typing import Final

from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView

METHOD: Final = "farmhash64"
"""The only method."""


def fingerprint(op: OpView) -> Shape:
    """Eight bytes for each row."""
    data = op.at_least("data", 1)
    op.rank("method", 0)
    return Shape((None if data.dims is None else data.dims[0], 8))
