"""Kernels of `ops/decomposition.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide


def qr(xp: Namespace, x: Array, *, full_matrices: bool) -> tuple[Array, Array]:
    """Orthonormal columns and an upper triangle for each matrix."""
    q, r = xp.linalg.qr(wide(x), mode="complete" if full_matrices else "reduced")
    return q.astype(x.dtype, copy=False), r.astype(x.dtype, copy=False)
