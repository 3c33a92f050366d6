"""Kernels of `ops/space_to_batch.yaml`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace


def space_to_batch_nd(xp: Namespace, x: Array, block_shape: Array, paddings: Array) -> Array:
    """Divide the padded array into blocks, whose positions become the outer index of the batch."""
    return _divided(xp, x, ints(block_shape), paddings.tolist())


def space_to_batch(xp: Namespace, x: Array, paddings: Array, *, block_size: int) -> Array:
    """The same with square blocks of images."""
    return _divided(xp, x, (block_size, block_size), paddings.tolist())


def _divided(xp: Namespace, x: Array, blocks: Sequence[int], paddings: Sequence[Sequence[int]]) -> Array:
    count = len(blocks)
    if any(map(any, paddings)):
        rest = x.ndim - 1 - count
        x = xp.pad(x, [(0, 0), *paddings, *[(0, 0)] * rest], constant_values=b"" if x.dtype == object else 0)
    sizes = [size // block for size, block in zip(x.shape[1:], blocks, strict=False)]
    tail = x.shape[1 + count :]
    pairs = [each for pair in zip(sizes, blocks, strict=True) for each in pair]
    x = x.reshape(x.shape[0], *pairs, *tail)
    inner, outer = range(2, 2 * count + 1, 2), range(1, 2 * count, 2)
    x = xp.transpose(x, (*inner, 0, *outer, *range(2 * count + 1, x.ndim)))
    return x.reshape(math.prod(blocks) * x.shape[count], *sizes, *tail)


def batch_to_space_nd(xp: Namespace, x: Array, block_shape: Array, crops: Array) -> Array:
    """Interleave the arrays of a batch, and cut their borders off."""
    return _interleaved(xp, x, ints(block_shape), crops.tolist())


def batch_to_space(xp: Namespace, x: Array, crops: Array, *, block_size: int) -> Array:
    """The same with square blocks of images."""
    return _interleaved(xp, x, (block_size, block_size), crops.tolist())


def _interleaved(xp: Namespace, x: Array, blocks: Sequence[int], crops: Sequence[Sequence[int]]) -> Array:
    count, batch = len(blocks), x.shape[0] // math.prod(blocks)
    sizes, tail = x.shape[1 : 1 + count], x.shape[1 + count :]
    x = x.reshape(*blocks, batch, *sizes, *tail)
    pairs = [axis for i in range(count) for axis in (count + 1 + i, i)]
    x = xp.transpose(x, (count, *pairs, *range(2 * count + 1, x.ndim)))
    whole = [size * block for size, block in zip(sizes, blocks, strict=True)]
    parts = (slice(before, size - after) for size, (before, after) in zip(whole, crops, strict=True))
    return x.reshape(batch, *whole, *tail)[(slice(None), *parts)]


def space_to_depth(xp: Namespace, x: Array, *, block_size: int, data_format: str) -> Array:
    """Each block of pixels as the channels of one pixel."""
    x = _channels_last(xp, x, data_format)
    batch, rows, columns, channels = x.shape[0], x.shape[1] // block_size, x.shape[2] // block_size, x.shape[3]
    x = _exchanged(xp, x.reshape(batch, rows, block_size, columns, block_size, channels))
    return _in_format(xp, x.reshape(batch, rows, columns, block_size**2 * channels), data_format)


def depth_to_space(xp: Namespace, x: Array, *, block_size: int, data_format: str) -> Array:
    """The channels of each pixel as a block of pixels."""
    x = _channels_last(xp, x, data_format)
    batch, rows, columns, channels = *x.shape[:3], x.shape[3] // block_size**2
    x = _exchanged(xp, x.reshape(batch, rows, columns, block_size, block_size, channels))
    return _in_format(xp, x.reshape(batch, rows * block_size, columns * block_size, channels), data_format)


def _exchanged(xp: Namespace, x: Array) -> Array:
    """Exchange the third and the fourth of six dimensions."""
    return xp.transpose(x, (0, 1, 3, 2, 4, 5))


def _channels_last(xp: Namespace, x: Array, data_format: str) -> Array:
    if data_format == "NHWC":
        return x
    if data_format == "NCHW":
        return xp.moveaxis(x, 1, -1)
    batch, groups, rows, columns, width = x.shape
    return xp.moveaxis(x, 1, -2).reshape(batch, rows, columns, groups * width)


def _in_format(xp: Namespace, x: Array, data_format: str) -> Array:
    if data_format == "NHWC":
        return x
    if data_format == "NCHW":
        return xp.moveaxis(x, -1, 1)
    return xp.moveaxis(x.reshape(*x.shape[:3], x.shape[3] // 4, 4), -2, 1)
