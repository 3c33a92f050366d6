"""Kernels of `ops/quasi_random.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, DType, Namespace


def sobol_sample(xp: Namespace, dim: Array, num_results: Array, skip: Array, *, dtype: DType) -> Array:
    """Points of the Sobol sequence after the origin. SciPy has the direction numbers of TensorFlow, and more."""
    from scipy.stats import qmc  # takes longer to import than all of typegrad

    points = qmc.Sobol(int(dim), scramble=False, bits=32)
    points.fast_forward(1 + int(skip))
    return xp.asarray(points.random(int(num_results)), dtype=dtype)
