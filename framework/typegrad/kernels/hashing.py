"""Kernels of `ops/hashing.yaml`: FarmHash's fingerprint of 64 bits, of many rows at once. It runs on NumPy only.

Source: FarmHash (https://github.com/google/farmhash), `farmhashna::Hash64` there. All arithmetic is modulo 2 ** 64.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.shapes.hashing import METHOD

_K0: Final = 0xC3A5C85C97CB3127
_K1: Final = 0xB492B66FBE98F273
_K2: Final = 0x9AE16A3B2F90404F
_SEED: Final = 81
_WORD: Final = np.dtype("<u8")
_MASK: Final = 2**64 - 1
_BITS_20, _BITS_21, _BITS_43, _BITS_44 = (np.array(bits, _WORD) for bits in (20, 21, 43, 44))
"""NumPy takes an array faster than a number."""
_ROWS: Final = 1 << 13
"""How many long rows are computed at once."""


def fingerprint(xp: Namespace, data: Array, method: Array) -> Array:
    """The bytes of the fingerprint of each row."""
    if method.item() != METHOD.encode():
        raise InvalidArgumentError(f"`method` is {method.item().decode(errors='replace')!r}, but must be {METHOD!r}")
    count = len(data)
    rows = data.reshape(count, -1) if data.size else np.zeros((count, 0), np.uint8)
    if rows.dtype == object:
        rows = _of_strings(rows.reshape(-1)).reshape(rows.shape)
        if rows.shape[1] == 1:
            return _bytes(rows)
    return _bytes(_fingerprints(_bytes(rows))[:, None])


def _bytes(rows: Array) -> Array:
    """The bytes of each row, the lowest byte of a number first."""
    rows = np.ascontiguousarray(rows)
    rows = rows.astype(rows.dtype.newbyteorder("<"), copy=False)
    return rows.view(np.uint8).reshape(len(rows), rows.shape[1] * rows.itemsize)


def _of_strings(strings: Array) -> Array:
    """The fingerprints of strings, one length at a time."""
    lengths = np.array([len(each) for each in strings], np.int64)
    result = np.zeros(len(strings), _WORD)
    for length in np.unique(lengths).tolist():
        chosen = lengths == length
        rows = np.frombuffer(b"".join(strings[chosen]), np.uint8).reshape(-1, length) if length else None
        result[chosen] = _K2 if rows is None else _fingerprints(rows)
    return result


def _fingerprints(rows: Array) -> Array:
    """The fingerprint of each row of bytes."""
    length = rows.shape[1]
    if length <= 16:
        return _up_to_16(rows)
    if length <= 32:
        return _mixed(*_pair(rows, _K1), _factor(length))
    return _up_to_64(rows) if length <= 64 else _longer(rows)


def _word(rows: Array, at: int) -> Array:
    """The eight bytes of each row from a place on, as a number."""
    return _read(rows, at, _WORD)


def _half_word(rows: Array, at: int) -> Array:
    return _read(rows, at, np.dtype("<u4")).astype(_WORD)


def _read(rows: Array, at: int, dtype: DType) -> Array:
    """The number in each row of bytes from a place on; a view of numbers is copied much faster than short slices."""
    count, length = rows.shape
    return np.ndarray(count, dtype, rows, at % length, (length,)).copy()


def _rotated(x: Array, bits: int) -> Array:
    rotated: Array = (x >> bits) | (x << (64 - bits))
    return rotated


def _shifted(x: Array) -> Array:
    shifted: Array = x ^ (x >> 47)
    return shifted


def _factor(length: int) -> int:
    return (_K2 + 2 * length) & _MASK


def _mixed(a: Array, b: Array, factor: Array | int) -> Array:
    return _shifted((b ^ _shifted((a ^ b) * factor)) * factor) * factor


def _up_to_16(rows: Array) -> Array:
    count, length = rows.shape
    factor = _factor(length)
    if length >= 8:
        a, b = _word(rows, 0) + _K2, _word(rows, -8)
        return _mixed(_rotated(b, 37) * factor + a, (_rotated(a, 25) + b) * factor, factor)
    if length >= 4:
        return _mixed((_half_word(rows, 0) << 3) + length, _half_word(rows, -4), factor)
    if not length:
        return np.full(count, _K2, _WORD)
    first, middle, last = (rows[:, at].astype(_WORD) for at in (0, length // 2, -1))
    return _shifted((first + (middle << 8)) * _K2 ^ ((last << 2) + length) * _K0) * _K2


def _pair(rows: Array, first: int) -> tuple[Array, Array]:
    """Two numbers of the first and the last 16 bytes."""
    a, b = _word(rows, 0) * first, _word(rows, 8)
    c, d = _word(rows, -8) * _factor(rows.shape[1]), _word(rows, -16) * _K2
    return _rotated(a + b, 43) + _rotated(c, 30) + d, a + _rotated(b + _K2, 18) + c


def _up_to_64(rows: Array) -> Array:
    factor = _factor(rows.shape[1])
    y, other = _pair(rows, _K2)
    z = _mixed(y, other, factor)
    e, f = _word(rows, 16) * factor, _word(rows, 24)
    g, h = (y + _word(rows, -32)) * factor, (z + _word(rows, -24)) * factor
    return _mixed(_rotated(e + f, 43) + _rotated(g, 30) + h, e + _rotated(f + _word(rows, 0) * _K2, 18) + g, factor)


def _longer(rows: Array) -> Array:
    """The fingerprints, so many rows at a time that what is computed of them stays in a cache."""
    parts = [_of_blocks(rows[start : start + _ROWS]) for start in range(0, len(rows), _ROWS)]
    return np.concatenate(parts)


def _of_blocks(rows: Array) -> Array:
    """64 bytes at a time, then the last 64."""
    count, length = rows.shape
    state = _State(count)
    x, y, z = state.numbers
    y += _SEED * _K1 + 113 & _MASK
    z += _shifted(y * _K2 + 113) * _K2
    x += _word(rows, 0) + (_SEED * _K2 & _MASK)
    once, factor = np.array(1, _WORD), np.array(_K1, _WORD)
    for at in range(0, (length - 1) // 64 * 64, 64):
        state.stir(rows, at, factor, once)
    _, _, z = state.numbers
    (v0, w0), (v1, w1) = state.first, state.last
    last_factor = ((z & 0xFF) << 1) + _K1
    w0 += length - 1 & 63
    v0 += w0
    w0 += v0
    state.stir(rows, length - 64, last_factor, np.array(9, _WORD))
    x, y, z = state.numbers
    return _mixed(_mixed(v0, w0, last_factor) + _shifted(y) * _K0 + z, _mixed(v1, w1, last_factor) + x, last_factor)


class _State:
    """What the bytes of rows up to a place leave: three numbers, and two pairs of numbers, for each row.

    NumPy's calls take as long as the arithmetic, so numbers that are treated alike are in one array.
    """

    def __init__(self, count: int) -> None:
        self.numbers = np.zeros((3, count), _WORD)
        """x, y and z."""
        self.first = np.zeros((2, count), _WORD)
        """The first number of v and of w."""
        self.last = np.zeros((2, count), _WORD)
        """The second number of v and of w."""
        self._words = np.zeros((8, count), _WORD)
        self._spare = np.zeros((3, count), _WORD)
        self._turned = np.zeros((2, count), _WORD)
        self._bits = np.repeat(np.array([[37], [42], [33]], _WORD), count, axis=1)  # faster than if it is broadcast
        self._other_bits = 64 - self._bits

    def stir(self, rows: Array, at: int, factor: Array, weight: Array) -> None:
        """Add the next 64 bytes."""
        words, spare, turned, first, last = self._words, self._spare, self._turned, self.first, self.last
        np.copyto(words, np.ndarray(words.shape, _WORD, rows, at, (_WORD.itemsize, rows.shape[1])))
        x, y, z = self.numbers
        (v0, w0), (v1, w1) = first, last
        x += y
        x += v0
        x += words[1]
        y += v1
        y += words[6]
        z += w0
        _rotate(self.numbers, self._bits, self._other_bits, spare, self.numbers)
        np.multiply(self.numbers, factor, out=self.numbers)
        x ^= np.multiply(w1, weight, out=spare[0])
        y += np.multiply(v0, weight, out=spare[0])
        y += words[5]
        np.multiply(v1, factor, out=v0)
        np.add(x, w0, out=v1)
        np.add(z, w1, out=w0)
        np.add(y, words[2], out=w1)
        first += words[0::4]
        last += first
        last += words[3::4]
        _rotate(last, _BITS_21, _BITS_43, turned, last)
        last += first
        first += words[1::4]
        first += words[2::4]
        last += _rotate(first, _BITS_44, _BITS_20, spare[:2], turned)
        first += words[3::4]
        self.numbers = self.numbers[::-1]


def _rotate(x: Array, bits: Array, other_bits: Array, spare: Array, result: Array) -> Array:
    """Rotate to the right; `other_bits` are the rest of 64."""
    np.left_shift(x, other_bits, out=spare)
    np.right_shift(x, bits, out=result)
    return np.bitwise_or(result, spare, out=result)
