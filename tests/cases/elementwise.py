"""Cases of `ops/elementwise.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import COMPLEX, FLOATING, SPECIAL, sample, values

INEXACT = (*FLOATING, *COMPLEX)
EXTREME = (-1e30, -1000, -100, -50, -20, -1e-3, -1e-10, 1e-10, 1e-3, 20, 50, 100, 1000, 1e30)

TAN_DIFFERS = "Where the cosine overflows, it is 0; TensorFlow's is 0 or nan, depending on the place in the array."
COMPLEX_EXTREMES = {
    "Sigmoid": (-800 + 1j, -100 - 2j, -1e30 + 1j, complex(-np.inf, 1), 800 + 1j, 1e30 - 1j, 0.5 + 3j),
    "Log1p": (1e-17 + 1e-17j, 1e-30 - 1e-20j, -1e-12 + 1e-5j, 0, 0.25 - 0.25j, -0.75 + 0.1j, 1e10 + 1e10j),
    "Rsqrt": (*(complex(a, b) for a in (-np.inf, -1, 0, np.inf) for b in (-np.inf, np.inf)), complex(np.inf, 1)),
    "Tan": (1000 + 1000j, -1000 - 1000j, 3 + 1000j, 0.5 - 20j, 1e30 + 1e3j),
    "Tanh": (1000 + 1000j, -1000 - 1000j, 1000 + 3j, -20 + 0.5j),
}
"""Complex numbers at which plain formulas overflow, cancel or divide by infinity."""


def unary(
    op: str, dtypes: tuple[str, ...], low: float = -4, high: float = 4, special: tuple[str, ...] = FLOATING
) -> Iterator[Case]:
    """Every dtype, then scalar and empty arrays, special and extreme values."""
    yield from (Case(op, (sample(dtype, (2, 3), low, high),)) for dtype in dtypes)
    yield from (Case(op, (sample("double", shape, low, high),)) for shape in ((), (0,), (2, 0, 3), (2, 1, 2)))
    yield from (Case(op, (values(dtype, *SPECIAL),), smooth=False) for dtype in special)
    yield from (Case(op, (values(dtype, *EXTREME),), smooth=False) for dtype in ("float", "double"))


def gradient(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """The gradient of another operation, from two arrays of one shape."""

    def inputs(dtype: str, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        return sample(dtype, shape, 0.3, 2), sample(dtype, shape, -3, 3, seed=1)

    yield from (Case(op, inputs(dtype, (2, 3))) for dtype in dtypes)
    yield from (Case(op, inputs("double", shape)) for shape in ((), (0, 2), (2, 1, 2)))
    yield Case(op, (values("float", 0, 0, 1, -1, np.inf, np.nan), values("float", 0, 1, np.inf, 0, 0, 0)), smooth=False)
    yield Case(op, (sample("float", (2,)), sample("float", (3,))), fails=True)


CASES: list[Case] = [
    *(case for op in ("Floor", "Ceil") for case in unary(op, FLOATING)),
    *unary("Round", FLOATING),
    *(Case("Round", (values(dtype, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1.2, -1.7),)) for dtype in FLOATING),
    *(
        Case("Round", (values(dtype, 1, -2, 7),), differs="Integers are whole already; TensorFlow returns zeros.")
        for dtype in ("int32", "int64")
    ),
    *(Case("Round", (sample(dtype, (3,)),)) for dtype in ("int8", "int16", *COMPLEX)),
    *(Case("Conj", (sample(dtype, shape),)) for dtype in COMPLEX for shape in ((2, 3), (), (0, 2))),
    *unary("Exp", INEXACT),
    *unary("Expm1", INEXACT),
    *unary("Log", INEXACT, low=0.2),
    *unary("Log1p", INEXACT, low=-0.7),
    *unary("Sqrt", INEXACT, low=0.2),
    *unary("Rsqrt", INEXACT, low=0.2),
    *(Case(op, (values("complex128", -1, 1j, -1j, -2 + 1e-3j),), smooth=False) for op in ("Sqrt", "Rsqrt", "Log")),
    *unary("Sin", INEXACT),
    *unary("Cos", INEXACT),
    *unary("Tan", INEXACT, low=-1.4, high=1.4),
    *unary("Tanh", INEXACT),
    *unary("Sigmoid", INEXACT),
    *(
        Case(op, (values(dtype, *numbers),), smooth=False, gradient_differs=TAN_DIFFERS if op == "Tan" else "")
        for op, numbers in COMPLEX_EXTREMES.items()
        for dtype in COMPLEX
    ),
    *(
        Case("RsqrtGrad", (values(dtype, large), values(dtype, small)), smooth=False)
        for dtype, large, small in (("float", 9e18, 4.7e-38), ("double", 1e153, 1e-300))
    ),
    *(Case("SigmoidGrad", (values(dtype, 2, 0), values(dtype, 1e30, 1e30)), smooth=False) for dtype in FLOATING[2:]),
    *unary("Softplus", FLOATING),
    *unary("Erf", ("bfloat16", "half", "float"), special=("bfloat16", "half", "float")),
    *unary("Erf", ("double",), special=()),
    Case("Erf", (values("double", np.inf, -np.inf),), smooth=False, differs="It is 1 and -1; TensorFlow gives nan."),
    Case("Erf", (values("double", np.nan, 0, -0.0, 1, 6, 30),), smooth=False),
    *(
        case
        for op in ("SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "TanhGrad", "SigmoidGrad")
        for case in gradient(op, INEXACT)
    ),
    *gradient("SoftplusGrad", FLOATING),
    Case("SoftplusGrad", (np.ones(len(EXTREME)), values("double", *EXTREME)), smooth=False),
    Case("SoftplusGrad", (sample("float", (2, 1)), sample("float", (2,))), fails=True),
]
