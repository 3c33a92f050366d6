"""Cases of `ops/sampling.yaml`: types and shapes, and what is refused. Distributions have tests of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from support.case import Case
from support.samples import NUMBER, REAL, sample, values

TRUE = np.array([[0, 3], [9, 1]])


def sampler(op: str, true_classes: Any = TRUE, *, fails: bool = False, **attrs: Any) -> Case:
    """One use of a sampler of ten classes."""
    given = {"num_true": 2, "num_sampled": 4, "unique": False, "range_max": 10, **attrs}
    return Case(op, (np.asarray(true_classes, np.int64),), given, fails=fails)


def samplers(op: str, **attrs: Any) -> Iterator[Case]:
    """With and without repetitions, as many as there are, no rows, and classes that do not fit."""
    for unique in (False, True):
        yield from (sampler(op, num_sampled=count, unique=unique, **attrs) for count in (1, 5, 10))
        yield sampler(op, np.zeros((0, 2)), unique=unique, **attrs)
    yield sampler(op, num_sampled=15, **attrs)
    yield sampler(op, num_sampled=11, unique=True, fails=True, **attrs)
    yield sampler(op, [0, 3], fails=True, **attrs)
    yield sampler(op, num_true=1, fails=True, **attrs)
    yield from (sampler(op, [[0, wrong]], fails=True, **attrs) for wrong in (10, -1))


def everything(true_classes: Any, count: int, *, fails: bool = False, **attrs: Any) -> Case:
    """All classes."""
    given = {"num_true": 2, "num_sampled": count, "unique": True, **attrs}
    return Case("AllCandidateSampler", (np.asarray(true_classes, np.int64),), given, fails=fails)


def multinomial() -> Iterator[Case]:
    """Every type, no rows, no samples, and what is no distribution."""
    op = "Multinomial"
    for dtype in REAL:
        yield Case(op, (sample(dtype, (2, 3)), np.int32(4)))
    yield Case(op, (sample("float", (2, 3)), np.int32(4)), {"output_dtype": "int32"})
    yield Case(op, (sample("float", (0, 3)), np.int32(4)))
    yield Case(op, (sample("float", (2, 3)), np.int32(0)))
    yield Case(op, (values("float", 0, -np.inf, np.nan)[None], np.int32(4)))
    nothing = values("float", -np.inf, -np.inf)[None]
    yield Case(op, (nothing, np.int32(4)), fails=True, differs="there is no class to draw")
    yield Case(op, (sample("float", (3,)), np.int32(4)), fails=True)
    yield Case(op, (sample("float", (2, 0)), np.int32(4)), fails=True)
    yield Case(op, (sample("float", (2, 3)), np.int32(-1)), fails=True)
    yield Case(op, (sample("float", (2, 3)), values("int32", 4)), fails=True)


CASES: list[Case] = [
    *samplers("UniformCandidateSampler"),
    *samplers("LogUniformCandidateSampler"),
    everything([[0, 3], [4, 1]], 5),
    everything([[0, 3], [4, 1]], 5, unique=False),
    everything(np.zeros((0, 2)), 3),
    everything([[0, 5]], 5, fails=True),
    everything([0, 4], 5, fails=True),
    everything([[0], [4]], 5, fails=True),
    *multinomial(),
    *(Case("RandomShuffle", (sample(dtype, (4, 2)),)) for dtype in (*NUMBER, "bool")),
    *(Case("RandomShuffle", (sample("float", shape),)) for shape in ((), (0,), (1, 2), (3, 0))),
]
