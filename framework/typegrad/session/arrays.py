"""`Arrays`: memory for large results, used again once nobody can see what is in it."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias, final
from weakref import getweakrefcount

import numpy as np

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.kernels.namespace import DType

__all__ = ["LARGE", "Arrays", "keep_freed_memory"]

LARGE: Final = 1 << 16
"""From how many elements on a result is large: it is computed in blocks, and in memory of earlier results."""

_KINDS: Final = 32
"""Of how many shapes and types arrays are kept at most, so that runs with ever other shapes do not fill the memory."""

_ALIKE: Final = 256
"""How many arrays of one shape and type are kept at most, so that a search is short if users hold many."""

_BYTES: Final = 1 << 30
"""How many bytes they have at most."""

_TEMPORARY: Final = 1 << 24
"""Up to which size in bytes temporary arrays are in memory that the process keeps."""

_Kind: TypeAlias = "tuple[tuple[int, ...], DType]"


@cache
def keep_freed_memory() -> None:
    """Let the process keep the memory of temporary arrays within kernels: once for all sessions.

    The C library of Linux keeps more freed memory once it has freed a large array, whose pages were never used.
    """
    np.empty(_TEMPORARY, np.uint8)


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
        self._kept: dict[_Kind, deque[Array]] = {}

    def __len__(self) -> int:
        """How many are kept."""
        return sum(map(len, self._kept.copy().values()))

    def empty(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """An array of this shape and type, whose elements are arbitrary."""
        arrays = self._kept.get((shape, dtype), deque())
        for _ in range(len(arrays)):
            try:
                array = arrays.popleft()
            except IndexError:  # other threads have them
                break
            is_free = (
                sys.getrefcount(array) == _FREE
                and array.shape == shape
                and array.dtype == dtype
                and array.flags.c_contiguous
                and not getweakrefcount(array)
            )
            arrays.append(array)
            if is_free:
                array.setflags(write=True)  # it may have been the value of a variable
                return array
        try:
            array = np.empty(shape, dtype)
        except MemoryError:
            self._kept.clear()
            array = np.empty(shape, dtype)
        self._kept.setdefault((shape, dtype), deque(maxlen=_ALIKE)).append(array)
        self._make_room()
        return array

    def _make_room(self) -> None:
        """Let go of the kinds that came first, if there are too many or they take too much."""
        kept = self._kept
        with suppress(KeyError, StopIteration):  # other threads let go of them
            while len(kept) > _KINDS or self._bytes() > _BYTES:
                del kept[next(iter(kept))]

    def _bytes(self) -> int:
        return sum([array.nbytes for arrays in self._kept.copy().values() for array in arrays.copy()])


def _references() -> int:
    """How many references Python counts where `empty` asks."""
    kept = deque([np.empty(0)])
    array = kept.popleft()
    return sys.getrefcount(array)


_has_gil: Final = getattr(sys, "_is_gil_enabled", lambda: True)()
_FREE: Final = _references() if _has_gil else -1
"""The count for an array that is free; without the global lock, counts are not exact, and none is."""
