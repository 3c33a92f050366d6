"""Cases of `ops/random_distributions.yaml`: what is drawn from a seed or a key is TensorFlow's.

Samples are not smooth functions of the parameters, as rejection makes them jump, so no case is checked by differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from cases.stateless_random import COUNTER, KEY, PHILOX
from support.case import Case
from support.recording import Array
from support.samples import sample, values

SEED: Final = values("int32", 3, -4)
NARROW: Final = ("half", "float", "double")
OUTPUTS: Final = (*NARROW, "int32", "int64")
ROUNDED: Final = {"half": 2e-3, "float": 5e-7, "double": 5e-15}
"""Where several rounded functions are in a row."""


def sizes(*numbers: int) -> Array:
    """A shape."""
    return values("int32", *numbers)


def bad_seeds(op: str, before: tuple[Any, ...], after: tuple[Any, ...], attrs: dict[str, Any]) -> Iterator[Case]:
    """Seeds of another type, and what is no seed."""
    yield Case(op, (*before, values("int64", -1, 2**40), *after), attrs, smooth=False, rtol=5e-7)
    for seed in (values("int32", 1, 2, 3), np.int32(1)):
        yield Case(op, (*before, seed, *after), attrs, fails=True)


def multinomial() -> Iterator[Case]:
    """Every type, no rows, no samples, and what is not a distribution."""
    op, count = "StatelessMultinomial", np.int32(5)
    for dtype in (*NARROW, "bfloat16", "int32", "uint8"):
        yield Case(op, (sample(dtype, (3, 4), 0), count, SEED))
    yield Case(op, (sample("float", (3, 4)), count, SEED), {"output_dtype": "int32"})
    yield Case(op, (sample("double", (0, 3)), count, SEED))
    yield Case(op, (sample("double", (2, 3)), np.int32(0), SEED))
    yield Case(op, (values("double", 0, -np.inf, np.nan, np.inf, 1)[None], count, SEED))
    nothing = values("float", -np.inf, -np.inf)[None]
    yield Case(op, (nothing, count, SEED), fails=True, differs="there is no class to draw")
    for logits in (sample("double", (3,)), sample("double", (2, 0))):
        yield Case(op, (logits, count, SEED), fails=True)
    yield Case(op, (sample("double", (2, 3)), np.int32(-1), SEED), fails=True)
    yield from bad_seeds(op, (sample("double", (2, 3)), count), (), {})


def binomial() -> Iterator[Case]:
    """Both methods and their mirror images, limits of the parameters, and every pair of types."""
    op = "StatelessRandomBinomial"
    counts, probs = (0, 1, 5.5, 25, 1000), (-1, 0, 0.01, 0.3, 0.5, 0.75, 0.99, 1, 2)
    for dtype in NARROW:
        yield Case(op, (sizes(2, 5, 9), SEED, values(dtype, *counts)[:, None], values(dtype, *probs)), smooth=False)
    for output in OUTPUTS:
        yield Case(op, (sizes(7), SEED, np.float32(100), np.float32(0.4)), {"dtype": output})
        yield Case(op, (sizes(2), SEED, np.float32(3), np.float32(np.nan)), {"dtype": output})
    yield Case(op, (sizes(3), SEED, np.int32(3), np.int32(1)))
    yield Case(op, (sizes(2, 0), SEED, np.zeros(0), np.float64(0.5)))
    yield Case(op, (sizes(0, 2), SEED, np.ones(2), np.float64(0.5)))
    yield Case(op, (sizes(3), SEED, np.ones(2), np.float64(0.5)), fails=True)
    yield Case(op, (sizes(), SEED, np.ones(2), np.float64(0.5)), fails=True)
    yield Case(op, (sizes(3), SEED, np.ones(2), np.ones(3)), fails=True)
    yield from bad_seeds(op, (sizes(4),), (np.float64(20), np.float64(0.4)), {})


def poisson() -> Iterator[Case]:
    """Both methods, rates below 0, and every pair of types."""
    op, rates = "StatelessRandomPoisson", (-3, 0, 0.5, 9.99, 10, 60, 5000)
    for dtype in NARROW:
        yield Case(op, (sizes(4, 7), SEED, values(dtype, *rates)), {"dtype": "int64"})
    for output in OUTPUTS:
        yield Case(op, (sizes(7), SEED, np.float32(12.5)), {"dtype": output})
        yield Case(op, (sizes(7), SEED, np.int64(4)), {"dtype": output})
    yield Case(op, (sizes(7), SEED, np.float64(65500)), {"dtype": "half"})
    yield Case(op, (sizes(2, 0), SEED, np.zeros(0)), {"dtype": "int32"})
    yield Case(op, (sizes(3), SEED, np.ones(2)), {"dtype": "int32"}, fails=True)
    yield from bad_seeds(op, (sizes(4),), (np.float64(20),), {"dtype": "float"})


def gamma() -> Iterator[Case]:
    """Shapes below, at and above 1, those that are 0 or negative, and what is no key or algorithm."""
    op, source = "StatelessRandomGammaV3", (KEY, COUNTER, PHILOX)
    for dtype in NARROW:
        alpha = values(dtype, -0.25, 0, 0.01, 0.5, 1, 1.5, 30)
        yield Case(op, (sizes(3, 7), *source, alpha), smooth=False, rtol=ROUNDED[dtype])
    yield Case(op, (sizes(2, 3), *source, np.float64(2)), smooth=False, rtol=5e-15)
    positive = values("double", 0.3, 1, 4, 90)
    yield Case(op, (values("int64", 2, 4), *source, positive), smooth=False, rtol=2e-12)
    yield Case(op, (sizes(2, 0), *source, np.zeros(0)), smooth=False)
    yield Case(op, (sizes(0), KEY, COUNTER, np.int32(2), np.float64(1)), smooth=False)
    yield Case(op, (sizes(3), *source, np.ones(2)), fails=True)
    yield Case(op, (sizes(3), KEY, COUNTER, np.int32(2), np.float64(1)), fails=True)
    yield Case(op, (sizes(3), COUNTER, COUNTER, PHILOX, np.float64(1)), fails=True)


def truncated() -> Iterator[Case]:
    """The three methods, both sides, and bounds that leave nothing."""
    op = "StatelessParameterizedTruncatedNormal"
    lows, highs = (-1, -3, 0.5, 2, 0, -np.inf), (1, 5, 0.75, 2.5, np.inf, -2)
    for dtype in NARROW:
        yield Case(
            op,
            (sizes(3, 6), SEED, values(dtype, 0)[0], values(dtype, 1)[0], values(dtype, *lows), values(dtype, *highs)),
            smooth=False,
            rtol=ROUNDED[dtype] * 4,
        )
    columns = (np.array([[0.0], [2.0]]), np.array([1.0, 0.5, 2.0]), np.array([[-1.0], [0.0]]), np.float64(3))
    yield Case(op, (values("int64", 2, 2, 3), SEED, *columns), smooth=False, rtol=1e-13)
    ones = (np.float64(0), np.float64(1), np.float64(-1), np.float64(1))
    yield Case(op, (sizes(300), SEED, *ones), smooth=False, rtol=1e-14)
    yield Case(op, (sizes(0, 2), SEED, np.float64(0), np.float64(-1), np.zeros(2), np.zeros(2)), smooth=False)
    yield Case(op, (sizes(2, 0), SEED, np.zeros(0), *ones[1:]), smooth=False)
    for wrong in ((0, 0, -1, 1), (0, 1, 1, 1), (0, 1, -np.inf, np.inf), (np.nan, 1, -1, 1)):
        yield Case(op, (sizes(2), SEED, *(np.float64(number) for number in wrong)), fails=True)
    yield Case(op, (sizes(3), SEED, np.zeros(2), *ones[1:]), fails=True)
    yield Case(op, (sizes(3), SEED, np.zeros(3), np.ones(2), *ones[2:]), fails=True)
    yield from bad_seeds(op, (sizes(4),), ones, {})


def slopes() -> Iterator[Case]:
    """Samples in the bulk and in the tails, and limits."""
    op = "RandomGammaGrad"
    for dtype, rtol in (("float", 2e-5), ("double", 1e-10)):
        yield Case(op, (values(dtype, 0.3, 1, 3), values(dtype, 0.4, 1, 3, 9)[:, None]), rtol=rtol)
        yield Case(op, (values(dtype, 0.01, 0.5, 1), values(dtype, 0.001)), smooth=False, rtol=rtol)
    yield Case(op, (np.float64(90), values("double", 70, 90, 120)), rtol=1e-10)
    edges = values("double", 0, 1, -1, np.nan, np.inf)
    yield Case(op, (edges, edges[:, None]), smooth=False)
    for alpha, bulk in ((1000, (620, 750, 1000, 1160, 1500)), (10000, (8800, 9200, 10800, 11200))):
        yield Case(op, (np.float64(alpha), values("double", *bulk)), smooth=False, rtol=1e-11)
    why = "TensorFlow's are 0 where the density underflows, or is close to it."
    yield Case(op, (np.float64(1e20), values("double", 1e19, 2e20, 1e25)), smooth=False, differs=why)
    yield Case(op, (np.zeros((0, 2)), np.float64(1)))
    yield Case(op, (np.ones(2), np.ones(3)), fails=True)


def drawn() -> Iterator[Case]:
    """Every type, no samples, no distributions, and what is no shape or distribution."""
    for index in ("int32", "int64"):
        for dtype in NARROW:
            yield Case("RandomGamma", (values(index, 2, 3), sample(dtype, (2,), 0.5)))
        yield Case("RandomPoissonV2", (values(index, 2), sample("double", (2, 1), 0)))
    yield from (Case("RandomPoissonV2", (sizes(2), np.int32(3)), {"dtype": output}) for output in OUTPUTS)
    for op in ("RandomGamma", "RandomPoissonV2"):
        for lead, batch in (((0,), ()), ((), (0, 2)), ((), ())):
            yield Case(op, (sizes(*lead), np.ones(batch)))
        yield from (Case(op, (shape, np.ones(2)), fails=True) for shape in (np.int32(2), sizes(-1)))
    op, one = "ParameterizedTruncatedNormal", np.float64(1)
    for dtype in (*NARROW, "bfloat16"):
        bounds = (values(dtype, -1)[0], values(dtype, 2)[0])
        yield Case(op, (sizes(3, 2), values(dtype, 0, 1, 2), values(dtype, 1), *bounds))
    yield Case(op, (values("int64", 0), -one, -one, one, one))
    yield Case(op, (sizes(2), 0 * one, one, -np.inf * one, -40 * one))
    for means, stdevs, low, high in ((0, -1, -1, 1), (0, 1, 1, 1), (0, 1, -np.inf, np.inf)):
        yield Case(op, (sizes(2), means * one, stdevs * one, low * one, high * one), fails=True)
    yield Case(op, (sizes(), 0 * one, one, -one, one), fails=True)
    for shape in ((1, 1), (2,)):
        yield Case(op, (sizes(3), np.zeros(shape), one, -one, one), fails=True)


CASES: list[Case] = [
    *multinomial(),
    *binomial(),
    *poisson(),
    *gamma(),
    *truncated(),
    *slopes(),
    *drawn(),
]
