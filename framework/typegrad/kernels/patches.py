"""Kernels of `ops/patches.yaml`: views of windows that slide over an array. They run on NumPy only."""

from __future__ import annotations

from collections.abc import Sequence

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
    edges = [max(each, 0) for each in _beyond(images, ksizes, strides, rates)] if padding == "SAME" else [0, 0]
    return _patches(_padded(images, edges), ksizes[1:-1], strides[1:-1], rates[1:-1])


def extract_volume_patches(
    xp: Namespace, x: Array, *, ksizes: tuple[int, ...], strides: tuple[int, ...], padding: str
) -> Array:
    """The same in three dimensions. As in TensorFlow, windows that leave more than they see begin further inside."""
    edges = _beyond(x, ksizes, strides, (1,) * 5) if padding == "SAME" else [0, 0, 0]
    return _patches(_padded(x, edges), ksizes[1:-1], strides[1:-1], (1, 1, 1))


def _beyond(x: Array, sizes: tuple[int, ...], strides: tuple[int, ...], rates: tuple[int, ...]) -> list[int]:
    """How far windows at every `stride`-th element reach over the edges; negative if they leave something."""
    windows = zip(x.shape, sizes, strides, rates, strict=True)
    reach = [(-(-length // step) - 1) * step + (size - 1) * rate + 1 - length for length, size, step, rate in windows]
    return reach[1:-1]


def _padded(x: Array, beyond: Sequence[int]) -> Array:
    """Zeros at both edges, with one more at the end of an odd number; without half of what windows leave."""
    left = [max(-each, 0) // 2 for each in beyond]
    x = x[(slice(None), *(slice(count, None) for count in left))]
    return np.pad(x, [(0, 0), *((max(each, 0) // 2, max(each - each // 2, 0)) for each in beyond), (0, 0)])


def _patches(x: Array, sizes: tuple[int, ...], strides: tuple[int, ...], rates: tuple[int, ...]) -> Array:
    spans = [(size - 1) * rate + 1 for size, rate in zip(sizes, rates, strict=True)]
    places = zip(x.shape[1:-1], spans, strides, strict=True)
    counts = [max((length - span) // stride + 1, 0) for length, span, stride in places]
    shape = (x.shape[0], *counts, *sizes, x.shape[-1])
    if 0 in shape:
        return np.zeros((x.shape[0], *counts, int(np.prod(sizes)) * x.shape[-1]), x.dtype)
    first, *space, last = x.strides
    moves = [step * stride for step, stride in zip(space, strides, strict=True)]
    within = [step * rate for step, rate in zip(space, rates, strict=True)]
    view = as_strided(x, shape, (first, *moves, *within, last), writeable=False)
    return np.asarray(view.reshape(x.shape[0], *counts, int(np.prod(sizes)) * x.shape[-1]))
