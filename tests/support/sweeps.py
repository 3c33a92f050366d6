"""Cases that many operations share: every element type, every kind of broadcasting, special and extreme values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from support.case import Case
from support.samples import ALL, COMPLEX, FLOATING, SPECIAL, numpy_type, pairs, sample, values

EXTREME: Final = (-1e30, -1000, -100, -50, -20, -1e-3, -1e-10, 1e-10, 1e-3, 20, 50, 100, 1000, 1e30)
"""Numbers at which formulas overflow or cancel."""

BROADCAST: Final = (((), ()), ((2, 3), ()), ((2, 1), (1, 3)), ((0, 3), (3,)))
"""Pairs of shapes that broadcast."""

NOT_CONJUGATED: Final = "TensorFlow's gradient for complex numbers is not conjugated, unlike in its other operations."

NUMBERS: Final = (0, -0.0, 1, -1, 0.5, 2, np.inf, np.nan)

ARRAYS: Final[list[Any]] = [
    np.random.default_rng(7).normal(size=(2, 3)),
    np.array([np.nan, np.inf, -np.inf, -0.0, 1.0]),
    np.float64(2.5),
    np.zeros((0, 3)),
    np.array([1.5, -2.0], np.float32),
    np.array([1.5, -2.0], np.float16),
    np.array([1.5, -2.0], ml_dtypes.bfloat16),
    np.array([-128, 127], np.int8),
    np.array([-(2**15), 2**15 - 1], np.int16),
    np.array([-(2**31), 2**31 - 1], np.int32),
    np.array([-(2**63), 2**63 - 1], np.int64),
    np.array([0, 255], np.uint8),
    np.array([0, 2**16 - 1], np.uint16),
    np.array([0, 2**32 - 1], np.uint32),
    np.array([0, 2**64 - 1], np.uint64),
    np.array([1 + 2j, -3j], np.complex64),
    np.array([[1 + 2j], [-3j]], np.complex128),
    np.array([True, False]),
    np.array([b"left", b"", b"\xff\x00"], object),
]

"""An array of every element type, and floating-point numbers that are not finite."""


def is_smooth(x: Any) -> bool:
    """Whether finite differences apply at `x`."""
    return bool(np.isfinite(x).all()) if x.dtype == np.float64 else True


def of_every_type(*shape: int) -> list[NDArray[Any]]:
    """An array of this shape of every element type."""
    size = int(np.prod(shape))
    numbers = [np.arange(size).reshape(shape).astype(dtype) for dtype in map(numpy_type, ALL)]
    strings = np.array([b"s%d" % i for i in range(size)], object).reshape(shape)
    return [*numbers, strings]


def every_type(op: str, shape: Sequence[int], *rest: Any, strings: bool = True, **attrs: Any) -> list[Case]:
    """One case for each element type; the first input is an array of this shape, `rest` are the others."""
    arrays = of_every_type(*shape) if strings else of_every_type(*shape)[:-1]
    return [Case(op, (array, *rest), attrs) for array in arrays]


def unary_with_gap(op: str, dtypes: tuple[str, ...], gap: float = 0) -> Iterator[Case]:
    """An elementwise operation of one input: every dtype, then scalar, empty and special values."""
    yield from (Case(op, (sample(dtype, (2, 3), gap=gap),)) for dtype in dtypes)
    yield from (Case(op, (sample("double", shape, gap=gap),)) for shape in ((), (0,), (2, 0, 3), (2, 1, 2)))
    yield from (Case(op, (values(dtype, *SPECIAL),), smooth=False) for dtype in FLOATING)


def binary(op: str, dtypes: tuple[str, ...], low: float = -4, high: float = 4, gap: float = 0) -> Iterator[Case]:
    """A broadcasting operation: every dtype, then every kind of broadcasting, and shapes that do not fit."""

    def case(dtype: str, x: tuple[int, ...], y: tuple[int, ...], **keywords: Any) -> Case:
        integral = numpy_type(dtype).kind in "iu"
        least = max(gap, 1) if integral and gap else gap
        inputs = (sample(dtype, x, low, high, gap=least), sample(dtype, y, low, high, gap=least, seed=1))
        return Case(op, inputs, **keywords)

    yield from (case(dtype, (2, 3), (3,)) for dtype in dtypes)
    for x, y in (
        ((), ()),
        ((2, 3), ()),
        ((), (3,)),
        ((2, 1), (1, 3)),
        ((2, 1, 2), (3, 1)),
        ((0, 3), (3,)),
        ((1, 0), (2, 1)),
        ((2, 2), (2, 2)),
    ):
        yield case("double", x, y)
    yield case("float", (2, 3), (2,), fails=True)


def unary(
    op: str, dtypes: tuple[str, ...], low: float = -4, high: float = 4, special: tuple[str, ...] = FLOATING
) -> Iterator[Case]:
    """Every dtype, then scalar and empty arrays, special and extreme values."""
    yield from (Case(op, (sample(dtype, (2, 3), low, high),)) for dtype in dtypes)
    yield from (Case(op, (sample("double", shape, low, high),)) for shape in ((), (0,), (2, 0, 3), (2, 1, 2)))
    yield from (Case(op, (values(dtype, *SPECIAL),), smooth=False) for dtype in special)
    yield from (Case(op, (values(dtype, *EXTREME),), smooth=False) for dtype in ("float", "double"))


def inexact_binary(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """Every dtype, broadcasting, and pairs of special values."""

    def inputs(dtype: str, x: tuple[int, ...], y: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        return sample(dtype, x, 0.2, 3), sample(dtype, y, 0.2, 3, seed=1)

    for dtype in dtypes:
        yield Case(op, inputs(dtype, (2, 3), (3,)), gradient_differs=NOT_CONJUGATED if dtype in COMPLEX else "")
    for x, y in (((), ()), ((2, 1), (1, 3)), ((0, 2), (1, 2)), ((), (2,))):
        yield Case(op, inputs("double", x, y))
    for dtype in ("float", "double"):
        yield Case(op, pairs(dtype, NUMBERS), smooth=False)
    yield Case(op, (sample("float", (2,)), sample("float", (3,))), fails=True)


def gradient(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """The gradient of another operation, from two arrays of one shape."""

    def inputs(dtype: str, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        return sample(dtype, shape, 0.3, 2), sample(dtype, shape, -3, 3, seed=1)

    yield from (Case(op, inputs(dtype, (2, 3))) for dtype in dtypes)
    yield from (Case(op, inputs("double", shape)) for shape in ((), (0, 2), (2, 1, 2)))
    yield Case(op, (values("float", 0, 0, 1, -1, np.inf, np.nan), values("float", 0, 1, np.inf, 0, 0, 0)), smooth=False)
    yield Case(op, (sample("float", (2,)), sample("float", (3,))), fails=True)


def complex_extremes(op: str, *numbers: complex, **options: Any) -> Iterator[Case]:
    """Complex numbers at which plain formulas overflow, cancel or divide by infinity."""
    yield from (Case(op, (values(dtype, *numbers),), smooth=False, **options) for dtype in COMPLEX)
