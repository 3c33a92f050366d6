"""Kernels of `ops/normalization.yaml`, computed in float32.

They read and write some rows at a time, which fit into a cache, and write into arrays, so they run on NumPy only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Final, NamedTuple

import numpy as np

from typegrad.base.workers import for_each
from typegrad.kernels.checks import is_integral
from typegrad.kernels.namespace import NUMPY, Array, Namespace
from typegrad.kernels.precision import wide
from typegrad.kernels.scratch import scratch

PART: Final = 2**18
"""How many elements are read and written at once."""


class _Channels(NamedTuple):
    """A batch as an array in which each channel is contiguous, or a part of each row.

    Whole rows are faster than single positions where the channels are last: NumPy's inner loops are longer.
    """

    xp: Namespace
    shape: tuple[int, ...]
    data_format: str

    @property
    def channels(self) -> int:
        """The number of channels."""
        return self.shape[self._axis]

    @property
    def size(self) -> int:
        """The number of elements in a channel."""
        return math.prod(self.shape[: self._axis] + self.shape[self._axis + 1 :])

    @property
    def _axis(self) -> int:
        return 1 if self.data_format.startswith("NC") else len(self.shape) - 1

    def view(self, x: Array) -> Array:
        """[rows, columns * channels], or [batch, channels, positions], in float32."""
        if self._axis == 1:
            return self.xp.reshape(wide(x), (self.shape[0], self.channels, math.prod(self.shape[2:])))
        return self.xp.reshape(wide(x), (math.prod(self.shape[:-2]), math.prod(self.shape[-2:])))

    def parts(self) -> list[slice]:
        """Some rows of a view at a time."""
        rows = self.shape[0] if self._axis == 1 else math.prod(self.shape[:-2])
        step = max(1, PART * rows // math.prod(self.shape))
        return [slice(first, first + step) for first in range(0, rows, step)]

    def spread(self, vector: Array) -> Array:
        """A number for each channel, to be combined with a view."""
        return vector[:, None] if self._axis == 1 else self.xp.tile(vector, (self.shape[-2],))

    def total(self, values: Callable[[slice], Array]) -> Array:
        """The sum over each channel of the values in all parts."""
        xp = self.xp
        sums = reduce(xp.add, [self._sums(values(part)) for part in self.parts()])
        return sums if self._axis == 1 else xp.sum(xp.reshape(sums, (self.shape[-2], self.channels)), axis=0)

    def _sums(self, view: Array) -> Array:
        """The sum of the rows of a view."""
        if self._axis == 1:
            return self.xp.sum(self.xp.sum(view, axis=2), axis=0)
        return self.xp.matmul(self.xp.ones((len(view),), view.dtype), view)


def _less(x: Array, y: Array, name: str = "normal") -> Array:
    """`x - y`, in memory that is used again by the next call with this name."""
    return np.subtract(x, y, out=scratch(name, x.shape, x.dtype))


def _squares(x: Array) -> Array:
    """x squared, in memory that is used again by the next call."""
    return np.multiply(x, x, out=scratch("squares", x.shape, x.dtype))


def _times(x: Array, y: Array) -> Array:
    """x times y, in the memory of x."""
    return np.multiply(x, y, out=x)


def fused_batch_norm_v3(
    xp: Namespace,
    x: Array,
    scale: Array,
    offset: Array,
    mean: Array,
    variance: Array,
    *,
    epsilon: float,
    exponential_avg_factor: float,
    data_format: str,
    is_training: bool,
) -> tuple[Array, ...]:
    """Normalize by the statistics of the batch, or by the given ones."""
    channels, kept = _Channels(xp, x.shape, data_format), scale.dtype
    none = xp.zeros((0,), kept)
    if not x.size:
        nothing, unknown = xp.zeros(scale.shape, kept), xp.full(scale.shape, xp.nan, kept)
        return x, unknown, unknown, nothing, nothing, none
    view, own_mean, own_variance = channels.view(x), wide(mean), wide(variance)
    if is_training:
        own_mean = channels.total(lambda part: view[part]) / channels.size
    level, y = channels.spread(own_mean), xp.empty(x.shape, view.dtype)
    normal = channels.view(y)
    for_each(channels.parts(), lambda part: np.subtract(view[part], level, out=normal[part]))
    if is_training:
        own_variance = channels.total(lambda part: _squares(normal[part])) / channels.size
    factor = channels.spread(wide(scale) / xp.sqrt(own_variance + xp.asarray(epsilon, own_variance.dtype)))
    shift = channels.spread(wide(offset))

    def scaled(part: slice) -> None:
        normal[part] *= factor
        normal[part] += shift

    for_each(channels.parts(), scaled)
    batch_mean, batch_variance = own_mean, own_variance
    if is_training:
        batch_variance = own_variance * (channels.size / max(channels.size - 1, 1))
        if (new := exponential_avg_factor) != 1:
            batch_mean = (1 - new) * wide(mean) + new * batch_mean
            batch_variance = (1 - new) * wide(variance) + new * batch_variance
    statistics = (each.astype(kept) for each in (batch_mean, batch_variance, own_mean, own_variance))
    return y.astype(x.dtype, copy=False), *statistics, none


def fused_batch_norm_grad_v3(
    xp: Namespace,
    y_backprop: Array,
    x: Array,
    scale: Array,
    mean: Array,
    variance: Array,
    reserved: Array,
    *,
    epsilon: float,
    data_format: str,
    is_training: bool,
) -> tuple[Array, ...]:
    """The formulas of the entry."""
    channels, none = _Channels(xp, x.shape, data_format), xp.zeros((0,), scale.dtype)
    if not x.size:
        return x, xp.zeros_like(scale), xp.zeros_like(scale), none, none
    grad, view, level = channels.view(y_backprop), channels.view(x), channels.spread(mean)
    inverse = 1 / xp.sqrt(variance + xp.asarray(epsilon, variance.dtype))
    sums = channels.total(lambda part: grad[part])
    along = channels.total(lambda part: _times(_less(view[part], level), grad[part]))
    mean_grad = channels.spread(sums / channels.size)
    slope = channels.spread(inverse * inverse * along / channels.size)
    factor, result = channels.spread(scale * inverse), xp.empty(view.shape, x.dtype)

    def work(part: slice) -> None:
        rows = grad[part]
        if is_training:
            rows = _less(rows, mean_grad, "grad")
            rows -= _times(_less(view[part], level), slope)
        np.multiply(rows, factor, out=result[part], casting="same_kind")

    for_each(channels.parts(), work)
    return xp.reshape(result, x.shape), along * inverse, sums, none, none


def batch_norm_with_global_normalization(
    xp: Namespace,
    t: Array,
    m: Array,
    v: Array,
    beta: Array,
    gamma: Array,
    *,
    variance_epsilon: float,
    scale_after_normalization: bool,
) -> Array:
    """Normalize by the given statistics."""
    x, mean, variance, shift, scale = map(_fractional, (t, m, v, beta, gamma))
    factor = 1 / xp.sqrt(variance + variance.dtype.type(np.float32(variance_epsilon)))
    return ((x - mean) * (factor * scale if scale_after_normalization else factor) + shift).astype(t.dtype)


def batch_norm_with_global_normalization_grad(
    xp: Namespace,
    t: Array,
    m: Array,
    v: Array,
    gamma: Array,
    backprop: Array,
    *,
    variance_epsilon: float,
    scale_after_normalization: bool,
) -> tuple[Array, ...]:
    """The formulas of the entry."""
    x, mean, variance, scale, grad = map(_fractional, (t, m, v, gamma, backprop))
    inverse = 1 / xp.sqrt(variance + variance.dtype.type(np.float32(variance_epsilon)))
    factor = inverse * scale if scale_after_normalization else inverse
    sums, along = (xp.sum(each, axis=(0, 1, 2)) for each in (grad, grad * (x - mean)))
    by_scale = along * inverse if scale_after_normalization else xp.zeros_like(along)
    results = grad * factor, -sums * factor, along * factor * inverse * inverse / -2, sums, by_scale
    return tuple(each.astype(t.dtype) for each in results)


def _fractional(x: Array) -> Array:
    """`x` in the type to compute in; float64 for integers."""
    return x.astype(np.float64) if is_integral(x) else wide(x)


def lrn(xp: Namespace, x: Array, *, depth_radius: int, bias: float, alpha: float, beta: float) -> Array:
    """Each element, divided by a power of the sum of squares of neighbouring channels."""
    image = wide(x)
    norm = _neighbours(xp, _squares(image), depth_radius)
    norm *= alpha
    norm += bias
    if beta == 1:
        np.divide(1, norm, out=norm)
    else:
        # By logarithms, as in TensorFlow: nan for negative numbers, also where the exponent is an integer.
        np.log(norm, out=norm)
        norm *= np.float32(-beta)
        np.exp(norm, out=norm)
    norm *= image
    return norm.astype(x.dtype, copy=False)


def lrn_grad(
    xp: Namespace, grad: Array, x: Array, y: Array, *, depth_radius: int, bias: float, alpha: float, beta: float
) -> Array:
    """The formula of the entry. As in TensorFlow, gradients of 0 add nothing, also where they would be divided by 0."""
    g, image = wide(grad), wide(x)
    norm = bias + alpha * _near(image * image, depth_radius)
    own, others = (xp.where(g == 0, 0, each) for each in (g * norm ** np.float32(-beta), g * wide(y) / norm))
    return (own - 2 * alpha * beta * image * _near(others, depth_radius)).astype(x.dtype)


def _neighbours(xp: Namespace, x: Array, radius: int) -> Array:
    """The sum over each channel and its neighbours: a product with a matrix of zeros and ones."""
    channels = xp.arange(x.shape[-1])
    return xp.matmul(x, (xp.abs(channels[:, None] - channels) <= radius).astype(x.dtype))


def _near(x: Array, radius: int) -> Array:
    """The same, where a nan or an infinite element stays in the sums that it belongs to."""
    if np.isfinite(x).all():
        return _neighbours(NUMPY, x, radius)
    result = x.copy()
    for shift in range(1, min(radius, x.shape[-1] - 1) + 1):
        result[..., shift:] += x[..., :-shift]
        result[..., :-shift] += x[..., shift:]
    return result
