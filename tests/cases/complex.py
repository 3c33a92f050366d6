"""Cases of `ops/complex.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import COMPLEX, SPECIAL, sample, values

OPERATIONS = ("Real", "Imag", "ComplexAbs", "Angle")
PART = {"complex64": "float", "complex128": "double"}
CORNERS = (0, complex(0, -0.0), -1, complex(-1, -0.0), 1j, -1j, complex(np.nan, 1))
AT_INFINITY = "It is 0, TensorFlow gives nan."


def parts(op: str) -> Iterator[Case]:
    """Both types, every shape, special values, and the wrong type of parts."""
    for dtype in COMPLEX:
        for shape in ((2, 3), (), (0, 2)):
            yield Case(op, (sample(dtype, shape),), {"Tout": PART[dtype]})
        yield Case(op, (values(dtype, *CORNERS),), {"Tout": PART[dtype]}, smooth=False)
        infinite = values(dtype, complex(np.inf, 1))
        differs = AT_INFINITY if op == "Angle" else ""
        yield Case(op, (infinite,), {"Tout": PART[dtype]}, smooth=False, gradient_differs=differs)
    yield Case(op, (values("complex128", complex(1e200, 1e200)),), {"Tout": "double"}, smooth=False)
    yield Case(op, (sample("complex64", (2,)),), {"Tout": "double"}, fails=True)
    yield Case(op, (sample("complex128", (2,)),), {"Tout": "float"}, fails=True)


def from_parts() -> Iterator[Case]:
    """Complex numbers from parts that broadcast, that are special, or of the wrong type."""
    for part, whole in (("float", "complex64"), ("double", "complex128")):
        for a, b in (((2, 3), (2, 3)), ((), ()), ((2, 1), (3,)), ((0, 2), (1,))):
            yield Case("Complex", (sample(part, a), sample(part, b, seed=1)), {"Tout": whole})
        yield Case("Complex", (values(part, *SPECIAL), values(part, *SPECIAL[::-1])), {"Tout": whole}, smooth=False)
    yield Case("Complex", (sample("float", (2,)), sample("float", (3,))), {"Tout": "complex64"}, fails=True)
    yield Case("Complex", (sample("float", (2,)), sample("float", (2,))), {"Tout": "complex128"}, fails=True)
    yield Case("Complex", (sample("double", (2,)), sample("double", (2,))), {"Tout": "complex64"}, fails=True)


CASES: list[Case] = [
    *from_parts(),
    *[case for op in OPERATIONS for case in parts(op)],
    *(Case("Conj", (sample(dtype, shape),)) for dtype in COMPLEX for shape in ((2, 3), (), (0, 2))),
]
