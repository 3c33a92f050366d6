"""Gradients of `ops/colour.yaml`: of the largest, the smallest and the hue of each pixel, in float32 or float64."""

from __future__ import annotations

from functools import cached_property

from typegrad.base.types import TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, Constant, OneHot, Reverse, Select, Split, Sum
from typegrad.op.dtypes import Cast
from typegrad.op.image import AdjustContrast, AdjustHue, AdjustSaturation, HsvToRgb, RgbToHsv
from typegrad.op.math import Abs, ArgMax, ArgMin, DivNoNan, FloorMod, LogicalAnd, Maximum, Minimum, Sign
from typegrad.rules.common import F, Gradients, N, cast_to
from typegrad.rules.sizes import size_between


def _wide(scope: Scope, x: AnyOutput) -> AnyOperand:
    """The numbers in float32 or float64."""
    return x if x.dtype is TFloat64 else cast_to(scope, x, TFloat32)


def _total(scope: Scope, x: AnyOperand) -> AnyOperand:
    return Sum.create(scope, x)


class _Colours:
    """Each pixel as its largest number, its smallest number and its hue, and where in the pixel these are."""

    def __init__(self, scope: Scope, images: AnyOutput) -> None:
        self._scope = scope
        self.x = _wide(scope, images)
        self._top = ArgMax.create(scope, self.x, -1)
        bottom = 2 - ArgMin.create(scope, Reverse.create(scope, self.x, [-1]), -1)
        self.at_largest = self._at(self._top)
        self.at_smallest = self._at(bottom)
        self.largest = self.over_channels(self.x * self.at_largest)
        self.width = self.largest - self.over_channels(self.x * self.at_smallest)
        self.inverse = DivNoNan.create(scope, 1, self.width)

    def _at(self, channel: AnyOperand) -> AnyOperand:
        """1 at a channel of each pixel, 0 at the others."""
        return Cast.create(self._scope, OneHot.create(self._scope, channel, 3, 1, 0), self.x.dtype)

    def over_channels(self, x: AnyOperand) -> AnyOperand:
        """The sum over the channels of each pixel."""
        return Sum.create(self._scope, x, -1, keep_dims=True)

    @cached_property
    def _beside(self) -> AnyOperand:
        """1 at the channel after the largest, and -1 at the one before it."""
        return self._at((self._top + 1) % 3) - self._at((self._top + 2) % 3)

    @cached_property
    def _lean(self) -> AnyOperand:
        """How far the hue is from the one of the largest channel, in sixths of the circle."""
        return self.over_channels(self.x * self._beside) * self.inverse

    @cached_property
    def hue(self) -> AnyOperand:
        """The hue in sixths of the circle, from -1 to 5."""
        middle = OneHot.create(self._scope, self._top, 3, 1, 0) * [0, 2, 4]
        return Cast.create(self._scope, Sum.create(self._scope, middle, -1, keep_dims=True), self.x.dtype) + self._lean

    @cached_property
    def hue_slope(self) -> AnyOperand:
        """The derivative of the hue."""
        return (self._beside - (self.at_largest - self.at_smallest) * self._lean) * self.inverse

    @cached_property
    def inverse_value(self) -> AnyOperand:
        """1 divided by the largest number, where that is positive."""
        return DivNoNan.create(self._scope, 1, Maximum.create(self._scope, self.largest, 0))


class _Trapezoids:
    """How much of red, green and blue a hue has, and the slopes of that."""

    def __init__(self, scope: Scope, hue: AnyOperand) -> None:
        signs, centers, heights = (
            Constant.create(scope, numbers, hue.dtype) for numbers in ([1, -1, -1], [3, 2, 4], [-1, 2, 2])
        )
        at = signs * Abs.create(scope, hue - centers) + heights
        self.parts = Minimum.create(scope, Maximum.create(scope, at, 0), 1)
        between = Cast.create(scope, LogicalAnd.create(scope, at > 0, at < 1), hue.dtype)
        self.slopes = signs * Sign.create(scope, hue - centers) * between


