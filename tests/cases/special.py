"""Cases of `ops/special.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import FLOATING, sample, values
from support.sweeps import unary

POLES = (0, -0.0, -1, -2, -0.5, -2.5, 1, 2, 1e-3, 30, np.inf, -np.inf, np.nan)


CASES: list[Case] = [
    *unary("Erf", ("bfloat16", "half", "float"), special=("bfloat16", "half", "float")),
    *unary("Erf", ("double",), special=()),
    Case("Erf", (values("double", np.inf, -np.inf),), smooth=False, differs="It is 1 and -1; TensorFlow gives nan."),
    Case("Erf", (values("double", np.nan, 0, -0.0, 1, 6, 30),), smooth=False),
    *unary("Erfc", FLOATING, -2, 2),
    *(Case(op, (sample(dtype, (2, 3), 0.5),)) for op in ("Lgamma", "Digamma") for dtype in FLOATING),
    *(
        Case(op, (sample("double", shape, 0.5),))
        for op in ("Lgamma", "Digamma")
        for shape in ((), (0,), (2, 0, 3), (2, 1, 2))
    ),
    *(Case(op, (values("double", -0.5, -1.3, -2.6),)) for op in ("Lgamma", "Digamma")),
    *(
        Case(op, (values(dtype, *POLES),), smooth=False)
        for op in ("Lgamma", "Digamma")
        for dtype in ("float", "double")
    ),
    *(
        Case("Lgamma", (values("double", zero + step, zero - step),), rtol=2e-15)
        for zero in (1, 2)
        for step in (0.3, 1e-2, 1e-5, 1e-10)
    ),
    *(Case("Polygamma", (values(dtype, 0, 1, 2, 3), sample(dtype, (2, 4), 0.5))) for dtype in ("float", "double")),
    Case("Polygamma", (np.float64(1), values("double", 0.3, 1, 5))),
    Case("Polygamma", (values("double", -1, 0.5, 2), np.float64(1)), smooth=False),
    Case("Polygamma", (np.float64(1), values("double", 1e-3, 30, -0.5)), smooth=False),
    *(
        Case("Polygamma", (np.float64(order), values("double", 0, -0.0, -1, -2, -1.5, -np.inf, np.inf)), smooth=False)
        for order in (0, 1, 2, 3, 4)
    ),
    Case("Polygamma", (sample("float", (2,)), sample("float", (3,))), fails=True),
]


def inverses() -> Iterator[Case]:
    """Inside of the domain, at its ends, and beyond."""
    for dtype in FLOATING:
        yield Case("Erfinv", (sample(dtype, (2, 3), -0.9, 0.9, gap=0.1),))
        yield Case("Ndtri", (sample(dtype, (2, 3), 0.05, 0.95),))
    for dtype in ("float", "double"):
        yield Case("Erfinv", (values(dtype, -1, 1, 0, -0.0, 1.5, -2, np.inf, np.nan),), smooth=False)
        yield Case("Ndtri", (values(dtype, 0, 1, 1e-30, 0.999, -1, 2, np.inf, np.nan),), smooth=False)
    yield Case("Erfinv", (values("double", 0.999, -0.99999),), smooth=False)
    small = values("double", 1e-10, -1e-200)
    yield Case("Erfinv", (small,), smooth=False, differs="TensorFlow loses the digits of very small numbers.")


def incomplete_gammas() -> Iterator[Case]:
    """Left and right of the mean, at the limits, and outside of the domain."""
    a, x = values("double", 0.3, 1, 2.5, 20)[:, None], values("double", 0.1, 1.5, 4, 30)
    edges = np.meshgrid([0, 0.5, 2, -1, np.inf, np.nan], [0, 1, -1, np.inf, -np.inf, np.nan])
    for op in ("Igamma", "Igammac", "IgammaGradA"):
        for dtype in FLOATING if op != "IgammaGradA" else ("float", "double"):
            yield Case(op, (sample(dtype, (2, 1), 0.5, 6), sample(dtype, (3,), 0.5, 6, seed=1)))
        yield Case(op, (a, x))
        yield Case(op, (np.float64(2), sample("double", (0, 3))))
        yield Case(op, tuple(edge.astype(np.float64) for edge in edges), smooth=False)
        yield Case(op, (sample("float", (2,)), sample("float", (3,))), fails=True)
    tails = values("double", 620, 750, 1160, 1500)
    yield Case("IgammaGradA", (np.float64(1000), tails), smooth=False, rtol=1e-11)
    yield Case("IgammaGradA", (np.float64(10000), 8 * (tails + 250)), smooth=False, rtol=1e-10)


def beta_and_zeta() -> Iterator[Case]:
    """Scalars beside arrays, limits, poles."""
    for dtype in ("float", "double"):
        shapes = [sample(dtype, (2, 3), 0.5, 6, seed=seed) for seed in (0, 1)]
        yield Case("Betainc", (*shapes, sample(dtype, (2, 3), 0.05, 0.95, seed=2)))
        yield Case("Zeta", (sample(dtype, (2, 1), 1.5, 6), sample(dtype, (3,), 0.5, 6, seed=1)))
    yield Case("Zeta", (sample("double", (), 1.5, 6), sample("double", (0, 3))))
    yield Case("Betainc", (np.float64(2), values("double", 0.5, 3), np.float64(0.3)))
    yield Case("Betainc", (np.float64(2), np.float64(3), np.float64(0.4)))
    yield Case("Betainc", (values("double", 2), values("double", 0.5, 3), np.float64(0.3)), fails=True)
    ends = np.meshgrid([0, 0.5, 2, -1, np.inf, np.nan], [0.5, 3], [0, 1, 0.5, -0.5, 1.5, np.nan])
    yield Case("Betainc", tuple(end.astype(np.float64) for end in ends), smooth=False)
    poles = np.meshgrid([1, 2, 3, 1.5, 0.5, -1, np.inf, np.nan], [0, 1, 2, 0.5, -1, -2, -0.5, np.inf, np.nan])
    yield Case("Zeta", tuple(pole.astype(np.float64) for pole in poles), smooth=False)
    orders, shifts = np.array([1e11, 1e17, 1e30]), np.array([0.5, 1, 1 + 2**-52, 1.5, 251, 1e30])
    yield Case("Zeta", (orders[:, None], shifts), smooth=False)
    below = values("double", 2.5, 3, 4, 5, 100, 3e38), values("double", -8.3, -20.7, -8.5, -8.3, -30.7, -8.3)
    yield Case("Zeta", below, smooth=False)
    wrong = "TensorFlow's float32 results are wrong for a `q` below -7."
    yield Case("Zeta", tuple(each.astype(np.float32) for each in below), smooth=False, differs=wrong)
    yield Case("Zeta", (sample("float", (2,)), sample("float", (3,))), fails=True)


def integrals() -> Iterator[Case]:
    """On both sides of 0 where there are two, and at limits."""
    odd = ("Dawsn", "FresnelCos", "FresnelSin")
    for dtype in FLOATING:
        yield from (Case(op, (sample(dtype, (2, 3), gap=0.1),)) for op in odd)
        yield from (Case(op, (sample(dtype, (2, 3), 0.1, 3),)) for op in ("Expint", "Spence"))
    yield Case("Spence", (values("double", 1),), smooth=False)
    yield Case("Spence", (values("float", 3e38),), smooth=False, differs="TensorFlow's result is nan.")
    for op in ("FresnelCos", "FresnelSin"):
        few = "TensorFlow's results have few digits."
        yield Case(op, (values("float", 103.9, -1000.7),), smooth=False, differs=few)
    yield Case("Expint", (values("double", -0.5, -3),), differs="It is about -0.56 and -0.013; TensorFlow gives nan.")
    yield Case("Expint", (values("double", np.inf),), smooth=False, differs="It is inf; TensorFlow gives nan.")
    for dtype in ("float", "double"):
        rounded = "TensorFlow rounds x^2 before it takes its cosine or sine, or a difference of large numbers."
        numbers = values(dtype, 0, -0.0, 1, 1e-20, 8, -9, 50, -1, np.inf, -np.inf, np.nan)
        for op in odd:
            yield Case(op, (numbers,), smooth=False, gradient_differs=rounded)
        yield Case("Spence", (numbers,), smooth=False)
        for op in odd:
            wrong = "TensorFlow's result has the wrong sign." if op == "Dawsn" else ""
            far = values(dtype, 1e30, -1e30, np.finfo(values(dtype).dtype).max)
            yield Case(op, (far,), smooth=False, differs=wrong, gradient_differs=rounded)
        yield Case("Expint", (values(dtype, 0, 1e-20, 8, 50, np.nan),), smooth=False)


CASES.extend((*integrals(), *inverses(), *incomplete_gammas(), *beta_and_zeta()))
