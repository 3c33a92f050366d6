"""Kernels of `ops/stateless_random.yaml`: what they draw is a function of a key and a counter, or of a seed.

The kernels run on NumPy only.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from scipy.linalg.lapack import dlaswp, slaswp

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels import philox
from typegrad.kernels.checks import first, ints
from typegrad.kernels.index_shuffle import places
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.philox import Draw, Philox
from typegrad.kernels.random import check_range

PHILOX: Final = 1
_EXCHANGES: Final[dict[int, tuple[Any, type]]] = {4: (slaswp, np.float32), 8: (dlaswp, np.float64)}
"""LAPACK's functions by the size of elements."""
ALGORITHMS: Final = {2: "ThreeFry, which is not here, nor in TensorFlow on a CPU"}


def stateless_random_get_key_counter(xp: Namespace, seed: Array) -> tuple[Array, Array]:
    """The scrambled seed."""
    source = Philox.of_seed(seed)
    return xp.asarray(np.array([source.key], np.uint64)), xp.asarray(source.halves)


def stateless_random_get_alg(xp: Namespace) -> Array:
    """Philox."""
    return xp.asarray(np.int32(PHILOX))


def stateless_random_get_key_counter_alg(xp: Namespace, seed: Array) -> tuple[Array, ...]:
    """The scrambled seed, and Philox."""
    return *stateless_random_get_key_counter(xp, seed), stateless_random_get_alg(xp)


def stateless_random_uniform_v2(
    xp: Namespace, shape: Array, key: Array, counter: Array, alg: Array, *, dtype: DType
) -> Array:
    """Numbers in [0, 1)."""
    return _filled(shape, key, counter, alg, dtype, lambda words: philox.uniform(words, dtype))


def _filled(shape: Array, key: Array, counter: Array, alg: Array, dtype: DType, draw: Draw) -> Array:
    sizes = ints(shape)
    if 0 in sizes:
        return np.empty(sizes, dtype)
    check_algorithm(alg)
    return philox.fill(Philox.of(key, counter), sizes, dtype, draw)


def check_algorithm(alg: Array) -> None:
    """Refuse all but Philox, and 3, which means any."""
    if int(alg) not in (PHILOX, 3):
        what = ALGORITHMS.get(int(alg), "no algorithm")
        raise InvalidArgumentError(f"the algorithm is {int(alg)}, {what}; 1 is Philox")


def stateless_random_uniform_int_v2(
    xp: Namespace, shape: Array, key: Array, counter: Array, alg: Array, minval: Array, maxval: Array
) -> Array:
    """Integers in [minval, maxval)."""
    if 0 not in ints(shape):
        check_range(minval, maxval)
    return _filled(shape, key, counter, alg, minval.dtype, lambda words: philox.integers(words, minval, maxval))


def stateless_random_uniform_full_int_v2(
    xp: Namespace, shape: Array, key: Array, counter: Array, alg: Array, *, dtype: DType
) -> Array:
    """Integers of all bits."""
    return _filled(shape, key, counter, alg, dtype, lambda words: philox.full_integers(words, dtype))


def stateless_random_normal_v2(
    xp: Namespace, shape: Array, key: Array, counter: Array, alg: Array, *, dtype: DType
) -> Array:
    """Numbers of the standard normal distribution."""
    return _filled(shape, key, counter, alg, dtype, lambda words: philox.normal(words, dtype))


def stateless_truncated_normal_v2(
    xp: Namespace, shape: Array, key: Array, counter: Array, alg: Array, *, dtype: DType
) -> Array:
    """Numbers of the standard normal distribution in [-2, 2]."""
    sizes = ints(shape)
    if 0 not in sizes:
        check_algorithm(alg)
    return philox.truncated_normal(Philox.of(key, counter), sizes, dtype)


def stateless_shuffle(xp: Namespace, value: Array, key: Array, counter: Array, alg: Array) -> Array:
    """The rows in the order that the words make."""
    check_algorithm(alg)
    if not (value.ndim and len(value)):
        return value
    places = _places(Philox.of(key, counter), len(value))
    if value.ndim == 1 and value.itemsize in _EXCHANGES and not value.dtype.hasobject:
        return _exchanged(value.copy(), places)
    return np.take(value, _exchanged(np.arange(len(value)), places), axis=0)


def _places(source: Philox, count: int) -> Array:
    """The place, its own or a later one, with which each in turn changes rows."""
    rows = np.arange(count, dtype=np.uint32)
    words = philox.fill(source, (count,), rows.dtype, lambda words: words)
    return philox.integers(words, rows, np.asarray(count, rows.dtype)).astype(np.intc)


def _exchanged(x: Array, places: Array) -> Array:
    """A vector, which is overwritten, after these exchanges: LAPACK's row interchanges, which move bits as they are."""
    interchanges, dtype = _EXCHANGES[x.itemsize]
    result: Array = interchanges(x.view(dtype)[:, None], places, overwrite_a=True)[:, 0]
    return result.view(x.dtype)


def random_index_shuffle(xp: Namespace, index: Array, seed: Array, max_index: Array, *, rounds: int) -> Array:
    """The places of indices; what there is one of is used for all."""
    check_order(index, max_index)
    sizes = np.broadcast_shapes(index.shape, seed.shape[:-1], max_index.shape)
    numbers, highest = (np.broadcast_to(each, sizes).reshape(-1).astype(np.uint64) for each in (index, max_index))
    seeds = np.broadcast_to(seed.astype(np.uint32).astype(np.uint64), (*sizes, 3)).reshape(-1, 3)
    return xp.asarray(places(numbers, seeds, highest, rounds).astype(index.dtype).reshape(sizes))


def check_order(index: Array, max_index: Array) -> None:
    """Refuse indices that are not in range."""
    if (index < 0).any() or (index > max_index).any():
        is_wrong = (index < 0) | (index > max_index)
        highest = first("max_index", max_index, is_wrong)
        raise InvalidArgumentError(f"{first('index', index, is_wrong)}, but must be in [0, `max_index`]; {highest}")
