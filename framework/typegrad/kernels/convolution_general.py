"""Kernels of `ops/convolution_general.yaml`: images or volumes, and gradients from arrays instead of shapes."""

from __future__ import annotations

import math

from typegrad.kernels.convolution import Slide, conv2d, correlated_in_format, sliding, spread_in_format
from typegrad.kernels.convolution_3d import convolved_volumes
from typegrad.kernels.namespace import Array, Namespace
from typegrad.shapes.convolution_general import dimensioned_attrs


def conv(
    xp: Namespace,
    x: Array,
    filters: Array,
    *,
    strides: tuple[int, ...],
    padding: str,
    explicit_paddings: tuple[int, ...],
    data_format: str,
    dilations: tuple[int, ...],
    batch_dims: int,
) -> Array:
    """All batch dimensions as one; the number of groups follows from the shapes."""
    attrs = dimensioned_attrs(
        {
            "strides": strides,
            "padding": padding,
            "explicit_paddings": explicit_paddings,
            "data_format": data_format,
            "dilations": dilations,
        }
    )
    batch, rest = x.shape[:batch_dims], x.shape[batch_dims:]
    images = xp.reshape(x, (math.prod(batch), *rest))
    result = (
        conv2d(xp, images, filters, **attrs)
        if len(strides) == 4
        else convolved_volumes(xp, images, filters, Slide(**attrs))
    )
    return xp.reshape(result, (*batch, *result.shape[1:]))


@sliding
def conv2d_backprop_input_v2(xp: Namespace, slide: Slide, x: Array, filters: Array, grad: Array) -> Array:
    """`conv2d_backprop_input` for the shape of `x`."""
    return spread_in_format(xp, slide, x.shape, filters, grad)


@sliding
def conv2d_backprop_filter_v2(xp: Namespace, slide: Slide, x: Array, filters: Array, grad: Array) -> Array:
    """`conv2d_backprop_filter` for the shape of `filters`."""
    return correlated_in_format(xp, slide, x, filters.shape, grad)
