"""Kernels of `ops/bias.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import shape_list
from typegrad.kernels.precision import widened


def bias_add(xp: Any, value: Any, bias: Any, *, data_format: str) -> Any:
    """`bias` added along the channel axis."""
    axis = _channel_axis(value, "value", data_format)
    if bias.shape != (value.shape[axis],):
        raise InvalidArgumentError(
            f"`bias` must be a vector with an element for each of the {value.shape[axis]} channels of `value` {shape_list(value)}, "
            f"but has shape {shape_list(bias)}"
        )
    return value + xp.reshape(bias, [-1 if i == axis else 1 for i in range(value.ndim)])


def _channel_axis(x: Any, name: str, data_format: str) -> int:
    least = 3 if data_format == "NCHW" else 2
    if x.ndim < least:
        raise InvalidArgumentError(
            f"`{name}` must have rank {least} or more for {data_format}, but has shape {shape_list(x)}"
        )
    return 1 if data_format == "NCHW" else x.ndim - 1


def bias_add_grad(xp: Any, out_backprop: Any, *, data_format: str) -> Any:
    """The sum over every axis but that of the channels."""
    axis = _channel_axis(out_backprop, "out_backprop", data_format)
    others = tuple(i for i in range(out_backprop.ndim) if i != axis)
    return widened(xp, lambda x: xp.sum(x, axis=others, dtype=x.dtype), out_backprop)
