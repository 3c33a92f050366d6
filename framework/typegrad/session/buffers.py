"""Memory for small results that nobody sees but ufuncs, which later runs of a program use again."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias, final

import numpy as np

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.base.types import TType
    from typegrad.graph.operand import AnyOutput
    from typegrad.session.program import Kernel
    from typegrad.session.steps import Step

__all__ = ["Buffers", "Kind", "passing"]

_MOST: Final = 1 << 16
"""The elements of the largest results that are kept."""

_BY_NAME: Final = (np.maximum, np.minimum)
"""The ufuncs that take an output by its name alone."""


Kind: TypeAlias = "tuple[int, type[TType]]"
"""The length of a vector, and the type of its elements."""


@final
class Buffers:
    """Sets of arrays, one for each run that is going on; an interrupted run loses its set."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        """No set yet."""
        self._kinds = tuple(kinds)
        self._free: deque[tuple[Array, ...]] = deque()
        self.give = self._free.append
        """Give a set back."""

    def take(self) -> tuple[Array, ...]:
        """A set that nobody else uses; the elements are arbitrary."""
        try:
            return self._free.pop()
        except IndexError:
            return tuple([np.empty(length, dtype.numpy) for length, dtype in self._kinds])


def passing(steps: Iterable[tuple[Step, Kernel]], lasting: Collection[AnyOutput]) -> dict[AnyOutput, Kind]:
    """The results that ufuncs make and only ufuncs take, so that nobody can tell what memory they are in.

    They are vectors of a known size: the layout of larger arrays follows from the layout of the inputs.

    Args:
        steps: The steps with their kernels.
        lasting: Values that somebody needs after the run.
    """
    kinds: dict[AnyOutput, Kind] = {}
    for step, kernel in steps:
        if type(kernel) is not np.ufunc:
            for output in step.inputs:
                kinds.pop(output, None)
            continue
        (output,) = step.outputs
        dims = output.shape.dims
        length = dims[0] if dims is not None and len(dims) == 1 else None
        if isinstance(length, int) and length <= _MOST and kernel not in _BY_NAME and output not in lasting:
            kinds[output] = (length, output.dtype)
    return kinds
