"""Parts of large arrays: what is between in a computation stays in a cache, and threads share them."""

from __future__ import annotations

import math

__all__ = ["parts"]


def parts(shape: tuple[int, ...], at_once: int) -> list[slice]:
    """The slices of the first dimension with about so many elements each, and at least a row."""
    step = max(1, at_once // max(1, math.prod(shape[1:])))
    return [slice(first, first + step) for first in range(0, shape[0], step)]
