"""Cases of `ops/dtypes.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import (
    ALL,
    COMPLEX,
    FLOATING,
    NUMBER,
    SIGNED,
    SPECIAL,
    UNSIGNED,
    numpy_type,
    sample,
    strings,
    values,
)

FRACTIONS = (0.0, -0.0, 0.4, -0.4, 1.9, -1.9, 2.5, 100.7, -100.7)
"""Numbers that every signed type can hold."""
BEYOND = (np.nan, np.inf, -np.inf, 1e10, -1e10, 2.0**31, -(2.0**31), 2.0**63, -(2.0**63), 1e20)
UNDEFINED = "TensorFlow leaves it to the processor what a float outside the range of an integer becomes."


def rounded(dtype: str, *numbers: float) -> Array:
    """A vector of numbers; some may be too large for the type."""
    with np.errstate(over="ignore"):
        return np.array(numbers).astype(numpy_type(dtype))


def between_all() -> Iterator[Case]:
    """Every pair of types."""
    for source in (*NUMBER, "bool"):
        for target in (*NUMBER, "bool"):
            yield Case(
                "Cast",
                (sample(source, (2, 3)) if source == "bool" else sample(source, (2, 3), 0, 100),),
                {"DstT": target},
            )


def from_floats() -> Iterator[Case]:
    """Fractions, values outside the range, special values, truncation."""
    for source in FLOATING:
        x = values(source, *FRACTIONS)
        yield from (Case("Cast", (x,), {"DstT": target}) for target in SIGNED)
        yield from (Case("Cast", (np.abs(x),), {"DstT": target}) for target in UNSIGNED)
        for target in ("int32", "int64"):
            yield Case("Cast", (rounded(source, *BEYOND),), {"DstT": target}, smooth=False)
        for target in (*SIGNED[:2], *UNSIGNED):
            yield Case(
                "Cast", (rounded(source, *BEYOND, 300, -300),), {"DstT": target}, smooth=False, differs=UNDEFINED
            )
        for target in (*FLOATING, *COMPLEX, "bool"):
            yield Case("Cast", (rounded(source, *SPECIAL, 65519, 65520, 1e30),), {"DstT": target}, smooth=False)
    numbers = (1 / 3, 2 / 3, 1 + 2**-9, 1 + 2**-8, -1 / 3, 65519, 65520, np.inf, -np.inf, np.nan)
    for source, target in (
        ("double", "float"),
        ("double", "half"),
        ("float", "half"),
        ("float", "bfloat16"),
        ("half", "double"),
    ):
        yield Case("Cast", (rounded(source, *numbers),), {"DstT": target, "Truncate": True}, smooth=False)
    x = rounded("double", *numbers[:7])
    yield Case("Cast", (x + 1j * x[::-1],), {"DstT": "complex64", "Truncate": True}, smooth=False)
    yield Case(
        "Cast",
        (x,),
        {"DstT": "bfloat16", "Truncate": True},
        smooth=False,
        differs="TensorFlow ignores `Truncate` here.",
    )


def from_integers() -> Iterator[Case]:
    """Low bits, signs, rounding to floats."""
    for source in (*SIGNED, *UNSIGNED):
        limits = np.iinfo(values(source).dtype)
        x = values(source, limits.min, limits.max, limits.min + 1, limits.max - 1, 0, 1)
        yield from (Case("Cast", (x,), {"DstT": target}) for target in (*NUMBER, "bool"))


def others() -> Iterator[Case]:
    """Complex numbers, scalars, empty arrays, strings."""
    for source in COMPLEX:
        x = values(
            source, 1 + 2j, 1j, complex(np.nan, 0), complex(0, np.nan), complex(np.inf, 1), complex(1, np.inf), -3 - 1j
        )
        yield from (
            Case("Cast", (x,), {"DstT": target}, smooth=False)
            for target in (*FLOATING, *COMPLEX, "int32", "int64", "bool")
        )
    for shape in ((), (0,), (2, 0), (1, 2, 1)):
        for source, target in (
            ("double", "float"),
            ("double", "int32"),
            ("int32", "double"),
            ("complex128", "double"),
            ("double", "complex128"),
            ("double", "double"),
        ):
            yield Case("Cast", (sample(source, shape),), {"DstT": target})
    yield Case("Cast", (strings("1", "x"),), {"DstT": "string"})
    yield from (Case("Cast", (strings("1"),), {"DstT": target}, fails=True) for target in ("float", "int32", "bool"))
    yield from (
        Case("Cast", (sample(source, (1,)),), {"DstT": "string"}, fails=True) for source in ("float", "int32", "bool")
    )


FITTING: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((), "float", "int32"),
    ((), "float", "uint8"),
    ((4,), "uint8", "float"),
    ((0,), "float", "uint8"),
    ((0, 4), "uint8", "float"),
    ((2, 0, 2), "int16", "int32"),
    ((0,), "double", "double"),
    ((2, 3, 2), "float", "complex64"),
)

REFUSED: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((2, 3), "uint8", "float"),
    ((), "uint8", "float"),
    ((0,), "uint8", "float"),
    ((2,), "float", "complex128"),
    ((4, 1), "half", "double"),
)


def pairs() -> Iterator[Case]:
    """Every pair of types."""
    for source in NUMBER:
        for target in NUMBER:
            ratio = numpy_type(target).itemsize // numpy_type(source).itemsize
            shape = (2, ratio) if ratio > 1 else (2,)
            yield Case("Bitcast", (sample(source, shape, 0, 4),), {"type": target})


TRUTH = "TensorFlow refuses scalars of some types."


def truths() -> Iterator[Case]:
    """Scalars of every type, and arrays with and without elements."""
    op = "ToBool"
    for dtype in ALL:
        is_refused = dtype in ("bfloat16", "half", "uint16", "uint32", "uint64", *COMPLEX)
        for number in (0, 1):
            yield Case(op, (values(dtype, number)[0],), differs=TRUTH if is_refused else "")
        yield Case(op, (values(dtype, 0),))
    yield from (Case(op, (np.float32(number),)) for number in (np.nan, -0.0, np.inf))
    yield from (Case(op, (sample("float", shape),)) for shape in ((0,), (2, 0), (1, 1)))
    for text in ("", "a"):
        yield Case(op, (np.array(text.encode(), object),))
        yield Case(op, (strings(text),))
    yield Case(op, (strings(),))


CASES: list[Case] = [
    *between_all(),
    *from_floats(),
    *from_integers(),
    *others(),
    *pairs(),
    *(Case("Bitcast", (sample(source, shape, 0, 4),), {"type": target}) for shape, source, target in FITTING),
    *(
        Case("Bitcast", (sample(source, shape, 0, 4),), {"type": target}, fails=True)
        for shape, source, target in REFUSED
    ),
    *truths(),
]
