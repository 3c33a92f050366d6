"""Kernels of `ops/bias.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened


def bias_add(xp: Namespace, value: Array, bias: Array, *, data_format: str) -> Array:
    """Add `bias` along the channel axis."""
    axis = _channel_axis(value, data_format)
    return value + xp.reshape(bias, [-1 if i == axis else 1 for i in range(value.ndim)])


def _channel_axis(x: Array, data_format: str) -> int:
    return 1 if data_format == "NCHW" else x.ndim - 1


def bias_add_grad(xp: Namespace, out_backprop: Array, *, data_format: str) -> Array:
    """The sum over all axes except the channel axis."""
    axis = _channel_axis(out_backprop, data_format)
    others = tuple(i for i in range(out_backprop.ndim) if i != axis)
    return widened(xp, lambda x: xp.sum(x, axis=others, dtype=x.dtype), out_backprop)
