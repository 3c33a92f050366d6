"""Cases of `ops/complex.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import COMPLEX, sample, values

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


CASES: list[Case] = [case for op in OPERATIONS for case in parts(op)]
