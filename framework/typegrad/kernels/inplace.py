"""Kernels of `ops/inplace.yaml`. They write into copies, so they run on NumPy only."""

from __future__ import annotations

from functools import partial

import numpy as np

from typegrad.kernels.gather_and_scatter import Write, replace
from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.updating import at_rows


def _written(write: Write) -> Function:
    """The kernel that writes rows into a copy of an array; indices count modulo the number of rows."""

    def kernel(xp: Namespace, x: Array, i: Array, v: Array) -> Array:
        result = x.copy()
        write(result, i % max(len(result), 1), v)
        return result

    return kernel


inplace_add = _written(partial(at_rows, np.add))
inplace_sub = _written(partial(at_rows, np.subtract))
inplace_update = _written(replace)
