"""Python values in place of operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from typing_extensions import TypeVar

__all__ = ["Nested"]

_X = TypeVar("_X")

Nested: TypeAlias = (
    Sequence[_X]
    | Sequence[Sequence[_X]]
    | Sequence[Sequence[Sequence[_X]]]
    | Sequence[Sequence[Sequence[Sequence[_X]]]]
)
"""A sequence of up to four levels. Not recursive: a string is a sequence of strings, which would fit any recursive form."""
