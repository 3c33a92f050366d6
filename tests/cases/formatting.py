"""Cases of `ops/formatting.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, INTEGRAL, sample, strings, values

NUMBERS = (1.5, -2.25, 1e10, 1e-7, 0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 123456.789)
FLOATS: tuple[dict[str, Any], ...] = (
    {"precision": 2},
    {"precision": 0, "scientific": True},
    {"scientific": True, "width": 14, "fill": "0"},
    {"shortest": True},
    {"shortest": True, "precision": 3, "width": 9, "fill": "-"},
    {"shortest": True, "width": 10, "fill": "0"},
    {"shortest": True, "fill": "#"},
    {"width": 12, "fill": "+"},
    {"width": 9},
    {"fill": " "},
    {"precision": -5, "width": -5},
    {"width": 0, "fill": "0"},
)
FILLS = ("", "0", "-", "+", "#", " ")


def strings_of_numbers() -> Iterator[Case]:
    """Every type and format, what has no number, and formats that do not exist."""
    op = "AsString"
    for dtype in (*FLOATING, *COMPLEX):
        yield Case(op, (sample(dtype, (2, 2)),))
        yield Case(op, (sample(dtype, (2,)),), {"shortest": True, "width": 9})
    yield from (Case(op, (values("float", *NUMBERS),), attrs) for attrs in FLOATS)
    yield Case(op, (values("double", 1e300, 5e-324, 0.1),), {"precision": 17})
    yield Case(op, (np.array([1 - 2j, complex(np.nan, -np.inf)]),), {"width": 6, "fill": "0"})
    for dtype in INTEGRAL:
        yield Case(op, (values(dtype, 0, 127),), {"width": 5})
    for dtype in ("int16", "uint16"):
        number = values(dtype, 5) if dtype == "uint16" else values(dtype, 5, -5)
        yield from (Case(op, (number,), {"fill": fill, "width": width}) for fill in FILLS for width in (-1, 5))
    yield from (Case(op, (np.array([True, False]),), attrs) for attrs in ({}, {"width": 8, "fill": "0"}))
    for attrs in ({}, {"width": 4}, {"width": 4, "fill": "0"}, {"width": 4, "fill": "-"}, {"shortest": True}):
        yield Case(op, (strings("ab", ""),), attrs)
    for width in (-1, 0, 1, 4):
        yield Case(op, (strings("abc", ""),), {"width": width, "precision": 2})
    yield from (Case(op, (sample("float", shape),)) for shape in ((), (0, 2)))
    for dtype in ("int32", "bool"):
        for attrs in ({"precision": 2}, {"scientific": True}, {"shortest": True}):
            yield Case(op, (sample(dtype, (2,)),), attrs, fails=True)
    for wrong in ({"fill": "x"}, {"fill": "00"}, {"scientific": True, "shortest": True}):
        yield Case(op, (values("float", 1),), wrong, fails=True)


CASES: list[Case] = [*strings_of_numbers()]
