"""`SumKernel`: a sum whose terms are computed when it needs them, so that there is never more than one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.session.program import Kernel

__all__ = ["SumKernel"]


@final
class SumKernel:
    """The sum of terms, in their order: arrays, or results of kernels that take two arrays."""

    __slots__ = ("terms",)

    def __init__(self, terms: Sequence[Kernel | None]) -> None:
        """Note the kernel of each term, which makes a new array; None for a term that is an input."""
        self.terms: Final = terms

    def __call__(self, *inputs: Any) -> Any:
        """The sum; each bit is the one that adding all terms at the end makes."""
        rest = iter(inputs)
        first, *others = self.terms
        total = _term(first, rest)
        is_new = first is not None
        for kernel in others:
            total = _plus(total, _term(kernel, rest), is_new=is_new)
            is_new = True
        return total


def _term(kernel: Kernel | None, rest: Any) -> Array:
    term: Array = next(rest) if kernel is None else kernel(next(rest), next(rest))
    return term


def _plus(total: Array, term: Array, *, is_new: bool) -> Array:
    """The sum, in the place of `total` if that is nobody else's, and if a new array would have the same layout."""
    fits = is_new and total.shape == term.shape and total.strides == term.strides
    return np.add(total, term, out=total if fits else None)
