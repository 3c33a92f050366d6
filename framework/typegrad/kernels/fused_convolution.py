"""Kernels of `ops/fused_convolution.yaml`: the ones of their parts, one after the other."""

from __future__ import annotations

from typegrad.kernels.checks import ints
from typegrad.kernels.convolution import conv2d
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide
from typegrad.kernels.resize import resized_bilinear
from typegrad.kernels.tiling_and_padding import mirror_pad


def fused_pad_conv2d(
    xp: Namespace, x: Array, paddings: Array, filters: Array, *, mode: str, strides: tuple[int, ...], padding: str
) -> Array:
    """The convolution of the padded images."""
    return conv2d(
        xp,
        mirror_pad(xp, x, paddings, mode=mode),
        filters,
        strides=strides,
        padding=padding,
        explicit_paddings=(),
        dilations=(1, 1, 1, 1),
        data_format="NHWC",
    )


def fused_resize_and_pad_conv2d(
    xp: Namespace,
    x: Array,
    size: Array,
    paddings: Array,
    filters: Array,
    *,
    mode: str,
    strides: tuple[int, ...],
    padding: str,
    resize_align_corners: bool,
) -> Array:
    """The convolution of the resized and padded images."""
    resized = resized_bilinear(wide(x), ints(size), resize_align_corners, half_pixel_centers=False)
    return fused_pad_conv2d(xp, resized.astype(x.dtype), paddings, filters, mode=mode, strides=strides, padding=padding)
