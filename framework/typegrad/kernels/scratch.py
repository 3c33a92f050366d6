"""Memory for intermediate results that is kept between calls: much new memory costs page faults.

Each thread has its own. A kernel never returns it, nor calls another kernel while using it.
"""

from __future__ import annotations

import math
import threading
from typing import Final

import numpy as np

from typegrad.kernels.namespace import Array, DType

__all__ = ["scratch"]

FEW: Final = 1 << 16
"""The size in bytes up to which new memory costs no page faults."""
KEPT: Final = 1 << 24
"""The size in bytes up to which memory is kept, for each name."""


class _Memory(threading.local):
    """The memory of one thread by name."""

    def __init__(self) -> None:
        self.blocks: dict[str, Array] = {}


_MEMORY: Final = _Memory()


def scratch(name: str, shape: tuple[int, ...], dtype: DType) -> Array:
    """An array with arbitrary contents, valid until the next call with the same name in this thread."""
    size = math.prod(shape) * dtype.itemsize
    if size <= FEW:
        return np.empty(shape, dtype)
    block = _MEMORY.blocks.get(name)
    if block is None or block.size < size:
        block = np.empty(size, np.uint8)
        if size <= KEPT:
            _MEMORY.blocks[name] = block
    return block[:size].view(dtype).reshape(shape)
