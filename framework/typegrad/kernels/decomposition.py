"""Kernels of `ops/decomposition.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.kernels.precision import NARROW


def qr(xp: Any, x: Any, *, full_matrices: bool) -> tuple[Any, Any]:
    """Orthonormal columns and an upper triangle for each matrix."""
    wide = x.astype(xp.float32) if x.dtype in NARROW else x
    q, r = xp.linalg.qr(wide, mode="complete" if full_matrices else "reduced")
    return q.astype(x.dtype, copy=False), r.astype(x.dtype, copy=False)
