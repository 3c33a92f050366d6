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
        *batch, height, width, depth = x.shape
        mean = xp.sum(xp.sum(x, -3), -2) / x.dtype.type(max(height * width, 1))
        # Repeated for each position in a row, so that NumPy's inner loops go over whole rows.
        rows = xp.reshape(xp.repeat(mean[..., None, None, :], width, -2), (*batch, 1, width * depth))
        result: Array = (xp.reshape(x, (*batch, height, width * depth)) - rows) * contrast_factor + rows
        return xp.reshape(result, x.shape)

    return widened(xp, function, images)


def adjust_hue(xp: Namespace, images: Array, delta: Array) -> Array:
    """Put the largest, middle and smallest number into the order of the new sixth, with the new middle."""

    def function(x: Array) -> Array:
        red, green, blue = _channels(xp, x)
        below = xp.where(blue < red, 1, xp.where(blue > green, 3, 2))
        sixth = xp.where(red < green, below, xp.where(blue < green, 0, xp.where(blue > red, 4, 5)))
        largest, middle, smallest = (
            xp.where(place == 0, red, xp.where(place == 1, green, blue)) for place in _places(xp, sixth)
        )
        width = largest - smallest
        part = _risen(xp, sixth, (middle - smallest) / xp.where(width == 0, 1, width))
        turned = _in_circle(xp, xp.where(width == 0, 0, sixth.astype(x.dtype) + part) + delta * x.dtype.type(6))
        is_number = xp.isfinite(turned)
        new = xp.where(is_number, turned, 5).astype(xp.int64)
        middle = smallest + _risen(xp, new, turned - new.astype(x.dtype)) * width
        middle = xp.where(is_number, middle, xp.nan)
        first, second, _ = _places(xp, new)
        channels = [
            xp.where(first == place, largest, xp.where(second == place, middle, smallest)) for place in range(3)
        ]
        return xp.stack(channels, -1).astype(x.dtype)

    return widened(xp, function, images)


def _places(xp: Namespace, sixth: Array) -> list[Array]:
    """The channels of the largest, middle and smallest number."""
    return [xp.take(xp.array(places), sixth) for places in zip(*ORDERS, strict=True)]


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
        red, green, blue = _channels(xp, x)
        largest = _larger(xp, red, _larger(xp, green, blue))
        width = largest - _smaller(xp, red, _smaller(xp, green, blue))
        scaled = xp.where(largest > 0, width / xp.where(largest > 0, largest, 1), 0) * scale
        chroma = xp.where(scaled > 0, xp.where(scaled < 1, scaled, 1), 0) * largest
        factor = xp.where(width > 0, chroma / xp.where(width > 0, width, 1), 0)
        has_hue = xp.isfinite(red) & xp.isfinite(green) & xp.isfinite(blue)
        moved = (largest - (largest - channel) * factor for channel in (red, green, blue))
        return xp.stack([xp.where(has_hue, each, largest - chroma) for each in moved], -1).astype(x.dtype)

    return widened(xp, function, images)


def rgb_to_hsv(xp: Namespace, images: Array) -> Array:
    """Which number is the largest says in which third of the circle the hue is."""

    def function(x: Array) -> Array:
        red, green, blue = _channels(xp, x)
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
        hue, saturation, value = _channels(xp, x)
        sixths = hue * 6
        heights = (abs(sixths - 3) - 1, 2 - abs(sixths - 2), 2 - abs(sixths - 4))
        numbers = [(1 - saturation + saturation * xp.clip(height, 0, 1)) * value for height in heights]
        return xp.stack(numbers, -1).astype(x.dtype)

    return widened(xp, function, images)


def _channels(xp: Namespace, x: Array) -> Array:
    """The channels, each with its numbers next to each other."""
    return xp.stack((x[..., 0], x[..., 1], x[..., 2]))


def _larger(xp: Namespace, x: Array, y: Array) -> Array:
    """The larger number; `x` where one of them is not a number."""
    return xp.where(x < y, y, x)


def _smaller(xp: Namespace, x: Array, y: Array) -> Array:
    """The smaller number; `x` where one of them is not a number."""
    return xp.where(y < x, y, x)
