"""Random orders without a table: a block cipher on numbers of as many bits as the indices have.

The cipher is Simon (Beaulieu et al., The Simon and Speck families of lightweight block ciphers, 2013), with fewer
rounds, used as TensorFlow uses it. The functions run on NumPy only.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.kernels.namespace import Array

__all__ = ["places"]

_SEQUENCE: Final = 0x7369F885192C0EF5
"""The constant bits of the key schedule, the first one last; as many of them as the keys have."""
_LEAST_BITS: Final = 16
_SHORT: Final = 1 << 12
"""Below this highest index, so few of the numbers of 16 bits are in range that walks are long."""
_ONES: Final = 0xFFFFFFFF


def places(indices: Array, seeds: Array, highest: Array, rounds: int) -> Array:
    """The places of indices in orders of 0 to `highest`: uint64 vectors; `seeds` has a row of three for each."""
    bits = np.ceil(np.log2(np.maximum(highest, np.uint64(1)))).astype(np.int64)
    halves = np.maximum(bits + bits % 2, _LEAST_BITS) // 2
    result = np.zeros_like(indices)
    is_short = (highest < _SHORT) & (highest > 0)
    for order in np.unique(np.column_stack([highest, seeds])[is_short], axis=0):
        rows = np.nonzero((highest == order[0]) & (seeds == order[1:]).all(axis=1))[0]
        result[rows] = _by_table(indices[rows], order[None, 1:], order[0], rounds)
    for half in np.unique(halves[highest >= _SHORT]):
        rows = np.nonzero((halves == half) & (highest >= _SHORT))[0]
        result[rows] = _walked(indices[rows], _keys(seeds[rows], rounds, int(half)), highest[rows], int(half))
    return result


def _by_table(numbers: Array, seed: Array, highest: Array, rounds: int) -> Array:
    """What `_walked` computes, where walks are long: for all numbers of 16 bits at once, each turn twice as far."""
    half = _LEAST_BITS // 2
    keys = [key.astype(np.uint16) for key in _keys(seed, rounds, half)]
    step = _encrypted(np.arange(1 << _LEAST_BITS, dtype=np.uint16), keys, half)
    while (step[numbers] > highest).any():
        step = np.where(step > highest, step.take(step), step)
    return step[numbers]


def _walked(numbers: Array, keys: list[Array], highest: Array, half: int) -> Array:
    """Encrypt numbers until they are in range; this visits each number in range once."""
    result, rows = numbers.copy(), np.arange(len(numbers))
    while len(rows):
        result[rows] = _encrypted(result[rows], [key[rows] for key in keys], half)
        rows = rows[result[rows] > highest[rows]]
    return result


def _encrypted(numbers: Array, keys: list[Array], half: int) -> Array:
    left, right = numbers >> half & _mask(half), numbers & _mask(half)
    for even, odd in zip(keys[0::2], keys[1::2], strict=True):
        left ^= _mixed(right, half) ^ even
        right ^= _mixed(left, half) ^ odd
    return left << half | right


def _mixed(x: Array, half: int) -> Array:
    return _rotated(x, 1, half) & _rotated(x, 8, half) ^ _rotated(x, 2, half)


def _rotated(x: Array, by: int, half: int) -> Array:
    """The bits of numbers of `half` bits, moved up."""
    by %= half
    return (x << by | x >> half - by) & _mask(half)


def _mask(half: int) -> int:
    return (1 << half) - 1


def _keys(seeds: Array, rounds: int, half: int) -> list[Array]:
    """The keys of the rounds: the seed, then each of it and those before."""
    keys = [seeds[:, column] & _mask(half) for column in range(3)]
    for number in range(rounds - 3):
        constant = np.uint64((_ONES ^ 3 ^ (_SEQUENCE % (1 << half) >> number & 1)) % (1 << half))
        keys.append(constant ^ keys[-3] ^ _rotated(keys[-1], half - 3, half) ^ _rotated(keys[-1], half - 4, half))
    return keys
