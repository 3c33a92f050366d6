"""Strings of numbers, histograms, the best classes, random orders and fingerprints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Array]

_AT_ONCE: Final = 1 << 16


def _texts(x: Array) -> Work:
    """Python writes all numbers at once, and splits the text."""
    template = b"%d\n" * x.size
    return lambda: np.fromiter((template % (*x.tolist(),)).splitlines(), object, x.size)


def _histogram(x: Array, limits: Array, count: int, **_: object) -> Work:
    """What is the upper limit or above is counted in one more bin, and added to the last one."""
    low, high = (float(limit) for limit in limits)
    part, places, bytes_ = np.empty(_AT_ONCE, x.dtype), np.empty(_AT_ONCE), np.zeros(x.size + x.size % 2, np.uint8)

    def work() -> Array:
        for first in range(0, x.size, _AT_ONCE):
            numbers = x[first : first + _AT_ONCE]
            size = numbers.size
            places[:size] = numbers.clip(*limits, out=part[:size])
            np.subtract(places, low, out=places)
            np.divide(places, high / count - low / count, out=places)
            bytes_[first : first + size] = places[:size]
        pairs = np.bincount(bytes_.view(np.uint16), minlength=1 << 16).reshape(1 << 8, 1 << 8)
        counts: Array = pairs.sum(0) + pairs.sum(1)
        counts[0] -= x.size % 2
        counts[count - 1] += counts[count]
        return counts[:count].astype(np.int32)

    return work


def _in_top(predictions: Array, targets: Array, k: int) -> Work:
    """A few classes decide most rows."""
    count, classes = predictions.shape
    parts = [(0, 32), (32, 256), (256, classes)]

    def work() -> Array:
        result = np.zeros(count, bool)
        rows = np.arange(count)
        chosen = predictions[rows, targets][:, None]
        higher = np.zeros(count, np.int32)
        for first, last in parts:
            part = predictions[rows, first:last] if first else predictions[:, :last]
            higher += (part > chosen).view(np.int8).sum(1, np.int32)
            is_open = higher < k
            rows, chosen, higher = rows[is_open], chosen[is_open], higher[is_open]
        result[rows] = np.isfinite(predictions[rows]).all(1)
        return result

    return work


def _shuffled(x: Array) -> Work:
    rng, result = np.random.Generator(np.random.SFC64(1)), np.empty_like(x)
    return lambda: np.take(x, rng.permutation(len(x)), axis=0, out=result, mode="clip")


class _Farm:
    """FarmHash of rows of more than 64 bytes, in arrays that are kept: what is treated alike is in one of them."""

    def __init__(self, rows: Array) -> None:
        self._rows, (count, self._length) = rows, rows.shape
        self._numbers, self._spare = np.empty((2, 3, count), np.uint64)
        self._first, self._last, self._turned = np.empty((3, 2, count), np.uint64)
        self._words = np.empty((8, count), np.uint64)
        self._right = np.repeat(np.array([[37], [42], [33]], np.uint64), count, axis=1)
        self._left = 64 - self._right

    def __call__(self) -> Array:
        x, y, z = self._numbers
        (v, w), (v_last, w_last) = self._first, self._last
        self._first[:], self._last[:] = 0, 0
        x[:] = np.ndarray(len(x), np.uint64, self._rows, 0, (self._length,))
        x += np.uint64(81 * _K2 % 2**64)
        y[:] = (81 * _K1 + 113) % 2**64
        z[:] = _shifted(y * _K2 + 113) * _K2
        factor = np.array(_K1, np.uint64)
        for at in range(0, (self._length - 1) // 64 * 64, 64):
            self._stir(at, factor, 1)
        x, y, z = self._numbers
        last = ((z & 255) << 1) + _K1
        w += self._length - 1 & 63
        v += w
        w += v
        self._stir(self._length - 64, last, 9)
        x, y, z = self._numbers
        first = _mixed(v, w, last) + _shifted(y) * _K0 + z
        return _mixed(first, _mixed(v_last, w_last, last) + x, last)

    def _stir(self, at: int, factor: Array, weight: int) -> None:
        numbers, first, last = self._numbers, self._first, self._last
        words, spare, turned = self._words, self._spare, self._turned
        np.copyto(words, np.ndarray(words.shape, np.uint64, self._rows, at, (8, self._length)))
        x, y, z = numbers
        (v, w), (v_last, w_last) = first, last
        for number, terms in ((x, (y, v, words[1])), (y, (v_last, words[6])), (z, (w,))):
            for term in terms:
                np.add(number, term, out=number)
        np.left_shift(numbers, self._left, out=spare)
        np.right_shift(numbers, self._right, out=numbers)
        np.bitwise_or(numbers, spare, out=numbers)
        np.multiply(numbers, factor, out=numbers)
        np.bitwise_xor(x, w_last if weight == 1 else w_last * weight, out=x)
        np.add(y, v if weight == 1 else v * weight, out=y)
        np.add(y, words[5], out=y)
        np.multiply(v_last, factor, out=v)
        np.add(x, w, out=v_last)
        np.add(z, w_last, out=w)
        np.add(y, words[2], out=w_last)
        np.add(first, words[0::4], out=first)
        np.add(last, first, out=last)
        np.add(last, words[3::4], out=last)
        np.left_shift(last, _BITS[43], out=turned)
        np.right_shift(last, _BITS[21], out=last)
        np.bitwise_or(last, turned, out=last)
        np.add(last, first, out=last)
        np.add(first, words[1::4], out=first)
        np.add(first, words[2::4], out=first)
        np.left_shift(first, _BITS[20], out=turned)
        np.right_shift(first, _BITS[44], out=spare[:2])
        np.bitwise_or(spare[:2], turned, out=turned)
        np.add(last, turned, out=last)
        np.add(first, words[3::4], out=first)
        self._numbers = numbers[::-1]


_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
_BITS: Final = {number: np.array(number, np.uint64) for number in (20, 21, 43, 44)}


def _shifted(x: Array) -> Array:
    result: Array = x ^ (x >> 47)
    return result


def _mixed(a: Array, b: Array, factor: Array) -> Array:
    result: Array = _shifted((b ^ _shifted((a ^ b) * factor)) * factor) * factor
    return result


def _fingerprint(data: Array, _: bytes) -> Work:
    hashes = _Farm(data)
    return lambda: hashes()[:, None].view(np.uint8)


FUNCTIONS: Final[dict[str, Callable[..., Work]]] = {
    "AsString": _texts,
    "Fingerprint": _fingerprint,
    "HistogramFixedWidth": _histogram,
    "InTopKV2": _in_top,
    "RandomShuffle": _shuffled,
}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
