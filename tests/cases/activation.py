"""Cases of `ops/activation.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.samples import FLOATING, INEXACT, REAL, SPECIAL, sample, values
from support.sweeps import EXTREME, complex_extremes, gradient, unary

KINKS = (0, 6, 6.5, 1000, -1000, 3e4, -3e4)
TINY = (1e-3, -1e-3)
SHAPES = ((), (0,), (2, 0, 3), (2, 1, 2))
CANCELLING = {"float": 2e-4, "double": 1e-9}
"""TensorFlow computes exp(x) - 1 as written, which cancels where x is tiny: these are its relative errors."""


def activation(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """Every dtype, scalar and empty arrays, kinks and special values."""
    yield from (Case(op, (sample(dtype, (3, 4), -8, 8, gap=0.2),)) for dtype in dtypes)
    yield from (Case(op, (sample("double", shape, -8, 8, gap=0.2),)) for shape in SHAPES)
    for dtype in FLOATING:
        yield Case(op, (values(dtype, *SPECIAL),), smooth=False)
        yield Case(op, (values(dtype, *KINKS),), smooth=False)
    yield from (Case(op, (values(dtype, *TINY),), smooth=False, rtol=rtol) for dtype, rtol in CANCELLING.items())


def of_activation(op: str, dtypes: tuple[str, ...]) -> Iterator[Case]:
    """As above, with gradients to pass on, some of them special; and shapes that differ."""

    def inputs(dtype: str, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        return sample(dtype, shape, seed=1), sample(dtype, shape, -8, 8, gap=0.2)

    yield from (Case(op, inputs(dtype, (3, 4))) for dtype in dtypes)
    yield from (Case(op, inputs("double", shape)) for shape in SHAPES)
    for dtype in FLOATING:
        at = values(dtype, *SPECIAL, 6)
        yield from (Case(op, (np.full_like(at, grad), at), smooth=False) for grad in (2, np.nan, np.inf))
    yield from (
        Case(op, (sample("float", a), sample("float", b)), fails=True)
        for a, b in (((2,), (3,)), ((2, 3), (3,)), ((), (1,)))
    )


def sloped(case: Case, alpha: float) -> Case:
    """The case with another slope."""
    return Case(case.op, case.inputs, {"alpha": alpha}, smooth=case.smooth, rtol=case.rtol, fails=case.fails)


CASES: list[Case] = [
    *(case for op in ("Relu", "Relu6") for case in activation(op, REAL)),
    *(case for op in ("LeakyRelu", "Elu", "Selu") for case in activation(op, FLOATING)),
    *(sloped(case, alpha) for case in activation("LeakyRelu", FLOATING) for alpha in (0.0, 1.5, -0.3)),
    *(case for op in ("ReluGrad", "Relu6Grad") for case in of_activation(op, REAL)),
    *(case for op in ("LeakyReluGrad", "EluGrad", "SeluGrad") for case in of_activation(op, FLOATING)),
    *(sloped(case, alpha) for case in of_activation("LeakyReluGrad", ("float", "double")) for alpha in (0.0, -0.3)),
    *unary("Sigmoid", INEXACT),
    *(Case("SigmoidGrad", (values(dtype, 2, 0), values(dtype, 1e30, 1e30)), smooth=False) for dtype in FLOATING[2:]),
    *gradient("SigmoidGrad", INEXACT),
    *unary("Softplus", FLOATING),
    *(
        Case("Softplus", (values(dtype, x),), differs="TensorFlow's is e^x, or x.")
        for dtype, x in (("half", -5), ("bfloat16", 3))
    ),
    *gradient("SoftplusGrad", FLOATING),
    Case("SoftplusGrad", (np.ones(len(EXTREME)), values("double", *EXTREME)), smooth=False),
    Case("SoftplusGrad", (sample("float", (2, 1)), sample("float", (2,))), fails=True),
    *unary("Softsign", FLOATING),
    *gradient("SoftsignGrad", FLOATING),
    *complex_extremes("Sigmoid", -800 + 1j, -100 - 2j, -1e30 + 1j, complex(-np.inf, 1), 800 + 1j, 1e30 - 1j, 0.5 + 3j),
]
