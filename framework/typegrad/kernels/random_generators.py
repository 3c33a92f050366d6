"""Kernels of `ops/random_generators.yaml`: a variable's state tells what they draw, and they move it on.

The kernels run on NumPy only.
"""

from __future__ import annotations

import math
import secrets
from typing import TYPE_CHECKING

import numpy as np

from typegrad.kernels import philox
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.philox import RESERVED, Draw, Philox
from typegrad.kernels.random import check_range
from typegrad.kernels.random_distributions import binomial
from typegrad.kernels.stateless_random import check_algorithm

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState


def rng_skip(xp: Namespace, state: VariableState, algorithm: Array, delta: Array) -> tuple[()]:
    """Move the state on."""
    _moved(state, algorithm, int(delta))
    return ()


def rng_read_and_skip(xp: Namespace, state: VariableState, alg: Array, delta: Array) -> Array:
    """Move the state on, and return what it was."""
    before = state.read()
    _moved(state, alg, int(delta))
    return before[:3]


def _moved(state: VariableState, algorithm: Array, values: int) -> Philox:
    """Move the state on by what so many values may take, and return what it was."""
    check_algorithm(algorithm)
    before = state.read()
    source = Philox.of(before[2:3], before[:2])
    after = before.copy()
    after[:2] = source.after(values * RESERVED % 2**64).halves.view(np.int64)
    state.assign(after)
    return source


def stateful_uniform(xp: Namespace, state: VariableState, algorithm: Array, shape: Array, *, dtype: DType) -> Array:
    """Numbers in [0, 1)."""
    return _filled(state, algorithm, shape, dtype, lambda words: philox.uniform(words, dtype))


def _filled(state: VariableState, algorithm: Array, shape: Array, dtype: DType, draw: Draw) -> Array:
    sizes = ints(shape)
    return philox.fill(_moved(state, algorithm, math.prod(sizes)), sizes, dtype, draw)


def stateful_standard_normal_v2(
    xp: Namespace, state: VariableState, algorithm: Array, shape: Array, *, dtype: DType
) -> Array:
    """Numbers of the standard normal distribution."""
    return _filled(state, algorithm, shape, dtype, lambda words: philox.normal(words, dtype))


def stateful_truncated_normal(
    xp: Namespace, state: VariableState, algorithm: Array, shape: Array, *, dtype: DType
) -> Array:
    """Numbers of the standard normal distribution in [-2, 2]."""
    sizes = ints(shape)
    return philox.truncated_normal(_moved(state, algorithm, math.prod(sizes)), sizes, dtype)


def stateful_uniform_full_int(
    xp: Namespace, state: VariableState, algorithm: Array, shape: Array, *, dtype: DType
) -> Array:
    """Integers of all bits."""
    return _filled(state, algorithm, shape, dtype, lambda words: philox.full_integers(words, dtype))


def stateful_uniform_int(
    xp: Namespace, state: VariableState, algorithm: Array, shape: Array, minval: Array, maxval: Array
) -> Array:
    """Integers in [minval, maxval)."""
    check_range(minval, maxval)
    return _filled(state, algorithm, shape, minval.dtype, lambda words: philox.integers(words, minval, maxval))


def stateful_random_binomial(
    xp: Namespace, state: VariableState, algorithm: Array, shape: Array, counts: Array, probs: Array, *, dtype: DType
) -> Array:
    """Numbers of successes. The state moves on by 50 values for each of the samples, and by 150 for a distribution."""
    sizes, batch = ints(shape), np.broadcast_shapes(counts.shape, probs.shape)
    each = math.prod(sizes[: len(sizes) - len(batch)])
    source = _moved(state, algorithm, math.prod(batch) * 50 * (each + 3))
    return binomial(source, sizes, counts, probs, dtype)


def non_deterministic_ints(xp: Namespace, shape: Array, *, dtype: DType, rng: np.random.Generator) -> Array:
    """Bytes of the operating system, instead of numbers of the session."""
    sizes = ints(shape)
    drawn = secrets.token_bytes(math.prod(sizes) * dtype.itemsize)
    return xp.asarray(np.frombuffer(drawn, dtype).reshape(sizes))
