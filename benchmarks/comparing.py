"""Whether contenders have computed the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from contenders.inputs import Array

__all__ = ["disagreement"]


def disagreement(results: Mapping[str, Sequence[Array]], tolerance: float) -> str:
    """The first difference between the first contender's results and another's, "" if there is none.

    A contender without results, such as a copy, is not compared, and neither is a result without elements.
    """
    compared = {name: arrays for name, arrays in results.items() if arrays}
    (first, reference), *others = compared.items()
    for name, arrays in others:
        if len(arrays) != len(reference):
            return f"{first} has {len(reference)} results, {name} has {len(arrays)}"
        for number, (one, other) in enumerate(zip(reference, arrays, strict=True)):
            if not one.size:
                continue
            if one.shape != other.shape:
                return f"result {number} has shape {one.shape} with {first}, but {other.shape} with {name}"
            scale = float(np.abs(one).max(initial=0))
            if not np.allclose(one, other, rtol=tolerance, atol=tolerance * scale / 1000):
                worst = float(np.abs(one - other).max())
                return (
                    f"result {number} differs by {worst:.3g} between {first} and {name}; values are up to {scale:.3g}"
                )
    return ""
