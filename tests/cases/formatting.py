"""Cases of `ops/formatting.yaml`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, INTEGRAL, SPECIAL, sample, strings, values

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
    for dtype, least in (("float", -1e-45), ("double", 5e-324)):
        yield Case(op, (values(dtype, least),), {"shortest": True}, differs="Subnormal numbers are not zero.")
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


def templates() -> Iterator[Case]:
    """Every type; long axes, many axes and empty ones; placeholders, and as many of them as there are arrays or not."""
    op, whole = "StringFormat", {"summarize": -1}
    for dtype in (*FLOATING, *INTEGRAL, "bool"):
        yield Case(op, ((sample(dtype, (2, 2)),),))
    for dtype in FLOATING:
        yield Case(op, ((values(dtype, 0, -0.0, 1 / 3, 0.00012345678, 65504, *SPECIAL, -np.nan),),), whole)
    yield from (Case(op, ((values(dtype, *NUMBERS, 1e6, 1e-37),),), whole) for dtype in ("float", "double"))
    for dtype in INTEGRAL:
        info = np.iinfo(dtype)
        yield Case(op, ((values(dtype, info.min, 0, info.max), values(dtype, 7)[0]),), {"template": "%s %s"})
    yield Case(op, ((values("double", 1e300, 0.1 + 0.2, 2**53, np.finfo(float).max),),), whole)
    yield Case(op, ((values("float", np.finfo(np.float32).max, 16777217, 9999995),),), whole)
    yield Case(
        op,
        ((strings("a", "", "b'\"\\\n\r\t\x00\x1f\x7f", "é☃"), np.array(b"\xffa\xc3", object)),),
        {"template": "%s%s"},
    )
    for shape in ((2, 3, 4), (7,), (6,), (1, 8, 1), (8, 8), (2, 2, 2, 2, 2), (3, 0), (0, 3), (1, 2, 0), (0,), ()):
        for summarize in (-2, 0, 1, 3):
            yield Case(op, ((np.arange(math.prod(shape), dtype=np.int32).reshape(shape),),), {"summarize": summarize})
    yield Case(op, ((strings(*"abcdefgh"), np.ones((1, 9), bool)),), {"template": "%s and %s", "summarize": 2})
    one, two = np.int32(1), np.int32(2)
    for inputs, template, placeholder in (
        ((one, two), "{} of {}.", "{}"),
        ((one, two), "100%{}é%s{}", "{}"),
        ((one,), "aaa", "aa"),
        ((one, strings("%s", "x")), "%s%d%%%s", "%s"),
        ((), "no array", "%s"),
        ((), "", "%s"),
    ):
        yield Case(op, (inputs,), {"template": template, "placeholder": placeholder})
    for inputs, template in (((), "%s"), ((one,), ""), ((one, two), "%s"), ((one,), "%s%s")):
        yield Case(op, (inputs,), {"template": template}, fails=True)
    yield Case(op, ((one,),), {"template": "ab", "placeholder": ""}, fails=True, differs="It is refused.")
    for dtype in COMPLEX:
        for shape in ((2, 2), ()):
            yield Case(op, ((sample(dtype, shape),),), differs="Complex numbers are written.")
    for dtype, least in (("float", 1e-45), ("double", 5e-324)):
        yield Case(op, ((values(dtype, least),),), differs="Subnormal numbers are not zero.")
    yield Case(op, ((np.zeros((2, 0), bool),),), differs="It is written as arrays of other types.")


CASES: list[Case] = [*strings_of_numbers(), *templates()]
