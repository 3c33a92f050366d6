"""Samples by rejection: each draws from a stream of its own until it accepts, all of them side by side.

The methods, the order in which they take numbers, and the distance of streams are TensorFlow's; so are the samples.
The functions are NumPy's and SciPy's only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array, DType
from typegrad.kernels.philox import AT_ONCE, RESERVED, Draw, Philox, normal, uniform

__all__ = ["binomial", "for_each", "gamma", "poisson"]

_FLOAT64: Final = np.dtype(np.float64)
_FEW: Final = 10
"""From this mean on, the time of methods that count does not pay."""
_RESERVED_BY_COUNTING: Final = 42
_SAMPLES: Final = 1 << 16
"""How many samples are made at once: enough are repeated after rejection to be worth the calls."""


@final
class _Streams:
    """The streams of some samples, by their numbers: `apart` blocks from one to the next."""

    def __init__(self, source: Philox, samples: Array, apart: int) -> None:
        """At their beginnings."""
        self._source = source
        self._next = samples.astype(np.uint64) * np.uint64(apart)

    def words(self, rows: Array) -> Array:
        """The words of the next block of each of some streams."""
        place = _place(rows)
        blocks = self._next[place].copy()
        self._next[place] += np.uint64(1)
        if len(blocks) <= AT_ONCE:
            return self._source.words(blocks)
        starts = range(0, len(blocks), AT_ONCE)
        return np.concatenate([self._source.words(blocks[start : start + AT_ONCE]) for start in starts])

    def uniforms(self, rows: Array) -> tuple[Array, Array]:
        """The next two float64 numbers of each of some streams: of a block, the second one first."""
        numbers = uniform(self.words(rows), _FLOAT64)
        return numbers[:, 1], numbers[:, 0]


@final
class _Buffers:
    """Float64 numbers from streams, one at a time: of the two of a block, the second one first."""

    def __init__(self, streams: _Streams, count: int, draw: Draw) -> None:
        """Empty ones."""
        self._streams = streams
        self._draw = draw
        self._numbers = np.empty((count, 2))
        self._left = np.zeros(count, np.intp)

    def take(self, rows: Array) -> Array:
        """The next number of each of some streams."""
        place = _place(rows)
        left = self._left[place]
        if not left.any():  # as in the first attempt
            self._left[place] = 1
            self._numbers[place] = drawn = self._draw(self._streams.words(rows))
            return drawn[:, 1]
        is_empty = left == 0
        empty = rows[is_empty]
        self._numbers[empty] = self._draw(self._streams.words(empty))
        left += 2 * is_empty - 1
        self._left[rows] = left
        return self._numbers[rows, left]


def _place(rows: Array) -> Array | slice:
    """Ascending rows, as a slice where they are next to each other, which takes no search."""
    is_slice = len(rows) and rows[-1] - rows[0] == len(rows) - 1
    return slice(int(rows[0]), int(rows[-1]) + 1) if is_slice else rows


def _uniform(words: Array) -> Array:
    return uniform(words, _FLOAT64)


def _normal(words: Array) -> Array:
    return normal(words, _FLOAT64)


def _until_accepted(count: int, attempt: Callable[[Array], tuple[Array, Array]]) -> Array:
    """Repeat `attempt`, which gives values of some rows and whether they are accepted, until all rows have a value."""
    result, rows = np.empty(count), np.arange(count)
    while len(rows):
        rejected: list[Array] = []
        for start in range(0, len(rows), AT_ONCE):
            part = rows[start : start + AT_ONCE]
            values, accepted = attempt(part)
            result[_place(part)] = values  # rejected ones are replaced in a later attempt
            rejected.append(part[np.flatnonzero(~accepted)])
        rows = np.concatenate(rejected)
    return result


def for_each(sizes: tuple[int, ...], dtype: DType, parameters: tuple[Array, ...], draw: Callable[..., Array]) -> Array:
    """Samples of a shape that ends with the shape of the parameters.

    `draw` takes the numbers of some samples and the parameters of each. All samples of one distribution come before
    the samples of the next.
    """
    together = np.broadcast_arrays(*parameters)
    distributions, count = together[0].size, math.prod(sizes)
    each = count // distributions if distributions else 0
    flat = [parameter.reshape(-1) for parameter in together]
    result = np.empty(count, dtype)
    for start in range(0, count, _SAMPLES):
        samples = np.arange(start, min(start + _SAMPLES, count))
        result[samples] = draw(samples, *(parameter[samples // each] for parameter in flat))
    return np.ascontiguousarray(result.reshape(distributions, each).T).reshape(sizes)


def binomial(source: Philox, samples: Array, counts: Array, probs: Array, dtype: DType) -> Array:
    """Numbers of successes in `counts` trials; nan, or 0 in integers, where they are not defined."""
    is_many = probs > 0.5
    rare = np.where(is_many, probs.dtype.type(1) - probs, probs)
    trials, result = counts.astype(np.float64), np.full(counts.shape, np.nan)
    result[(counts <= 0) | (probs <= 0)] = 0
    is_certain = (counts > 0) & (probs >= 1)
    result[is_certain] = trials[is_certain]
    is_open = (counts > 0) & np.isfinite(counts) & (probs > 0) & (probs < 1)
    is_large = counts * rare >= _FEW
    for is_chosen, method, apart in (
        (is_open & is_large, _binomial_by_transformation, RESERVED),
        (is_open & ~is_large, _binomial_by_counting, _RESERVED_BY_COUNTING),
    ):
        chosen = _place(np.flatnonzero(is_chosen))
        streams = _Streams(source, samples[chosen], apart)
        successes = method(streams, trials[chosen], rare[chosen].astype(np.float64))
        result[chosen] = np.where(is_many[chosen], trials[chosen] - successes, successes)
    if dtype.kind == "i":
        result[np.isnan(result)] = 0
    return result.astype(dtype)


def _binomial_by_counting(streams: _Streams, trials: Array, probs: Array) -> Array:
    """The number of geometric variables whose sum is at most `trials`."""

    def add(u: Array, total: Array, scale: Array, trials: Array) -> Array:
        total += np.ceil(np.log(u) / scale)
        is_within: Array = total <= trials
        return is_within

    return _counted(streams, (np.zeros(len(trials)), np.log1p(-probs), trials), add)


def _counted(streams: _Streams, state: tuple[Array, ...], step: Callable[..., Array]) -> Array:
    """How often `step`, which takes a number for each sample and the samples' state, says yes before its first no.

    What is left of the state moves together: its arrays need no indices.
    """
    rows = np.arange(len(state[0]))
    result, count = np.empty(len(rows)), np.zeros(len(rows))
    while len(rows):
        goes_on = np.ones(len(rows), np.bool_)
        for u in streams.uniforms(rows):  # where the first one ends it, the second one does not count
            goes_on &= step(u, *state)
            count += goes_on
        ends, stays = np.flatnonzero(~goes_on), np.flatnonzero(goes_on)  # masks take longer
        result[rows[ends]] = count[ends]
        rows, count = rows[stays], count[stays]
        state = tuple(each[stays] for each in state)
    return result


def _binomial_by_transformation(streams: _Streams, trials: Array, probs: Array) -> Array:
    """Transformed rejection with squeeze (Hörmann, The generation of binomial random variates, 1993)."""
    deviation = np.sqrt(trials * probs * (1 - probs))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * probs
    c = trials * probs + 0.5
    squeeze = 0.92 - 4.2 / b
    odds = probs / (1 - probs)
    alpha = (2.83 + 5.1 / b) * deviation
    mode = np.floor((trials + 1) * probs)

    def attempt(rows: Array) -> tuple[Array, Array]:
        (u, v), place = streams.uniforms(rows), _place(rows)
        u = u - 0.5
        edge = 0.5 - np.abs(u)
        k = np.floor((2 * a[place] / edge + b[place]) * u + c[place])
        accepted = (edge >= 0.07) & (v <= squeeze[place])
        open_ = np.flatnonzero(~accepted & (k >= 0) & (k <= trials[place]))
        accepted[open_] = below(rows[open_], edge[open_], v[open_], k[open_])
        return k, accepted

    def below(rows: Array, edge: Array, v: Array, k: Array) -> Array:
        """Whether a point is below the density."""
        n, m, r = trials[rows], mode[rows], odds[rows]
        ratio = np.log(v * alpha[rows] / (a[rows] / (edge * edge) + b[rows]))
        bound: Array = (
            (m + 0.5) * np.log((m + 1) / (r * (n - m + 1)))
            + (n + 1) * np.log((n - m + 1) / (n - k + 1))
            + (k + 0.5) * np.log(r * (n - k + 1) / (k + 1))
            + _stirling_rest(m)
            + _stirling_rest(n - m)
            - _stirling_rest(k)
            - _stirling_rest(n - k)
        )
        is_below: Array = ratio <= bound
        return is_below

    return _until_accepted(len(trials), attempt)


def _stirling_rest(k: Array) -> Array:
    """log(k!) less Stirling's approximation of it: exact for small integers, otherwise the beginning of its series."""
    square = (k + 1) * (k + 1)
    series: Array = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    return np.where(k <= _FEW - 1, _STIRLING_RESTS[np.clip(k, 0, _FEW - 1).astype(np.intp)], series)


