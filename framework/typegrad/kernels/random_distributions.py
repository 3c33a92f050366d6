"""Kernels of `ops/random_distributions.yaml`. They are NumPy's and SciPy's only."""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, ndtri_exp

from typegrad.kernels import philox, rejection
from typegrad.kernels.checks import ints
from typegrad.kernels.incomplete_gamma import sample_derivative
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.philox import Philox
from typegrad.kernels.random import classes_at, open_uniform
from typegrad.kernels.stateless_random import check_algorithm
from typegrad.kernels.truncation import check_bounds, truncated


def stateless_multinomial(
    xp: Namespace, logits: Array, num_samples: Array, seed: Array, *, output_dtype: DType
) -> Array:
    """Classes drawn from each row."""
    sizes, float64 = (len(logits), int(num_samples)), np.dtype(np.float64)
    points = philox.fill(Philox.of_seed(seed), sizes, float64, lambda words: philox.uniform(words, float64))
    return xp.asarray(classes_at(logits, points).astype(output_dtype))


def stateless_random_binomial(
    xp: Namespace, shape: Array, seed: Array, counts: Array, probs: Array, *, dtype: DType
) -> Array:
    """Numbers of successes."""
    return binomial(Philox.of_seed(seed), ints(shape), counts, probs, dtype)


def binomial(source: Philox, sizes: tuple[int, ...], counts: Array, probs: Array, dtype: DType) -> Array:
    """Numbers of successes, of a shape that ends with the shape of the parameters."""
    return rejection.for_each(
        sizes, dtype, (counts, probs), lambda samples, n, p: rejection.binomial(source, samples, n, p, dtype)
    )


def stateless_random_poisson(xp: Namespace, shape: Array, seed: Array, lam: Array, *, dtype: DType) -> Array:
    """Numbers of events."""
    return _poisson(Philox.of_seed(seed), ints(shape), lam, dtype)


def _poisson(source: Philox, sizes: tuple[int, ...], rates: Array, dtype: DType) -> Array:
    return rejection.for_each(
        sizes, dtype, (rates,), lambda samples, rate: rejection.poisson(source, samples, rate, dtype)
    )


def stateless_random_gamma_v3(
    xp: Namespace, shape: Array, key: Array, counter: Array, alg: Array, alpha: Array
) -> Array:
    """Gamma variables."""
    if 0 not in ints(shape):
        check_algorithm(alg)
    return _gamma(Philox.of(key, counter), ints(shape), alpha)


def _gamma(source: Philox, sizes: tuple[int, ...], alpha: Array) -> Array:
    dtype = alpha.dtype
    return rejection.for_each(sizes, dtype, (alpha,), lambda samples, a: rejection.gamma(source, samples, a, dtype))


def stateless_parameterized_truncated_normal(
    xp: Namespace, shape: Array, seed: Array, means: Array, stddevs: Array, minvals: Array, maxvals: Array
) -> Array:
    """Normal numbers between bounds."""
    return truncated(Philox.of_seed(seed), ints(shape), means.dtype, (means, stddevs, minvals, maxvals))


def random_gamma(xp: Namespace, shape: Array, alpha: Array, *, rng: np.random.Generator) -> Array:
    """Gamma variables."""
    return _gamma(_source(rng), (*ints(shape), *alpha.shape), alpha)


def _source(rng: np.random.Generator) -> Philox:
    """What samplers draw from that start with a key and a counter."""
    return Philox.of(rng.integers(2**64, size=1, dtype=np.uint64), rng.integers(2**64, size=2, dtype=np.uint64))


def random_gamma_grad(xp: Namespace, alpha: Array, sample: Array) -> Array:
    """The derivative of gamma variables in the shape parameter; 0 where one of them is infinite."""
    inside = (alpha > 0) & (sample > 0) & xp.isfinite(alpha) & xp.isfinite(sample)
    is_limit = (sample == 0) | ((alpha > 0) & (sample > 0))
    result = np.where(is_limit, 0, np.nan).astype(sample.dtype)
    result[inside] = sample_derivative(*(np.broadcast_to(each, inside.shape)[inside] for each in (alpha, sample)))
    return result


def random_poisson_v2(xp: Namespace, shape: Array, rate: Array, *, dtype: DType, rng: np.random.Generator) -> Array:
    """Numbers of events."""
    return _poisson(_source(rng), (*ints(shape), *rate.shape), rate, dtype)


def parameterized_truncated_normal(
    xp: Namespace,
    shape: Array,
    means: Array,
    stdevs: Array,
    minvals: Array,
    maxvals: Array,
    *,
    dtype: DType,
    rng: np.random.Generator,
) -> Array:
    """The inverse of the normal distribution function at uniform numbers between its values at the bounds.

    It is computed from logarithms, on the side of the lower tail, and exact also far from the mean.
    """
    sizes = ints(shape)
    rows = (-1, *(1 for _ in sizes[1:]))
    mean, width, low, high = (each.astype(np.float64).reshape(rows) for each in (means, stdevs, minvals, maxvals))
    if 0 in sizes:
        return xp.asarray(np.empty(sizes, dtype))
    check_bounds(stdevs, minvals, maxvals, name="stdevs")
    side = np.where(low > mean, -1.0, 1.0)
    ends = (side * (low - mean) / width, side * (high - mean) / width)
    first, last = log_ndtr(np.minimum(*ends)), log_ndtr(np.maximum(*ends))
    share = open_uniform(rng, sizes)
    normal = ndtri_exp(last + np.log(share + (1 - share) * np.exp(first - last)))
    return xp.asarray(np.clip(mean + width * (side * normal), low, high).astype(dtype))
