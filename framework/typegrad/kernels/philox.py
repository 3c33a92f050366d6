"""Philox4x32-10 (Salmon et al., 2011): random bits as a function of a key and a counter, used as TensorFlow uses them.

A block is four uint32 words. Values that take as many words each are cut from consecutive blocks. Where a value takes
as many as it happens to need, groups of values have blocks of their own, far apart, so that no group depends on others.
The functions run on NumPy only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias, final

import numpy as np

from typegrad.base.bfloat16 import BFLOAT16
from typegrad.kernels.namespace import Array, DType

__all__ = [
    "AT_ONCE",
    "RESERVED",
    "Draw",
    "Philox",
    "fill",
    "full_integers",
    "integers",
    "normal",
    "truncated_normal",
    "uniform",
]

Draw: TypeAlias = Callable[[Array], Array]
"""Makes two or four values of each of some groups, of the words of a block, shape [n, 4], or of the number, [n]."""

RESERVED: Final = 256
"""How many words each value may take, where the number varies."""

_MULTIPLIERS: Final = (np.array(0xD2511F53, np.uint64), np.array(0xCD9E8D57, np.uint64))
_KEY_STEPS: Final = (0x9E3779B9, 0xBB67AE85)
_ROUNDS: Final = 10
_LOW: Final = np.array(0xFFFFFFFF, np.uint64)
_HALF: Final = np.array(32, np.uint64)
AT_ONCE: Final = 1 << 13
"""How many groups or samples are made at once: their arrays stay in the processor's cache."""
_SEED_KEY: Final = 0x02461E293EC8F720
"""The key under which a seed is scrambled into a key and a counter."""
_FRACTIONS: Final = {
    np.dtype(np.float16): (np.uint16, 10, 15),
    BFLOAT16: (np.uint16, 7, 127),
    np.dtype(np.float32): (np.uint32, 23, 127),
    np.dtype(np.float64): (np.uint64, 52, 1023),
}
"""The unsigned type of the same size, the number of bits of the fraction, and the exponent of 1."""
_LEAST: Final = 1e-7
"""The least number whose logarithm is taken in a Box-Muller transform."""
_TRUNCATION: Final = 2
_TRUNCATED_AT_ONCE: Final = 1 << 14
"""Of so many groups, the ones that are not full are enough to be worth the calls."""


@final
class Philox:
    """A key of 64 bits, and a counter of 128."""

    __slots__ = ("counter", "key")

    def __init__(self, key: int, counter: int) -> None:
        """Both may be given with their sign, or beyond their range: what matters are the bits."""
        self.key = key % 2**64
        self.counter = counter % 2**128

    @classmethod
    def of(cls, key: Array, counter: Array) -> Philox:
        """From a key and the halves of a counter, the lower one first, of 64 bits each."""
        return cls(int(key.reshape(())), int(counter[0]) % 2**64 + (int(counter[1]) << 64))

    @classmethod
    def of_seed(cls, seed: Array) -> Philox:
        """From two seeds, scrambled, so that seeds which differ in one bit are as good as any."""
        words = cls.of(np.array(_SEED_KEY, np.uint64), seed).words(np.zeros(1, np.uint64))[0].view(np.uint64)
        return cls(int(words[0]), int(words[1]) << 64)

    @property
    def halves(self) -> Array:
        """The counter as two numbers of 64 bits, the lower half first."""
        return np.array([self.counter % 2**64, self.counter >> 64], np.uint64)

    def after(self, blocks: int) -> Philox:
        """The same key, with the counter so many blocks further.

        As in TensorFlow, the higher half does not take part where the upper 32 bits of `blocks` overflow by a carry.
        """
        lower = self.counter % 2**32 + blocks % 2**32
        is_lost = (blocks >> 32) + (lower >> 32) == 2**32
        return Philox(self.key, self.counter + blocks - (is_lost << 64))

    def words(self, blocks: Array) -> Array:
        """The words of blocks, shape [n] and uint64, counted from the counter: shape [n, 4] and uint32."""
        low = blocks + np.uint64(self.counter % 2**64)
        high = np.uint64(self.counter >> 64) + (low < blocks)
        c0, c1, c2, c3 = low & _LOW, low >> _HALF, high & _LOW, high >> _HALF
        keys = [self.key % 2**32, self.key >> 32]
        for _ in range(_ROUNDS):  # in place, without temporary arrays: the time goes into memory
            first, second = (np.array(key, np.uint64) for key in keys)
            np.multiply(c0, _MULTIPLIERS[0], out=low)
            np.multiply(c2, _MULTIPLIERS[1], out=high)
            np.bitwise_xor(c1, first, out=c1)
            np.bitwise_xor(c3, second, out=c3)
            np.right_shift(high, _HALF, out=c0)
            np.right_shift(low, _HALF, out=c2)
            np.bitwise_xor(c0, c1, out=c0)
            np.bitwise_xor(c2, c3, out=c2)
            np.bitwise_and(high, _LOW, out=c1)
            np.bitwise_and(low, _LOW, out=c3)
            keys = [(key + step) % 2**32 for key, step in zip(keys, _KEY_STEPS, strict=True)]
        words = np.empty((len(blocks), 4), "<u4")
        pairs = words.view("<u8")
        np.bitwise_or(c0, np.left_shift(c1, _HALF, out=c1), out=pairs[:, 0])
        np.bitwise_or(c2, np.left_shift(c3, _HALF, out=c3), out=pairs[:, 1])
        return words