def _exact_stirling_rests() -> Array:
    k = np.arange(_FEW) + 1.0
    result: Array = special.gammaln(k) - (k - 0.5) * np.log(k) + k - math.log(2 * math.pi) / 2
    return result


_STIRLING_RESTS: Final = _exact_stirling_rests()


def poisson(source: Philox, samples: Array, rates: Array, dtype: DType) -> Array:
    """Numbers of events, 0 for a rate below 0; for one beyond the type's range the highest number, for nan nan or 0."""
    is_integral = dtype.kind == "i"
    highest = np.float64(np.iinfo(dtype).max if is_integral else np.finfo(dtype).max)
    rate = rates.astype(np.float64)
    is_small, is_beyond = rate < _FEW, rate > highest
    is_large = (rate >= _FEW) & ~is_beyond
    result = np.full(rate.shape, 0 if is_integral else np.nan)
    result[is_small] = _poisson_by_counting(_Streams(source, samples[is_small], RESERVED), rate[is_small])
    streams = _Streams(source, samples[is_large], RESERVED)
    result[is_large] = _poisson_by_transformation(streams, rate[is_large], highest)
    drawn = result.astype(dtype)
    drawn[is_beyond] = np.iinfo(dtype).max if is_integral else np.inf
    return drawn


def _poisson_by_counting(streams: _Streams, rates: Array) -> Array:
    """The number of exponential variables whose sum is below the rate (Knuth)."""

    def multiply(u: Array, product: Array, limit: Array) -> Array:
        product *= u
        is_within: Array = product > limit
        return is_within

    return _counted(streams, (np.ones(len(rates)), np.exp(-rates)), multiply)


