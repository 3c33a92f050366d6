"""Elementwise operations. Arrays are taken in blocks, so that what lies between two calls stays in a cache."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import ml_dtypes
import numpy as np
from scipy import special

from contenders.inputs import Array

__all__ = ["FUNCTIONS"]

Work = Callable[[], Array]

BLOCK: Final = 1 << 16


def _in_blocks(call: Callable[..., object], *arrays: Array, size: int = BLOCK) -> Work:
    """A call for each block of arrays of one length; the last of them is the result."""
    starts = range(0, arrays[0].size, size)
    blocks = [tuple(array[start : start + size] for array in arrays) for start in starts]

    def work() -> Array:
        for block in blocks:
            call(*block)
        return arrays[-1]

    return work


def _scipy(function: Callable[..., Array], x: Array) -> Work:
    """One call of SciPy."""
    result = np.empty_like(x)
    return lambda: function(x, out=result)


def _sign(x: Array) -> Work:
    above, below = (np.empty(min(BLOCK, x.size), bool) for _ in range(2))

    def call(x: Array, y: Array) -> None:
        a, b = above[: x.size], below[: x.size]
        np.greater(x, 0, out=a)
        np.less(x, 0, out=b)
        np.copyto(y, np.subtract(a.view(np.int8), b.view(np.int8), out=a.view(np.int8)))

    return _in_blocks(call, x, np.empty_like(x))


def _relu(features: Array) -> Work:
    zeros = np.zeros(min(BLOCK, features.size), features.dtype)
    return _in_blocks(lambda x, y: np.maximum(x, zeros[: x.size], out=y), features, np.empty_like(features))


def _softsign(features: Array) -> Work:
    def call(x: Array, y: Array) -> None:
        np.abs(x, out=y)
        np.add(y, 1, out=y)
        np.divide(x, y, out=y)

    return _in_blocks(call, features, np.empty_like(features))


def _elu(features: Array, scales: tuple[Any, ...] = ()) -> Work:
    """With scales, one for each side of 0, of which the one of the numbers below 0 is larger."""
    below = np.full(min(BLOCK, features.size), -1e-18, features.dtype)
    spare = np.empty_like(below)

    def call(x: Array, y: Array) -> None:
        np.minimum(x, below[: x.size], out=y)
        np.expm1(y, out=y)
        np.maximum(x, y, out=y)
        if scales:
            left = np.multiply(y, scales[1], out=spare[: x.size])
            np.multiply(y, scales[0], out=y)
            np.minimum(y, left, out=y)

    return _in_blocks(call, features, np.empty_like(features))


def _rsqrt(x: Array) -> Work:
    return _in_blocks(lambda x, y: np.divide(1, np.sqrt(x, out=y), out=y), x, np.empty_like(x))


def _floor_div(x: Array, y: Array) -> Work:
    return _in_blocks(lambda x, y, z: np.floor(np.divide(x, y, out=z), out=z), x, y, np.empty_like(x))


_ERF: Final = np.array(
    [[1.1283792, 0.102769054, -1.9183187e-04, -6.1978376e-04], [8.7637025e-05, -5.668429e-06, 1.418497e-07, 0]],
    np.float32,
)
"""artanh(erf(x)) / x, in x^2."""


def _erf(x: Array) -> Work:
    """In float32, with as few passes as Horner's method has products: a matrix product adds the terms."""
    if x.dtype != np.float32:
        return _scipy(special.erf, x)
    powers, sums = np.ones((4, min(BLOCK, x.size)), x.dtype), np.empty((2, min(BLOCK, x.size)), x.dtype)

    def call(x: Array, y: Array) -> None:
        p, s = powers[:, : x.size], sums[:, : x.size]
        np.multiply(x, x, out=p[1])
        np.multiply(p[1], p[1], out=p[2])
        np.multiply(p[1], p[2], out=p[3])
        np.matmul(_ERF, p, out=s)
        np.multiply(p[2], p[2], out=y)
        np.multiply(s[1], y, out=y)
        np.add(y, s[0], out=y)
        np.multiply(y, x, out=y)
        np.tanh(y, out=y)

    return _in_blocks(call, x, np.empty_like(x))


_ERFCX: Final = np.array(
    [
        [4.55419556e-12, 0.00720639015, 0.066642493, 0.313667446, 0.90588218, 1.66903436, 1.86098385, 1],
        [0.012772995, 0.118120722, 0.562347889, 1.66469097, 3.22990847, 4.04216003, 2.98936415, 1],
    ],
    np.float32,
)
"""The numerator and the denominator of erfc(x) exp(x^2) for an x above 0, in the powers of x from the seventh on."""


