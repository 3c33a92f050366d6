"""Kernels of `ops/colour.yaml`. Half and bfloat16 are computed in float32."""

from __future__ import annotations

from typing import Final

from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import widened

SIXTHS: Final = (5, 0, 4, 2, 1, 3)
"""The sixth of the circle of hues by the order of a pixel's numbers."""


def adjust_contrastv2(xp: Namespace, images: Array, contrast_factor: Array) -> Array:
    """Scale the distances to the mean."""

    def function(x: Array) -> Array:
        *batch, height, width, depth = x.shape
        mean = xp.sum(xp.sum(x, -3), -2) / x.dtype.type(max(height * width, 1))
        # Repeated for each position in a row, so that NumPy's inner loops go over whole rows.
        rows = xp.reshape(xp.repeat(mean[..., None, None, :], width, -2), (*batch, 1, width * depth))
        sizes = (*batch, height, width * depth)
        result = xp.subtract(xp.reshape(x, sizes), rows, out=xp.empty(sizes, x.dtype))
        result *= contrast_factor
        result += rows
        return xp.reshape(result, x.shape)

    return widened(xp, function, images)


def adjust_hue(xp: Namespace, images: Array, delta: Array) -> Array:
    """Order each pixel's numbers, turn its hue, and put them where the new one has them.

    The hue counts sixths of the circle: in every second one, the middle number falls from the largest to the smallest.
    """

    def function(x: Array) -> Array:
        (red, green, blue), number = _channels(xp, x), x.dtype.type
        is_turned = red < green
        high, low = _chosen(is_turned, green, red), _chosen(is_turned, red, green)
        is_under, is_over = blue < low, blue > high
        largest, smallest = _chosen(is_over, blue, high), _chosen(is_under, blue, low)
        middle = _chosen(is_under, low, _chosen(is_over, high, blue))
        sixth = xp.take(xp.asarray(SIXTHS, x.dtype), 3 * is_turned + 2 * is_over + is_under)
        width = largest - smallest
        falls = (is_turned == (is_under | is_over)).astype(x.dtype)
        part = abs(falls - (middle - smallest) / width)
        hue = _in_circle(xp, xp.where(largest == smallest, number(0), sixth + part) + delta * number(6))
        middle = smallest + abs(hue - 2 * xp.rint(hue / 2)) * width
        below_1, below_2, below_3, below_4, below_5 = (hue < limit for limit in range(1, 6))  # none of them at nan
        channels = [
            _chosen(below_1 | ~below_5, largest, _chosen(below_2 | ~below_4, middle, smallest)),
            _chosen(below_3 & ~below_1, largest, _chosen(below_4, middle, smallest)),
            _chosen(below_5 & ~below_3, largest, _chosen(below_2, smallest, middle)),
        ]
        return xp.stack(channels, -1)

    return widened(xp, function, images)


def _chosen(condition: Array, x: Array, y: Array) -> Array:
    """`x` where the condition holds, `y` elsewhere: `where` without branches, which random conditions make slow."""
    one, other = (each.view(f"i{each.itemsize}") for each in (x, y))
    chosen: Array = other ^ ((one ^ other) & -condition.astype(one.dtype))
    return chosen.view(x.dtype)


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
        hue *= 6
        rest, result = 1 - saturation, xp.empty(x.shape, x.dtype)
        for channel, (middle, low, sign) in enumerate(((3, -1, 1), (2, 2, -1), (4, 2, -1))):
            height = abs(hue - middle)
            height *= sign
            height += low
            height = xp.clip(height, 0, 1)
            height *= saturation
            height += rest
            xp.multiply(height, value, out=result[..., channel])
        return result

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
