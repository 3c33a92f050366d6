"""Normal numbers between bounds, by TensorFlow's methods and in its order. The functions run on NumPy only.

All distributions draw from one stream, one after the other, and each takes as many blocks as it needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import first
from typegrad.kernels.namespace import Array, DType
from typegrad.kernels.philox import AT_ONCE, Philox, normal, uniform

__all__ = ["check_bounds", "truncated"]

_Attempts = Callable[[Array], tuple[Array, Array]]
"""Makes candidates of the words of some rounds, shape [rounds, ...], and says which are accepted."""

_INSIDE: Final = 1.3
"""With so many standard deviations within the bounds, normal numbers are likely to be accepted."""
_PATIENCE: Final = 1000
"""How many candidates are tried for a sample."""
_LEAST_ROUNDS: Final = 8


def check_bounds(stddevs: Array, minvals: Array, maxvals: Array, *, name: str = "stddevs") -> None:
    """Refuse parameters of no distribution; `name` is the input of the standard deviations."""
    if not (stddevs > 0).all():
        raise InvalidArgumentError(f"{first(name, stddevs, ~(stddevs > 0))}, but must be positive")
    if not (is_less := minvals < maxvals).all():
        bounds = _first_bounds(minvals, maxvals, ~is_less)
        raise InvalidArgumentError(f"{bounds}, but `minvals` must be less than `maxvals`")
    if not (is_bounded := np.isfinite(minvals) | np.isfinite(maxvals)).all():
        raise InvalidArgumentError(f"{_first_bounds(minvals, maxvals, ~is_bounded)}; one of them must be finite")


def _first_bounds(minvals: Array, maxvals: Array, is_wrong: Array) -> str:
    return f"{first('minvals', minvals, is_wrong)} and {first('maxvals', maxvals, is_wrong)}"


def truncated(source: Philox, sizes: tuple[int, ...], dtype: DType, parameters: tuple[Array, ...]) -> Array:
    """Samples of a shape that ends with the shape of means, standard deviations and bounds together."""
    together = np.broadcast_arrays(*parameters)
    distributions, count = together[0].size, math.prod(sizes)
    each = count // distributions if distributions else 0
    result, block = np.empty((distributions, each), dtype), 0
    if count:
        check_bounds(*parameters[1:])
        means, widths, lows, highs = _turned(*(parameter.reshape(-1) for parameter in together))
        for row, (low, high) in enumerate(zip((lows - means) / widths, (highs - means) / widths, strict=True)):
            blocks, attempts = _method(low, high, dtype)
            numbers, used = _accepted(source.after(block), each, blocks, attempts, dtype)
            result[row] = numbers * widths[row] + means[row]
            block += used
    return np.ascontiguousarray(result.T).reshape(sizes)


def _turned(means: Array, stddevs: Array, minvals: Array, maxvals: Array) -> tuple[Array, ...]:
    """The distributions, those whose bounds are below the mean, or end there alone, from their upper bound on."""
    is_reversed = np.isneginf(minvals) | (maxvals < means)
    lows, highs = np.where(is_reversed, maxvals, minvals), np.where(is_reversed, minvals, maxvals)
    return means, np.where(is_reversed, -stddevs, stddevs), lows, highs


def _accepted(source: Philox, count: int, blocks: int, attempts: _Attempts, dtype: DType) -> tuple[Array, int]:
    """The first candidates that are accepted, and the number of blocks of the rounds that were tried for them."""
    result, filled, rounds, rejected = np.empty(count, dtype), 0, 0, 0
    while filled < count:
        tried = max(_LEAST_ROUNDS, min(count - filled, AT_ONCE // blocks))
        steps = np.arange(rounds * blocks, (rounds + tried) * blocks, dtype=np.uint64)
        candidates, is_accepted = attempts(source.words(steps))
        places = np.nonzero(is_accepted.reshape(-1))[0][: count - filled]
        rejected = 0 if len(places) else rejected + is_accepted.size
        if rejected > _PATIENCE:
            raise InvalidArgumentError("no number between the bounds was found: they are too close for the type")
        result[filled : filled + len(places)] = candidates.reshape(-1)[places]
        filled += len(places)
        each = is_accepted.size // tried
        rounds += tried if filled < count else int(places[-1]) // each + 1
    return result, rounds * blocks


def _method(low: Array, high: Array, dtype: DType) -> tuple[int, _Attempts]:
    """How many blocks a round takes, and how candidates between bounds in standard deviations are made of it."""
    one, two, four = (dtype.type(number) for number in (1, 2, 4))
    root = np.sqrt(low * low + four)
    half = one / two
    cutoff = two * np.exp(half + (low * (low - root)) / four) / (low + root)
    inside = dtype.type(_INSIDE)
    if (low < -inside and high >= 0) or (high > inside and low <= 0):
        return 1, lambda words: _of_normal(words, low, high, dtype)
    if high - low < cutoff:
        return 2, lambda words: _of_uniform(words, low, high, dtype)
    return 1, lambda words: _of_exponential(words, low, high, dtype)


def _of_normal(words: Array, low: Array, high: Array, dtype: DType) -> tuple[Array, Array]:
    numbers = normal(words, dtype)
    return numbers, (numbers >= low) & (numbers <= high)


def _of_uniform(words: Array, low: Array, high: Array, dtype: DType) -> tuple[Array, Array]:
    """Every other block decides about the one before it."""
    two = dtype.type(2)
    numbers = uniform(words[0::2], dtype) * (high - low) + low
    largest = dtype.type(0) if low < 0 else low * low
    return numbers, uniform(words[1::2], dtype) <= np.exp((largest - numbers * numbers) / two)


def _of_exponential(words: Array, low: Array, high: Array, dtype: DType) -> tuple[Array, Array]:
    """Every other number decides about the one before it (Robert, Simulation of truncated normal variables, 1995)."""
    two, four = dtype.type(2), dtype.type(4)
    alpha = (low + np.sqrt(low * low + four)) / two
    drawn = uniform(words, dtype)
    numbers = -np.log(drawn[:, 0::2]) / alpha + low
    distance = alpha - numbers if low < alpha else np.full_like(numbers, low - alpha)
    is_below = drawn[:, 1::2] <= np.exp(-distance * distance / two)
    return numbers, is_below & (numbers < high)