def _erfc(x: Array) -> Work:
    """In float32, with as few passes as the accuracy of a few units in the last place allows.

    The square of a number of 12 digits is exact, so that exp(-x^2) is computed from the two parts of x^2.
    """
    if x.dtype != np.float32 or x.size < BLOCK:
        return _scipy(special.erfc, x)
    size = BLOCK // 4
    powers, sums, parts = np.ones((8, size), x.dtype), np.empty((2, size), x.dtype), np.empty((2, size), x.dtype)
    digits, sign, one = (np.array(bits, np.int32) for bits in (-1 << 12, -1 << 31, np.float32(1).view(np.int32)))

    def call(x: Array, y: Array) -> None:
        p, s, (near, rest) = powers[:, : x.size], sums[:, : x.size], parts[:, : x.size]
        absolute = np.abs(x, out=p[6])
        np.multiply(x, x, out=p[5])
        np.multiply(p[5:7], p[5], out=p[3:5])
        np.multiply(p[4:7], p[3], out=p[:3])
        np.matmul(_ERFCX, p, out=s)
        np.divide(s[0], s[1], out=y)
        np.bitwise_and(absolute.view(np.int32), digits, out=near.view(np.int32))
        np.subtract(near, absolute, out=rest)
        np.add(near, absolute, out=s[0])
        np.multiply(rest, s[0], out=rest)
        np.multiply(y, np.exp(rest, out=rest), out=y)
        np.multiply(near, near, out=near)
        np.multiply(y, np.exp(np.negative(near, out=near), out=near), out=y)
        bits = near.view(np.int32)
        np.bitwise_or(np.bitwise_and(x.view(np.int32), sign, out=bits), one, out=bits)
        np.multiply(y, near, out=y)
        np.add(y, np.subtract(1, near, out=near), out=y)

    return _in_blocks(call, x, np.empty_like(x), size=size)


def _cast(x: Array, DstT: str) -> Work:  # noqa: N803  # TensorFlow's name
    if DstT == "half":
        return _to_half(x)
    if x.dtype == np.float16:
        return _from_half(x, np.empty(x.shape, np.float32))
    result = np.empty(x.shape, ml_dtypes.bfloat16 if DstT == "bfloat16" else DstT)
    return _in_blocks(partial(_copy, is_bool=DstT == "bool"), x, result)


def _copy(x: Array, y: Array, *, is_bool: bool) -> None:
    if is_bool:
        np.not_equal(x, 0, out=y)
    else:
        np.copyto(y, x, casting="unsafe")


def _to_half(x: Array) -> Work:
    """By integers: NumPy converts one number after the other.

    A power of 2 that is added rounds to the digits of a half.
    """
    size = min(BLOCK, x.size)
    least = np.full(size, 113 << 23, np.int32)
    exponents, spare, sizes = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.float32)

    def call(x: Array, y: Array) -> None:
        exponent, rounded = exponents[: x.size], spare[: x.size]
        np.bitwise_and(x.view(np.int32), 0x7F800000, out=exponent)
        np.maximum(exponent, least[: x.size], out=exponent)
        np.add(exponent, 13 << 23, out=rounded)
        floats = rounded.view(np.float32)
        np.add(floats, np.abs(x, out=sizes[: x.size]), out=floats)
        np.subtract(exponent, 113 << 23, out=exponent)
        np.right_shift(exponent, 13, out=exponent)
        np.add(rounded, exponent, out=rounded)
        bits = y.view(np.int16)
        np.copyto(bits, rounded, casting="unsafe")
        np.bitwise_or(bits, x.view(np.int16)[1::2] & np.int16(-32768), out=bits)

    return _in_blocks(call, x, np.empty(x.shape, np.float16))


def _from_half(x: Array, result: Array) -> Work:
    """Finite halves by their bits, which in their new places are a float times a power of 2."""

    def call(x: Array, y: Array) -> None:
        bits = y.view(np.int32)
        np.copyto(bits, x.view(np.int16))
        np.left_shift(bits, 13, out=bits)
        np.bitwise_and(bits, -0x70002000, out=bits)
        np.multiply(y, np.float32(2.0**112), out=y)

    return _in_blocks(call, x, result)


FUNCTIONS: Final[dict[str, Callable[..., Work]]] = {
    "Sign": _sign,
    "Relu": _relu,
    "Softsign": _softsign,
    "Elu": _elu,
    "Selu": partial(_elu, scales=(np.float32(1.0507009873554805), np.float32(1.7580993408473769))),
    "Rsqrt": _rsqrt,
    "FloorDiv": _floor_div,
    "Erf": _erf,
    "Erfc": _erfc,
    "BesselI0e": partial(_scipy, special.i0e),
    "BesselI1e": partial(_scipy, special.i1e),
    "BesselJ0": partial(_scipy, special.j0),
    "BesselJ1": partial(_scipy, special.j1),
    "BesselK0e": partial(_scipy, special.k0e),
    "BesselK1e": partial(_scipy, special.k1e),
    "BesselY1": partial(_scipy, special.y1),
    "Expint": partial(_scipy, special.expi),
    "Cast": _cast,
}
"""For each operation, a function of its inputs and attributes that returns what computes the result."""
