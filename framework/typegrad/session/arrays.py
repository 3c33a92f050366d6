"""`Arrays`: memory for large results, used again once nobody can see what is in it."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, final
from weakref import getweakrefcount

import numpy as np

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.kernels.namespace import DType

__all__ = ["Arrays"]

_KEPT: Final = 32
"""How many arrays are kept at most."""

_BYTES: Final = 1 << 30
"""How many bytes they have at most, so that runs with ever other shapes do not fill the memory."""


@final
class Arrays:
    """The arrays that runs of a session have worked with, kept because fresh memory costs a page fault for each page.

    An array is free if this has the only reference to it. A view has one to the array behind it, and so has everything
    else that can see into its memory, so an array is not free for as long as any of them is alive. Whoever looks at an
    array has taken it out first, so two threads never find the same one free.
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        """None yet."""
        self._kept: deque[Array] = deque(maxlen=_KEPT)

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._kept)

    def empty(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """An array of this shape and type, whose elements are arbitrary."""
        kept = self._kept
        for _ in range(len(kept)):
            try:
                array = kept.popleft()
            except IndexError:  # other threads have them
                break
            is_free = (
                sys.getrefcount(array) == _FREE
                and array.shape == shape
                and array.dtype == dtype
                and array.flags.c_contiguous
                and not getweakrefcount(array)
            )
            kept.append(array)
            if is_free:
                array.setflags(write=True)  # it may have been the value of a variable
                return array
        try:
            array = np.empty(shape, dtype)
        except MemoryError:
            kept.clear()
            array = np.empty(shape, dtype)
        kept.append(array)
        with suppress(IndexError):  # other threads have them
            while sum([each.nbytes for each in kept.copy()]) > _BYTES:
                kept.popleft()
        return array


def _references() -> int:
    """How many references Python counts where `empty` asks."""
    kept = deque([np.empty(0)])
    array = kept.popleft()
    return sys.getrefcount(array)


_has_gil: Final = getattr(sys, "_is_gil_enabled", lambda: True)()
_FREE: Final = _references() if _has_gil else -1
"""The count for an array that is free; without the global lock, counts are not exact, and none is."""
