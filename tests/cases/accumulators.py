"""Cases of `ops/accumulators.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import numpy as np

from support.case import Accumulator, Case, Var
from support.samples import sample, values

DTYPES = ("half", "float", "double")
Reduction: TypeAlias = Literal["MEAN", "SUM"]
REDUCTIONS: tuple[Reduction, ...] = ("MEAN", "SUM")
SPECIAL = np.array([[np.nan, 1, -0.0, np.inf], [1, -1, -0.0, -np.inf]], np.float32)


def handles() -> Iterator[Case]:
    """With and without a shape and a name."""
    op = "ResourceConditionalAccumulator"
    for shape in ((2, 3), (), None, (None, 2)):
        yield Case(op, (), {"dtype": "float", "shape": shape})
    yield Case(op, (), {"dtype": "double", "shape": (2,), "shared_name": "sum", "reduction_type": "SUM"})
    yield Case(op, (), {"dtype": "float", "shape": (2,), "reduction_type": "MAX"}, fails=True)


def applications() -> Iterator[Case]:
    """Every type with a kernel in TensorFlow, numbers of gradients, shapes, steps, and what does not fit."""

    def apply(held: Any, gradient: Any, step: Any = 0, reduction: Reduction = "MEAN", **rest: Any) -> Case:
        accumulator = held if isinstance(held, Var) else Accumulator(held, reduction)
        return Case("ResourceAccumulatorApplyGradient", (accumulator, np.int64(step), gradient), **rest)

    for dtype in DTYPES:
        for count in (0, 1, 3):
            yield apply(sample(dtype, (count, 2, 3)), sample(dtype, (2, 3), seed=1))
    two = sample("float", (2, 4))
    yield apply(two, two[0], reduction="SUM")
    yield apply(SPECIAL, SPECIAL[0])
    yield apply(sample("float", (2,)), np.float32(1.5))
    yield apply(sample("float", (2, 0, 3)), sample("float", (0, 3)))
    yield from (apply(two, two[0], step) for step in (-1, 1, 2**40, -(2**63)))
    yield apply(two, two[0, :3], fails=True)
    yield apply(two, np.float32(1), fails=True)
    yield apply(two, two, fails=True)
    yield apply(Var(two[0]), two[0], fails=True)
    yield apply(two, two[0], [0], fails=True)
    yield apply(two, two[0].astype(np.float64), fails=True)


def takings() -> Iterator[Case]:
    """Means and sums, of more gradients than required, and required numbers that cannot be."""

    def take(held: Any, required: Any, reduction: Reduction = "MEAN", dtype: str = "float", **rest: Any) -> Case:
        accumulator = held if isinstance(held, Var) else Accumulator(held, reduction)
        inputs = accumulator, np.array(required, np.int32)
        return Case("ResourceAccumulatorTakeGradient", inputs, {"dtype": dtype}, **rest)

    for dtype in DTYPES:
        for reduction in REDUCTIONS:
            yield take(sample(dtype, (3, 2, 3)), 2, reduction, dtype)
    yield take(SPECIAL, 1)
    yield take(sample("float", (2,)), 2)
    yield take(sample("float", (2, 0, 3)), 1)
    yield take(values("half", 60000, 60000), 1, dtype="half")
    two = sample("float", (2, 4))
    yield from (take(two, wrong, fails=True) for wrong in (0, -1))
    yield take(two, [1], fails=True)
    yield take(two, 1, dtype="double", fails=True)
    yield take(Var(two[0]), 1, fails=True)


def rest() -> Iterator[Case]:
    """Counting, and steps."""
    counted, stepped = "ResourceAccumulatorNumAccumulated", "ResourceAccumulatorSetGlobalStep"
    for count in (0, 1, 3):
        yield Case(counted, (Accumulator(sample("float", (count, 2))),))
    yield Case(counted, (Var(sample("float", (2,))),), fails=True)
    two = Accumulator(sample("float", (2, 4)))
    yield from (Case(stepped, (two, np.int64(step))) for step in (0, 1, -5, 2**40))
    yield Case(stepped, (Var(sample("float", (2,))), np.int64(1)), fails=True)


CASES = [*handles(), *applications(), *takings(), *rest()]
