"""Kernels of `ops/colour.yaml`. Half and bfloat16 are computed in float32."""

from __future__ import annotations

from typing import Final

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

ORDERS: Final = ((0, 1, 2), (1, 0, 2), (1, 2, 0), (2, 1, 0), (2, 0, 1), (0, 2, 1))
"""The channels of the largest, middle and smallest number in each sixth of the circle of hues."""


def adjust_contrastv2(xp: Namespace, images: Array, contrast_factor: Array) -> Array:
    """Scale the distances to the mean."""

    def function(x: Array) -> Array:
        count = max(x.shape[-3] * x.shape[-2], 1)
        mean = xp.sum(x, (-3, -2), keepdims=True) / x.dtype.type(count)
        result: Array = (x - mean) * contrast_factor + mean
        return result

    return widened(xp, function, images)


def adjust_hue(xp: Namespace, images: Array, delta: Array) -> Array:
    """Put the largest, middle and smallest number into the order of the new sixth, with the new middle."""

    def function(x: Array) -> Array:
        red, green, blue = _channels(x)
        below = xp.where(blue < red, 1, xp.where(blue > green, 3, 2))
        sixth = xp.where(red < green, below, xp.where(blue < green, 0, xp.where(blue > red, 4, 5)))
        order = xp.array(ORDERS)
        largest, middle, smallest = _channels(xp.take_along_axis(x, xp.take(order, sixth, 0), -1))
        width = largest - smallest
        part = _risen(xp, sixth, (middle - smallest) / xp.where(width == 0, 1, width))
        turned = _in_circle(xp, xp.where(width == 0, 0, sixth.astype(x.dtype) + part) + delta * x.dtype.type(6))
        is_number = xp.isfinite(turned)
        new = xp.where(is_number, turned, 5).astype(xp.int64)
        middle = smallest + _risen(xp, new, turned - new.astype(x.dtype)) * width
        numbers = xp.stack([largest, xp.where(is_number, middle, xp.nan), smallest], -1)
        return xp.take_along_axis(numbers, xp.argsort(xp.take(order, new, 0), -1), -1).astype(x.dtype)

    return widened(xp, function, images)


def _risen(xp: Namespace, sixth: Array, part: Array) -> Array:
    """A part of a sixth in which the middle number rises; in every second one it falls."""
    return xp.where(sixth % 2 == 0, part, 1 - part)


def _in_circle(xp: Namespace, hue: Array) -> Array:
    """The hue in [0, 6)."""
    hue = xp.fmod(hue, xp.asarray(6, dtype=hue.dtype))
    hue = xp.where(hue < 0, hue + 6, hue)
    return xp.where(hue >= 6, hue - 6, hue)


def adjust_saturation(xp: Namespace, images: Array, scale: Array) -> Array:
    """Scale the distances to the largest number, up to what makes the smallest 0."""

    def function(x: Array) -> Array:
        red, green, blue = _channels(x)
        largest = _larger(xp, red, _larger(xp, green, blue))
        width = largest - _smaller(xp, red, _smaller(xp, green, blue))
        scaled = xp.where(largest > 0, width / xp.where(largest > 0, largest, 1), 0) * scale
        chroma = xp.where(scaled > 0, xp.where(scaled < 1, scaled, 1), 0) * largest
        factor = xp.where(width > 0, chroma / xp.where(width > 0, width, 1), 0)
        moved = largest[..., None] - (largest[..., None] - x) * factor[..., None]
        has_hue = xp.all(xp.isfinite(x), -1, keepdims=True)
        return xp.where(has_hue, moved, (largest - chroma)[..., None]).astype(x.dtype)

    return widened(xp, function, images)


def rgb_to_hsv(xp: Namespace, images: Array) -> Array:
    """Which number is the largest says in which third of the circle the hue is."""

    def function(x: Array) -> Array:
        red, green, blue = _channels(x)
        largest = _larger(xp, blue, _larger(xp, green, red))
        width = largest - _smaller(xp, blue, _smaller(xp, green, red))
        sixth = 1 / width / 6
        hue = xp.where(
            red == largest,
            sixth * (green - blue),
            xp.where(green == largest, sixth * (blue - red) + 2 / 6, sixth * (red - green) + 4 / 6),
        )
        hue = xp.where(width > 0, hue, 0)
        saturation = xp.where(largest > 0, width / largest, 0)
        return xp.stack([xp.where(hue < 0, hue + 1, hue), saturation, largest], -1).astype(x.dtype)

    return widened(xp, function, images)


def hsv_to_rgb(xp: Namespace, images: Array) -> Array:
    """Trapezoids over the circle of hues."""

    def function(x: Array) -> Array:
        hue, saturation, value = _channels(x)
        sixths = hue * 6
        heights = (abs(sixths - 3) - 1, 2 - abs(sixths - 2), 2 - abs(sixths - 4))
        numbers = [(1 - saturation + saturation * xp.clip(height, 0, 1)) * value for height in heights]
        return xp.stack(numbers, -1).astype(x.dtype)

    return widened(xp, function, images)


def _channels(x: Array) -> tuple[Array, Array, Array]:
    return x[..., 0], x[..., 1], x[..., 2]


def _larger(xp: Namespace, x: Array, y: Array) -> Array:
    """The larger number; `x` where one of them is not a number."""
    return xp.where(x < y, y, x)


def _smaller(xp: Namespace, x: Array, y: Array) -> Array:
    """The smaller number; `x` where one of them is not a number."""
    return xp.where(y < x, y, x)