def adjust_contrastv2(scope: Scope, op: AdjustContrast[N], grad: Output[N]) -> Gradients:
    dtype, factor = op.inputs.images.dtype, op.inputs.contrast_factor
    x, grad_wide = _wide(scope, op.inputs.images), _wide(scope, grad)

    pixels = size_between(scope, op.inputs.images, -3, -1)
    count = max(pixels, 1) if isinstance(pixels, int) else Cast.create(scope, Maximum.create(scope, pixels, 1), x.dtype)

    def mean(x: AnyOperand) -> AnyOperand:
        return Sum.create(scope, x, [-3, -2], keep_dims=True) / count

    return (
        lambda: cast_to(scope, grad_wide * factor + mean(grad_wide) * (1 - factor), dtype),
        lambda: _total(scope, grad_wide * (x - mean(x))),
    )


def adjust_hue(scope: Scope, op: AdjustHue[N], grad: Output[N]) -> Gradients:
    colours, grad_wide = _Colours(scope, op.inputs.images), _wide(scope, grad)
    turned = _Trapezoids(scope, FloorMod.create(scope, colours.hue + 6 * op.inputs.delta, 6))
    grad_hue = colours.over_channels(grad_wide * turned.slopes) * colours.width

    def grad_images() -> AnyOperand:
        largest = colours.over_channels(grad_wide * turned.parts)
        smallest = colours.over_channels(grad_wide * (1 - turned.parts))
        back = colours.at_largest * largest + colours.at_smallest * smallest + colours.hue_slope * grad_hue
        return cast_to(scope, back, op.inputs.images.dtype)

    return grad_images, lambda: _total(scope, 6 * grad_hue)


def adjust_saturation(scope: Scope, op: AdjustSaturation[N], grad: Output[N]) -> Gradients:
    """Distances d to the largest number v become f d, where f is the scale, but at most v over the width."""
    colours, grad_wide, scale = _Colours(scope, op.inputs.images), _wide(scope, grad), op.inputs.scale
    scaled = colours.width * colours.inverse_value * scale
    is_lit, is_clipped = colours.largest > 0, scaled >= 1
    limit = colours.largest * colours.inverse
    factor = Select.create(scope, is_clipped, limit, Maximum.create(scope, scale, 0))
    factor = Select.create(scope, is_lit, factor, 0)
    grad_factor = -colours.over_channels(grad_wide * (colours.largest - colours.x))

    def grad_images() -> AnyOperand:
        at_largest = colours.at_largest * (colours.over_channels(grad_wide) * (1 - factor))
        slope = (colours.at_largest - (colours.at_largest - colours.at_smallest) * limit) * colours.inverse
        by_limit = Select.create(scope, LogicalAnd.create(scope, is_lit, is_clipped), grad_factor, 0) * slope
        return cast_to(scope, grad_wide * factor + at_largest + by_limit, op.inputs.images.dtype)

    def grad_scale() -> AnyOperand:
        is_scaled = LogicalAnd.create(scope, LogicalAnd.create(scope, is_lit, scale > 0), scaled < 1)
        return _total(scope, Select.create(scope, is_scaled, grad_factor, 0))

    return grad_images, grad_scale


def rgb_to_hsv(scope: Scope, op: RgbToHsv[F], grad: Output[F]) -> Gradients:
    colours = _Colours(scope, op.inputs.images)
    hue, saturation, value = Split.create(scope, -1, _wide(scope, grad), 3).output
    inverse = colours.inverse_value
    at_width = colours.at_largest - colours.at_smallest
    by_saturation = at_width * inverse - colours.at_largest * (colours.width * inverse * inverse)
    is_lit, is_positive = (Cast.create(scope, x > 0, x.dtype) for x in (colours.largest, colours.x))
    back = colours.hue_slope * (hue / 6 * is_lit) + by_saturation * (saturation * is_positive)
    back = back + colours.at_largest * value
    return cast_to(scope, back, op.inputs.images.dtype)


def hsv_to_rgb(scope: Scope, op: HsvToRgb[F], grad: Output[F]) -> Gradients:
    grad_wide = _wide(scope, grad)
    hue, saturation, value = Split.create(scope, -1, _wide(scope, op.inputs.images), 3).output
    trapezoids = _Trapezoids(scope, hue * 6)

    def over_channels(x: AnyOperand) -> AnyOperand:
        return Sum.create(scope, x, -1, keep_dims=True)

    parts = [
        over_channels(grad_wide * trapezoids.slopes) * (6 * saturation * value),
        over_channels(grad_wide * (trapezoids.parts - 1)) * value,
        over_channels(grad_wide * (1 - saturation + saturation * trapezoids.parts)),
    ]
    return cast_to(scope, Concat.create(scope, parts, -1), op.inputs.images.dtype)
