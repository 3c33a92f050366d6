"""Kernels of `ops/bias.yaml`."""

from __future__ import annotations

import math

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def bias_add(xp: Namespace, value: Array, bias: Array, *, data_format: str) -> Array:
    """Add `bias` along the channel axis."""
    axis = _channel_axis(value, data_format)
    if axis == value.ndim - 1 > 1 and value.flags.c_contiguous:
        # Repeated for each position in a row, so that NumPy's inner loops go over whole rows.
        *others, columns, channels = value.shape
        rows = xp.reshape(value, (math.prod(others), columns * channels))
        return xp.reshape(rows + xp.tile(bias, (columns,)), value.shape)
    return value + xp.reshape(bias, [-1 if i == axis else 1 for i in range(value.ndim)])


def _channel_axis(x: Array, data_format: str) -> int:
    return 1 if data_format == "NCHW" else x.ndim - 1


def bias_add_grad(xp: Namespace, out_backprop: Array, *, data_format: str) -> Array:
    """The sum over all axes except the channel axis."""
    axis = _channel_axis(out_backprop, data_format)
    others = tuple(i for i in range(out_backprop.ndim) if i != axis)

    def function(x: Array) -> Array:
        if axis == x.ndim - 1 > 1:
            *rest, columns, channels = x.shape
            rows = xp.sum(xp.reshape(x, (math.prod(rest), columns * channels)), axis=0, dtype=x.dtype)
            return xp.sum(xp.reshape(rows, (columns, channels)), axis=0, dtype=x.dtype)
        return xp.sum(x, axis=others, dtype=x.dtype)

    return widened(xp, function, out_backprop)