def _per_block(dtype: DType) -> int:
    """How many values of a type a block makes."""
    return 4 if dtype.itemsize <= 4 else 2


def fill(source: Philox, sizes: tuple[int, ...], dtype: DType, draw: Draw) -> Array:
    """An array of values that `draw` makes of consecutive blocks."""
    return _grouped(sizes, dtype, lambda groups: draw(source.words(groups)))


def _grouped(sizes: tuple[int, ...], dtype: DType, draw: Draw, at_once: int = AT_ONCE) -> Array:
    """An array of groups, as many values as a block makes, that `draw` makes of their numbers."""
    each, count = _per_block(dtype), math.prod(sizes)
    groups = -(-count // each)
    result = np.empty((groups, each), dtype)
    for start in range(0, groups, at_once):
        end = min(start + at_once, groups)
        result[start:end] = draw(np.arange(start, end, dtype=np.uint64))
    return result.reshape(-1)[:count].reshape(sizes)


def full_integers(words: Array, dtype: DType) -> Array:
    """Integers of all bits; of 64 bits, the lower half comes first."""
    return words.view(dtype if dtype.itemsize <= 4 else "<u8").astype(dtype, copy=False)


def integers(words: Array, minval: Array, maxval: Array) -> Array:
    """Integers in [minval, maxval): the remainders of integers of all bits."""
    unsigned = np.dtype(f"u{minval.dtype.itemsize}")
    low, high = minval.astype(unsigned, copy=False), maxval.astype(unsigned, copy=False)
    bits, count = full_integers(words, unsigned), high - low
    result: Array = bits // count  # much faster than the remainder
    result *= count
    np.subtract(bits, result, out=result)
    result += low
    return result.view(minval.dtype)


def uniform(words: Array, dtype: DType) -> Array:
    """Numbers in [0, 1), by bits of the fraction of a number in [1, 2)."""
    unsigned, bits, exponent = _FRACTIONS[dtype]
    if dtype.itemsize == 8:  # unlike in integers, the upper half comes first
        pairs = words.view("<u8")
        words = pairs << _HALF | pairs >> _HALF
    pattern = words.astype(unsigned)
    pattern &= unsigned((1 << bits) - 1)
    pattern |= unsigned(exponent << bits)
    result = pattern.view(dtype)
    result -= dtype.type(1)
    return result


def normal(words: Array, dtype: DType) -> Array:
    """Numbers of the standard normal distribution, by the transform of Box and Muller; narrow ones from float32.

    The functions are computed in float64, so that results differ from TensorFlow's by one unit in the last place at
    most, in float32 and below.
    """
    wide = dtype if dtype.itemsize == 8 else np.dtype(np.float32)
    numbers = uniform(words, wide)
    flat = numbers.reshape(-1)
    first, second = (flat[start::2].astype(np.float64) for start in (0, 1))
    np.log(np.maximum(first, wide.type(_LEAST), out=first), out=first)
    radius = first.astype(wide, copy=False)
    radius *= wide.type(-2)
    np.sqrt(radius, out=radius)
    second *= 2 * np.pi
    angle = second.astype(wide, copy=False).astype(np.float64, copy=False)
    sine, cosine = (np.sin(angle), np.cos(angle)) if wide.itemsize == 8 else _sine_and_cosine(angle)
    np.multiply(sine.astype(wide, copy=False), radius, out=flat[0::2])
    np.multiply(cosine.astype(wide, copy=False), radius, out=flat[1::2])
    return numbers.astype(dtype, copy=False)


def _sine_and_cosine(angle: Array) -> tuple[Array, Array]:
    """Of float64 numbers, but accurate for float32 only; NumPy's tangent takes a sixth of the time of its sine."""
    tangent = np.tan(angle / 2)
    share = 2 / (1 + tangent * tangent)
    return tangent * share, share - 1


def truncated_normal(source: Philox, sizes: tuple[int, ...], dtype: DType) -> Array:
    """Normal numbers, without the ones beyond two standard deviations."""
    return _grouped(sizes, dtype, lambda groups: _truncated(source, groups, dtype), _TRUNCATED_AT_ONCE)


def _truncated(source: Philox, groups: Array, dtype: DType) -> Array:
    each, wide = _per_block(dtype), dtype if dtype.itemsize == 8 else np.dtype(np.float32)
    blocks = groups * np.uint64(RESERVED * each // 4)
    numbers = np.concatenate(
        [normal(source.words(blocks[start : start + AT_ONCE]), wide) for start in range(0, len(blocks), AT_ONCE)]
    )
    accepted = np.abs(numbers) < _TRUNCATION
    result = numbers.astype(dtype)
    # Nearly always, all numbers of a block are accepted: as one word, the same as `accepted.all(axis=1)`.
    rows = np.flatnonzero(accepted.view(f"u{each}") != np.ones(each, np.bool_).view(f"u{each}"))
    filled = np.zeros(len(groups), np.intp)
    numbers, accepted, blocks = numbers[rows], accepted[rows], blocks[rows]
    while len(rows):
        places = filled[rows, None] + np.cumsum(accepted, axis=1) - 1
        of, column = np.nonzero(accepted & (places < each))
        result[rows[of], places[of, column]] = numbers[of, column]
        filled[rows] += np.sum(accepted, axis=1)
        is_open = filled[rows] < each
        rows, blocks = rows[is_open], blocks[is_open] + np.uint64(1)
        numbers = normal(source.words(blocks), wide)
        accepted = np.abs(numbers) < _TRUNCATION
    return result
