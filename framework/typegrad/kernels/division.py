"""Kernels of `ops/division.yaml`. Those for many integers take them in blocks, so they run on NumPy only."""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import is_integral
from typegrad.kernels.complex import conjugated
from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.precision import widened

BLOCK: Final = 1 << 13
"""How many integers are divided at once, in the processor's cache."""


def _check_divisor(xp: Namespace, x: Array, y: Array) -> None:
    """Refuse an integer division by zero, unless nothing is divided at all."""
    if x.size and xp.any(y == 0):
        raise InvalidArgumentError("integer division by zero")


def div(xp: Namespace, x: Array, y: Array) -> Array:
    """The quotient, truncated toward zero for integers."""
    if is_integral(x):
        _check_divisor(xp, x, y)
        if _is_exact_in_floats(x, y):
            return _in_floats(lambda x, y: np.trunc(x / y), x, y)
        return xp.floor_divide(x - xp.fmod(x, y), y)
    return quotient(xp, x, y)


def _is_exact_in_floats(x: Array, y: Array) -> bool:
    """Whether integers have at most 32 bits, and are many: a processor divides floats faster.

    NumPy is fast where the divisor is one number.
    """
    return x.dtype.itemsize <= 4 and x.size >= BLOCK and y.size > 1


def _in_floats(function: Function, x: Array, y: Array) -> Array:
    """A function of integers with a whole result, computed in float64."""
    with np.nditer(
        [x, y, None],
        flags=["external_loop", "buffered"],
        op_flags=[["readonly"], ["readonly"], ["writeonly", "allocate"]],
        op_dtypes=[np.float64, np.float64, x.dtype],
        casting="unsafe",
        buffersize=BLOCK,
    ) as blocks:
        for a, b, result in blocks:
            # By int64: the lowest integer divided by -1 wraps.
            result[...] = function(a, b).astype(np.int64)
        whole: Array = blocks.operands[2]
        return whole


def quotient(xp: Namespace, x: Array, y: Array) -> Array:
    """x / y, for complex divisors up to the largest; 0 if the divisor alone is infinite."""
    if y.dtype.kind != "c":
        return xp.divide(x, y)
    infinite = xp.isinf(y) & xp.isfinite(x)
    if infinite.any():
        return xp.where(infinite, 0, quotient(xp, x, xp.where(xp.isinf(y), xp.nan, y)))
    # NumPy adds the parts of the divisor, which must not overflow.
    huge = xp.isfinite(y) & (xp.maximum(xp.abs(xp.real(y)), xp.abs(xp.imag(y))) > xp.finfo(y.dtype).max / 4)
    return xp.divide(_reduced(xp, x, huge), _reduced(xp, y, huge)) if huge.any() else xp.divide(x, y)


def _reduced(xp: Namespace, x: Array, where: Array) -> Array:
    """A quarter of some elements of x. It runs on NumPy only.

    Part by part: a factor would be a complex number, which makes nan of infinity.
    """
    x, where = (xp.array(array) for array in xp.broadcast_arrays(x, where))
    xp.real(x)[where] /= 4
    xp.imag(x)[where] /= 4
    return x


def div_no_nan(xp: Namespace, x: Array, y: Array) -> Array:
    """The quotient, 0 where the divisor is 0."""
    return xp.where(y == 0, 0, quotient(xp, x, y))


def xdivy(xp: Namespace, x: Array, y: Array) -> Array:
    """x / y, 0 where x is 0."""
    return widened(xp, lambda x, y: xp.where(x == 0, 0, quotient(xp, x, y)), x, y)


def truncate_div(xp: Namespace, x: Array, y: Array) -> Array:
    """The quotient without its fractional part."""
    if x.dtype.kind == "c":
        raise InvalidArgumentError(f"`x` is {x.dtype.name}, but a complex quotient cannot be truncated; see math.Div")
    return xp.trunc(xp.divide(x, y)) if x.dtype.kind not in "iu" else div(xp, x, y)


def floor_div(xp: Namespace, x: Array, y: Array) -> Array:
    """The largest whole number that is not above the quotient."""
    if is_integral(x):
        _check_divisor(xp, x, y)
        if _is_exact_in_floats(x, y):
            return _in_floats(lambda x, y: np.floor(x / y), x, y)
        return xp.floor_divide(x, y)
    if x.dtype.kind == "c":
        raise InvalidArgumentError(f"`x` is {x.dtype.name}, but a complex quotient has no floor; see math.Div")
    # Not floor_divide, which gives floor(1 / -inf) as -1 and differs where the quotient rounds up to a whole number.
    return xp.floor(xp.divide(x, y))


def floor_mod(xp: Namespace, x: Array, y: Array) -> Array:
    """The remainder that has the sign of the divisor."""
    if is_integral(x):
        _check_divisor(xp, x, y)
        if y.size == 1:
            return xp.subtract(x, xp.floor_divide(x, y) * y)
        if _is_exact_in_floats(x, y):
            return _in_floats(lambda x, y: x - np.floor(x / y) * y, x, y)
        return xp.remainder(x, y)
    rest = xp.fmod(x, y)
    return xp.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def truncate_mod(xp: Namespace, x: Array, y: Array) -> Array:
    """The remainder that has the sign of the dividend."""
    if is_integral(x):
        _check_divisor(xp, x, y)
    return xp.fmod(x, y)


def reciprocal(xp: Namespace, x: Array) -> Array:
    """1 / x, truncated toward zero for integers."""
    if is_integral(x):
        _check_divisor(xp, x, x)
    return quotient(xp, x.dtype.type(1), x) if x.dtype.kind == "c" else xp.reciprocal(x)


def reciprocal_grad(xp: Namespace, y: Array, dy: Array) -> Array:
    """-dy conj(y)^2; 0 where dy is 0, even where y is infinite."""
    return widened(xp, lambda y, dy: xp.where(dy == 0, 0, -dy * conjugated(xp, y * y)), y, dy)
