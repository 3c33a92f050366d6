"""Kernels of `ops/patches.yaml`: views of windows that slide over an array. They are NumPy's only."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from typegrad.kernels.namespace import Array, Namespace


def extract_image_patches(
    xp: Namespace,
    images: Array,
    *,
    ksizes: tuple[int, ...],
    strides: tuple[int, ...],
    rates: tuple[int, ...],
    padding: str,
) -> Array:
    """The elements under the window at each position."""
    return _patches(images, ksizes[1:-1], strides[1:-1], rates[1:-1], padding)


def extract_volume_patches(
    xp: Namespace, x: Array, *, ksizes: tuple[int, ...], strides: tuple[int, ...], padding: str
) -> Array:
    """The same in three dimensions."""
    return _patches(x, ksizes[1:-1], strides[1:-1], (1, 1, 1), padding)


def _patches(x: Array, sizes: tuple[int, ...], strides: tuple[int, ...], rates: tuple[int, ...], padding: str) -> Array:
    spans = [(size - 1) * rate + 1 for size, rate in zip(sizes, rates, strict=True)]
    lengths = x.shape[1:-1]
    if padding == "SAME":
        counts = [-(-length // stride) for length, stride in zip(lengths, strides, strict=True)]
        places = zip(lengths, counts, strides, spans, strict=True)
        beyond = [max((count - 1) * stride + span - length, 0) for length, count, stride, span in places]
        x = np.pad(x, [(0, 0), *((each // 2, each - each // 2) for each in beyond), (0, 0)])
    else:
        places_ = zip(lengths, spans, strides, strict=True)
        counts = [max((length - span) // stride + 1, 0) for length, span, stride in places_]
    shape = (x.shape[0], *counts, *sizes, x.shape[-1])
    if 0 in shape:
        return np.zeros((x.shape[0], *counts, int(np.prod(sizes)) * x.shape[-1]), x.dtype)
    first, *space, last = x.strides
    moves = [step * stride for step, stride in zip(space, strides, strict=True)]
    within = [step * rate for step, rate in zip(space, rates, strict=True)]
    view = as_strided(x, shape, (first, *moves, *within, last), writeable=False)
    return np.asarray(view.reshape(x.shape[0], *counts, int(np.prod(sizes)) * x.shape[-1]))