def _poisson_by_transformation(streams: _Streams, rates: Array, highest: float) -> Array:
    """Transformed rejection with squeeze (Hörmann, The transformed rejection method, 1993)."""
    b = 0.931 + 2.53 * np.sqrt(rates)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2)
    log_rates = np.log(rates)

    def attempt(rows: Array) -> tuple[Array, Array]:
        u, v = streams.uniforms(rows)
        u = u - 0.5
        edge = 0.5 - np.abs(u)
        k = np.floor((2 * a[rows] / edge + b[rows]) * u + rates[rows] + 0.43)
        accepted = (edge >= 0.07) & (v <= squeeze[rows])
        is_outside = (k < 0) | ((edge < 0.013) & (v > edge))
        open_ = np.flatnonzero(~(accepted | is_outside))
        accepted[open_] = below(rows[open_], edge[open_], v[open_], k[open_])
        return k, accepted & (k <= highest)

    def below(rows: Array, edge: Array, v: Array, k: Array) -> Array:
        """Whether a point is below the density."""
        ratio = np.log(v * inverse_alpha[rows] / (a[rows] / (edge * edge) + b[rows]))
        bound: Array = -rates[rows] + k * log_rates[rows] - special.gammaln(k + 1)
        is_below: Array = ratio <= bound
        return is_below

    return _until_accepted(len(rates), attempt)


def gamma(source: Philox, samples: Array, alphas: Array, dtype: DType) -> Array:
    """Gamma variables of rate 1; nan where `alphas` is nan or far below 0."""
    alpha, result = alphas.astype(np.float64), np.full(alphas.shape, np.nan)
    is_one = alpha == 1
    for is_chosen, method in ((is_one, _exponential), (~is_one & (alpha > -2 / 3), _gamma_by_rejection)):
        chosen = _place(np.flatnonzero(is_chosen))
        result[chosen] = method(_Streams(source, samples[chosen], RESERVED), alpha[chosen])
    return result.astype(dtype)


def _exponential(streams: _Streams, alpha: Array) -> Array:
    return -np.log1p(-_Buffers(streams, len(alpha), _uniform).take(np.arange(len(alpha))))


def _gamma_by_rejection(streams: _Streams, alpha: Array) -> Array:
    """Marsaglia and Tsang, A simple method for generating gamma variables, 2000; below 1, a power makes up for it."""
    normals, uniforms = (_Buffers(streams, len(alpha), draw) for draw in (_normal, _uniform))
    is_small = alpha < 1
    d = alpha + np.where(is_small, 2 / 3, -1 / 3)
    c = 1 / 3 / np.sqrt(d)

    def attempt(rows: Array) -> tuple[Array, Array]:
        x, place = normals.take(rows), _place(rows)
        root = 1 + c[place] * x
        v = root * root * root
        is_positive = root > 0
        u, squares = np.ones(len(rows)), x * x
        u[is_positive] = uniforms.take(rows[is_positive])
        accepted = is_positive & (u < 1 - 0.0331 * squares * squares)
        open_ = np.flatnonzero(is_positive & ~accepted)
        rest = 1 - v[open_] + np.log(v[open_])
        accepted[open_] = np.log(u[open_]) < 0.5 * squares[open_] + d[rows[open_]] * rest
        return d[place] * v, accepted

    result = _until_accepted(len(alpha), attempt)
    rows = np.nonzero(is_small)[0]
    result[rows] *= uniforms.take(rows) ** (1 / alpha[rows])
    return result
