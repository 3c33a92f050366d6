"""Kernels of `ops/sorting.yaml`."""

from __future__ import annotations

from typing import Any

import numpy as np


def top_kv2(xp: Any, x: Any, k: Any, *, index_type: Any) -> tuple[Any, Any]:
    """The largest elements of each row and where they are, always in falling order."""
    # Falling order with ties in rising order of position is rising order, backwards, of the array backwards.
    backwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    places = (x.shape[-1] - 1 - backwards)[..., : int(k)]
    return np.take_along_axis(x, places, axis=-1), places.astype(index_type)


def in_top_kv2(xp: Any, predictions: Any, targets: Any, k: Any) -> Any:
    """Whether fewer than `k` classes are predicted strictly higher than the target, in rows that are finite throughout."""
    classes = predictions.shape[1]
    if classes == 0:
        return xp.zeros(targets.shape, bool)
    is_class = (targets >= 0) & (targets < classes)
    chosen = xp.take_along_axis(predictions, xp.where(is_class, targets, 0)[:, None], axis=1)
    higher = xp.sum(predictions > chosen, axis=1)
    return is_class & xp.all(xp.isfinite(predictions), axis=1) & (higher < k)
