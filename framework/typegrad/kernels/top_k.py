"""Kernels of `ops/top_k.yaml`."""

from __future__ import annotations

from typing import Any

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.precision import widened


def top_kv2(xp: Any, x: Any, k: Any, *, index_type: Any) -> tuple[Any, Any]:
    """The largest elements of each row and where they are, always in falling order."""
    if k.ndim or not x.ndim or not 0 <= k <= x.shape[-1]:
        raise InvalidArgumentError(
            f"`k` must be a scalar from 0 to the length of the rows of `input`, but is {k.tolist()}, and `input` has shape {list(x.shape)}"
        )
    # Falling order with ties in rising order of position is rising order, backwards, of the array backwards.
    backwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    places = (x.shape[-1] - 1 - backwards)[..., : int(k)]
    return np.take_along_axis(x, places, axis=-1), places.astype(index_type)


def softsign(xp: Any, features: Any) -> Any:
    """x / (1 + |x|)."""
    return widened(xp, lambda x: x / (1 + xp.abs(x)), features)


def softsign_grad(xp: Any, gradients: Any, features: Any) -> Any:
    """gradients / (1 + |features|)^2."""
    if gradients.shape != features.shape:
        raise InvalidArgumentError(
            f"the two inputs must have one shape, but have {list(gradients.shape)} and {list(features.shape)}"
        )
    return widened(xp, lambda dy, x: dy / xp.square(1 + xp.abs(x)), gradients, features)
