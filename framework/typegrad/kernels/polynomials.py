"""Functions of one variable as polynomials and their quotients, for which an array takes a few calls of NumPy.

Most have no table of coefficients: SciPy's function in float64 is interpolated at Chebyshev's points when it is first
used. The functions run on NumPy only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from typegrad.base.workers import for_each
from typegrad.kernels.namespace import Array, Function, Namespace
from typegrad.kernels.precision import widened
from typegrad.kernels.scratch import scratch

__all__ = ["FEW", "Interpolant", "Polynomial", "Quotient", "by_parts", "by_precision", "piecewise"]

PART: Final = 1 << 15
"""How many elements are computed at once: their powers stay in a cache."""
SLOW_PART: Final = 1 << 14
"""The same for slow functions: a part takes longer than it takes to wake a thread."""
FEW: Final = 1 << 9
"""Below so many elements SciPy's loops take less time than the calls of NumPy."""
_WIDTH: Final = 8
"""How many powers are computed: a longer polynomial is written as one in x to this power, by Horner's method."""
_FLOATS: Final = (np.dtype(np.float32), np.dtype(np.float64))


def _powers(x: Array, center: Array | float = 0) -> Array:
    """The powers of `x - center`, the highest one first.

    A product of coefficients with them needs fewer passes over memory than Horner's method, and adds small terms first
    as well.
    """
    powers = scratch("powers", (_WIDTH, len(x)), x.dtype)
    first, second = powers[6], powers[5]
    powers[7] = 1
    np.subtract(x, center, out=first)
    np.multiply(first, first, out=second)
    np.multiply(powers[5:7], second, out=powers[3:5])
    np.multiply(powers[4:7], powers[3], out=powers[0:3])
    return powers


@final
class Polynomial:
    """A polynomial in `x - center` by its coefficients, the constant one first."""

    def __init__(self, coefficients: Sequence[float] | Array, center: float = 0) -> None:
        """Split the coefficients into rows."""
        rows = -(-len(coefficients) // _WIDTH)
        padded = np.zeros(rows * _WIDTH)
        padded[: len(coefficients)] = coefficients
        table = padded.reshape(rows, _WIDTH)[::-1, ::-1]
        self._tables = {dtype: (table.astype(dtype, order="C"), np.array(center, dtype)) for dtype in _FLOATS}

    def __call__(self, x: Array) -> Array:
        """The values at a vector."""
        table, center = self._tables[x.dtype]
        powers = _powers(x, center)
        result: Array
        result, *rows = table @ powers
        if rows:
            power = np.square(powers[3])
            for row in rows:
                result *= power
                result += row
        return result


@final
class Interpolant:
    """A smooth function between two numbers, by the polynomial that has its values at `count` points."""

    def __init__(self, function: Callable[..., Any], low: float, high: float, count: int) -> None:
        """The function is called when the polynomial is first used."""
        self._function = function
        self._middle, self._half = (low + high) / 2, (high - low) / 2
        self._count = count

    @cached_property
    def _polynomial(self) -> Polynomial:
        # Chebyshev's polynomials are cosines, and orthogonal at these points. Whole numbers keep the angles exact.
        orders = np.arange(self._count)
        basis = np.cos(np.outer(2 * orders + 1, orders) % (4 * self._count) * (np.pi / 2 / self._count))
        points = np.cos((2 * orders + 1) * (np.pi / 2 / self._count))
        series = self._function(self._middle + self._half * points) @ basis * (2 / self._count)
        series[0] /= 2
        return Polynomial(np.polynomial.chebyshev.cheb2poly(series) / self._half**orders, self._middle)

    def __call__(self, x: Array) -> Array:
        """The values at a vector."""
        return self._polynomial(x)


@final
class Quotient:
    """A function between two numbers, by the quotient of two polynomials that has its values at so many points.

    The quotients here have positive coefficients, so that terms do not cancel, and are for float32.
    """

    def __init__(self, function: Callable[..., Any], low: float, high: float, upper: int, lower: int) -> None:
        """The polynomials have `upper` and `lower` coefficients. The function is called when they are first used."""
        self._function = function
        self._low, self._high = low, high
        self._counts = upper, lower

    @cached_property
    def _tables(self) -> Array:
        upper, lower = self._counts
        count = upper + lower - 1
        points = np.cos((2 * np.arange(count) + 1) * (np.pi / 2 / count))
        x = ((1 + points) + (1 - points) * (self._low / self._high)) / 2
        values = self._function(x * self._high)
        # upper(x) - values * (lower(x) - 1) = values, divided by the values, so that relative errors count.
        columns = np.hstack(
            [np.vander(x, upper, increasing=True) / values[:, None], -np.vander(x, lower, increasing=True)[:, 1:]]
        )
        solved = np.linalg.solve(columns, np.ones(count))
        tables = np.zeros((2, _WIDTH))
        tables[0, :upper], tables[1, 0], tables[1, 1:lower] = solved[:upper], 1, solved[upper:]
        return (tables / self._high ** np.arange(_WIDTH))[:, ::-1].astype(np.float32, order="C")

    def __call__(self, x: Array) -> Array:
        """The values at a vector."""
        above, below = self._tables @ _powers(x)
        result: Array = above / below
        return result


def by_precision(xp: Namespace, x: Array, single: Function, double: Callable[..., Any], *, few: int = FEW) -> Array:
    """`single` in float32; in float64, and of few elements, for which passes do not pay, SciPy's function `double`."""

    def function(v: Array) -> Array:
        is_single = v.dtype == np.float32 and v.size >= few
        return by_parts(xp, single, v) if is_single else double(v).astype(v.dtype, copy=False)

    return widened(xp, function, x)


def by_parts(xp: Namespace, function: Function, *arrays: Array, is_slow: bool = False) -> Array:
    """`function`, which takes vectors, of all elements of arrays of the same shape.

    Threads share the elements of a slow one. Short calls of NumPy would mostly wait for Python's lock.
    """
    vectors = [array.reshape(-1) for array in arrays]
    size, shape, part = vectors[0].size, arrays[0].shape, SLOW_PART if is_slow else PART
    if size <= part:
        result = function(*vectors)
    else:
        result = xp.empty(size, arrays[0].dtype)

        def work(start: int) -> None:
            result[start : start + part] = function(*(vector[start : start + part] for vector in vectors))

        starts = range(0, size, part)
        if is_slow:
            for_each(starts, work)
        else:
            for start in starts:
                work(start)
    # A view would make a run look for who else knows its memory.
    return result if shape == (size,) else result.reshape(shape)


def piecewise(x: Array, bounds: Sequence[float], functions: Sequence[Callable[..., Any]]) -> Array:
    """The first function of the elements below the first bound and of nan, the next one up to the next bound, ...

    A function that almost all elements need gets all of them, which takes less time than to choose.
    """
    piece = np.zeros(len(x), np.int8)
    for bound in bounds:
        piece += x >= bound
    counts = [np.count_nonzero(piece == number) for number in range(len(functions))]
    usual = next((number for number, count in enumerate(counts) if 8 * count >= 7 * len(x)), None)
    result = np.empty_like(x) if usual is None else np.asarray(functions[usual](x))
    for number, (count, function) in enumerate(zip(counts, functions, strict=True)):
        if count and number != usual:
            rows = np.flatnonzero(piece == number)
            result[rows] = function(x[rows])
    return result
