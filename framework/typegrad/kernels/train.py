"""Kernels of `ops/train.yaml`."""

from __future__ import annotations

from typing import Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.precision import NARROW


def prevent_gradient(xp: Any, x: Any) -> Any:
    """The input, unchanged: only the gradient builder knows the difference."""
    return x


def batch_mat_mul_v3(xp: Any, x: Any, y: Any, *, tout: Any, adj_x: bool, adj_y: bool) -> Any:
    """The products of stacks of matrices."""
    left, right = (_adjoint(xp, x) if adj_x else x), (_adjoint(xp, y) if adj_y else y)
    if min(x.ndim, y.ndim) < 2 or left.shape[-1] != right.shape[-2]:
        raise InvalidArgumentError(
            f"x {list(x.shape)} and y {list(y.shape)} are not matrices, or their inner dimensions differ"
        )
    try:
        xp.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    except ValueError:
        raise InvalidArgumentError(
            f"the batch dimensions of x {list(x.shape)} and y {list(y.shape)} do not broadcast"
        ) from None
    wide = np.dtype(np.float32) if tout in NARROW else tout
    return xp.matmul(left.astype(wide), right.astype(wide)).astype(tout)


def _adjoint(xp: Any, x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    if x.ndim < 2:
        return x
    x = xp.swapaxes(x, -1, -2)
    return xp.conj(x) if x.dtype.kind == "c" else x


def resource_apply_gradient_descent(xp: Any, var: Any, alpha: Any, delta: Any) -> tuple[()]:
    """Subtract `alpha * delta` from a variable."""
    value = var.read()
    if alpha.ndim or delta.shape != value.shape:
        raise InvalidArgumentError(
            f"`alpha` must be a scalar, and `delta` must have the variable's shape {list(value.shape)}; "
            f"they have shapes {list(alpha.shape)} and {list(delta.shape)}"
        )
    var.assign(value - alpha * delta)
    return ()
