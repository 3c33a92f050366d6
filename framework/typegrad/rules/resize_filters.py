"""How the weights of `ScaleAndTranslate` change with scale and translation, for its gradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from typegrad.base.types import TFloat32
from typegrad.graph.operand import AnyOperand
from typegrad.graph.scope import Scope
from typegrad.op.core import Range, Reshape, Select, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import Abs, Cos, Exp, LogicalAnd, Minimum, Sign, Sin
from typegrad.rules.sizes import Size

__all__ = ["Moved", "moved"]

_Filter: TypeAlias = Callable[[Scope, Any], tuple[AnyOperand, AnyOperand]]
"""The values and the slopes of a filter at distances, which are not negative."""
_LEAST: Final = 1000 * 2.0**-126
"""Weights with a smaller sum are not divided by it."""


class Moved(NamedTuple):
    """Weights along one dimension, [new pixels, pixels], and their derivatives."""

    weights: AnyOperand
    by_scale: AnyOperand
    by_translation: AnyOperand


def moved(scope: Scope, op: Any, axis: int, length: Size, size: Size) -> Moved:
    """The weights of rows (0) or columns (1), of so many pixels for so many new ones.

    A point moves to `scale` * point + `translation`; distances from it are measured in the width of the filter.
    """
    scale, translation = op.inputs.scale[axis], op.inputs.translation[axis]
    at = (Reshape.create(scope, _centers(scope, size), [-1, 1]) - translation) / scale
    offsets = _centers(scope, length) - at
    narrow: AnyOperand = Minimum.create(scope, scale, 1.0) if op.inputs.antialias else scale * 0 + 1
    is_narrowed = Cast.create(scope, scale < 1, TFloat32) if op.inputs.antialias else 0.0
    values, slopes = _FILTERS[op.inputs.kernel_type](scope, Abs.create(scope, offsets) * narrow)
    is_inside = Cast.create(scope, LogicalAnd.create(scope, at >= 0, at <= _float(scope, length)), TFloat32)
    total = Sum.create(scope, values, 1, keep_dims=True)
    factor = is_inside / Select.create(scope, Abs.create(scope, total) >= _LEAST, total, 1.0)
    weights = values * factor
    outward = slopes * Sign.create(scope, offsets) * factor

    def normalized(change: Any) -> Any:
        return change - weights * Sum.create(scope, change, 1, keep_dims=True)

    return Moved(
        weights,
        normalized(outward * (narrow * at / scale + offsets * is_narrowed)),
        normalized(outward * (narrow / scale)),
    )


def _float(scope: Scope, size: Size) -> AnyOperand | float:
    return float(size) if isinstance(size, int) else Cast.create(scope, size, TFloat32)


def _centers(scope: Scope, size: Size) -> Any:
    return Cast.create(scope, Range.create(scope, 0, size, 1), TFloat32) + 0.5


def _lanczos(radius: int, scope: Scope, x: Any) -> tuple[AnyOperand, AnyOperand]:
    is_away = x > 1e-3
    safe = Select.create(scope, is_away, x, 1.0)
    wave, slow = math.pi * safe, math.pi / radius * safe
    sines = [Sin.create(scope, each) for each in (wave, slow)]
    value = sines[0] * sines[1] / (wave * slow)
    slope = (
        Cos.create(scope, wave) * sines[1] / (safe * slow) + sines[0] * Cos.create(scope, slow) / (wave * safe)
    ) - 2 * value / safe
    is_within = x <= radius
    return (
        Select.create(scope, is_within, Select.create(scope, is_away, value, 1.0), 0.0),
        Select.create(scope, LogicalAnd.create(scope, is_within, is_away), slope, 0.0),
    )


def _gaussian(scope: Scope, x: Any) -> tuple[AnyOperand, AnyOperand]:
    value = Select.create(scope, x < 1.5, Exp.create(scope, -2 * x * x), 0.0)
    return value, -4 * x * value


def _box(scope: Scope, x: Any) -> tuple[AnyOperand, AnyOperand]:
    return (1 + Sign.create(scope, 0.5 - x)) / 2, 0 * x


def _triangle(scope: Scope, x: Any) -> tuple[AnyOperand, AnyOperand]:
    """At the edge, the slope is the mean of those on both sides."""
    is_within = (1 + Sign.create(scope, 1 - x)) / 2
    return is_within * (1 - x), -is_within


def _cubic(inner: tuple[float, ...], outer: tuple[float, ...], scope: Scope, x: Any) -> tuple[AnyOperand, AnyOperand]:
    """Polynomials up to a distance of 1 and of 2, their coefficients from the highest power on."""

    def chosen(near: AnyOperand, far: AnyOperand) -> AnyOperand:
        return Select.create(scope, x < 1, near, Select.create(scope, x < 2, far, 0.0))

    values = [((a * x + b) * x + c) * x + d for a, b, c, d in (inner, outer)]
    slopes = [(3 * a * x + 2 * b) * x + c for a, b, c, _ in (inner, outer)]
    return chosen(*values), chosen(*slopes)


_FILTERS: Final[dict[str, _Filter]] = {
    **{f"lanczos{radius}": partial(_lanczos, radius) for radius in (1, 3, 5)},
    "gaussian": _gaussian,
    "box": _box,
    "triangle": _triangle,
    "keyscubic": partial(_cubic, (1.5, -2.5, 0.0, 1.0), (-0.5, 2.5, -4.0, 2.0)),
    "mitchellcubic": partial(_cubic, (7 / 6, -2.0, 0.0, 8 / 9), (-7 / 18, 2.0, -10 / 3, 16 / 9)),
}
