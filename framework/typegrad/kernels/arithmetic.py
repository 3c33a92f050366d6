"""Kernels of `ops/arithmetic.yaml`."""

from __future__ import annotations

from functools import reduce
from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.precision import widened


def add(xp: Any, x: Any, y: Any) -> Any:
    """The sum; strings are joined."""
    if x.dtype == object:
        return xp.asarray(xp.add(x, y), dtype=object)
    return xp.add(x, y)


def add_v2(xp: Any, x: Any, y: Any) -> Any:
    """The sum."""
    return xp.add(x, y)


def add_n(xp: Any, inputs: tuple[Any, ...]) -> Any:
    """The sum of arrays of one shape."""
    first = inputs[0]
    for other in inputs[1:]:
        if other.shape != first.shape:
            raise InvalidArgumentError(
                f"`inputs` must all have one shape, but have {list(first.shape)} and {list(other.shape)}"
            )
    return widened(xp, lambda *terms: reduce(xp.add, terms), *inputs)


def sub(xp: Any, x: Any, y: Any) -> Any:
    """The difference."""
    return xp.subtract(x, y)


def mul(xp: Any, x: Any, y: Any) -> Any:
    """The product."""
    return xp.multiply(x, y)


def mul_no_nan(xp: Any, x: Any, y: Any) -> Any:
    """The product, 0 where the second factor is 0."""
    return xp.where(y == 0, xp.zeros_like(x), xp.multiply(x, y))


def _is_integral(x: Any) -> bool:
    return x.dtype.kind in "iu"


def _check_divisor(xp: Any, x: Any, y: Any) -> None:
    """Refuse an integer division by zero, unless nothing is divided at all."""
    if x.size and xp.any(y == 0):
        raise InvalidArgumentError("integer division by zero")


def div(xp: Any, x: Any, y: Any) -> Any:
    """The quotient, truncated toward zero for integers."""
    if _is_integral(x):
        _check_divisor(xp, x, y)
        return xp.floor_divide(x - xp.fmod(x, y), y)
    return quotient(xp, x, y)


def quotient(xp: Any, x: Any, y: Any) -> Any:
    """x / y, for complex divisors up to the largest; 0 if the divisor alone is infinite."""
    if y.dtype.kind != "c":
        return xp.divide(x, y)
    infinite = xp.isinf(y) & xp.isfinite(x)
    if infinite.any():
        return xp.where(infinite, xp.zeros_like(y), quotient(xp, x, xp.where(xp.isinf(y), xp.nan, y)))
    # NumPy adds up the parts of the divisor, which must not overflow.
    huge = xp.isfinite(y) & (xp.maximum(xp.abs(y.real), xp.abs(y.imag)) > xp.finfo(y.dtype).max / 4)
    return xp.divide(_reduced(xp, x, huge), _reduced(xp, y, huge)) if huge.any() else xp.divide(x, y)


def _reduced(xp: Any, x: Any, where: Any) -> Any:
    """A quarter of x in some places. Part by part: a factor would be a complex number, which makes nan of infinity."""
    x, where = (xp.array(array) for array in xp.broadcast_arrays(x, where))
    x.real[where] /= 4
    x.imag[where] /= 4
    return x


def div_no_nan(xp: Any, x: Any, y: Any) -> Any:
    """The quotient, 0 where the divisor is 0."""
    return xp.where(y == 0, xp.zeros_like(x), quotient(xp, x, y))


def floor_div(xp: Any, x: Any, y: Any) -> Any:
    """The largest whole number that is not above the quotient."""
    if _is_integral(x):
        _check_divisor(xp, x, y)
        return xp.floor_divide(x, y)
    if x.dtype.kind == "c":
        raise InvalidArgumentError(f"a quotient of type {x.dtype.name} has no floor")
    # Not floor_divide, which gives floor(1 / -inf) as -1 and differs where the quotient rounds up to a whole number.
    return xp.floor(xp.divide(x, y))


def floor_mod(xp: Any, x: Any, y: Any) -> Any:
    """The remainder that has the sign of the divisor."""
    if _is_integral(x):
        _check_divisor(xp, x, y)
        return xp.remainder(x, y)
    rest = xp.fmod(x, y)
    return xp.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def neg(xp: Any, x: Any) -> Any:
    """The value with the opposite sign."""
    return xp.negative(x)


def abs(xp: Any, x: Any) -> Any:
    """The absolute value."""
    return xp.abs(x)


def sign(xp: Any, x: Any) -> Any:
    """-1, 0 or 1; for complex numbers x / |x|."""
    if x.dtype.kind == "c":
        overflows = xp.isinf(xp.abs(x)) & xp.isfinite(x)
        return xp.sign(xp.where(overflows, x / 4, x))
    return xp.sign(x)


def square(xp: Any, x: Any) -> Any:
    """The value times itself."""
    return xp.square(x)


def squared_difference(xp: Any, x: Any, y: Any) -> Any:
    """The squared magnitude of x - y."""
    difference = xp.subtract(x, y)
    if difference.dtype.kind != "c":
        return difference * difference
    # Not conj(d) d, of which NumPy rounds the imaginary part to something other than 0.
    return (xp.square(difference.real) + xp.square(difference.imag)).astype(difference.dtype)


def pow(xp: Any, x: Any, y: Any) -> Any:
    """x to the power y."""
    if _is_integral(x) and x.size and xp.any(y < 0):
        raise InvalidArgumentError(
            "integers to negative integer powers are not allowed; cast to a floating-point type first"
        )
    result = xp.power(x, y)
    if x.dtype.kind != "c":
        return result
    # NumPy makes nan of a power that overflows, even if the result is 1 over it.
    overflows = (y.real < 0) & (xp.abs(x) > 1) & ~xp.isfinite(result)
    return xp.where(overflows, xp.power(reciprocal(xp, x), -y), result) if overflows.any() else result


def reciprocal(xp: Any, x: Any) -> Any:
    """1 / x, truncated toward zero for integers."""
    if _is_integral(x):
        _check_divisor(xp, x, x)
    return quotient(xp, x.dtype.type(1), x) if x.dtype.kind == "c" else xp.reciprocal(x)


def maximum(xp: Any, x: Any, y: Any) -> Any:
    """The larger value; nan if either is nan."""
    return xp.maximum(x, y)


def minimum(xp: Any, x: Any, y: Any) -> Any:
    """The smaller value; nan if either is nan."""
    return xp.minimum(x, y)
