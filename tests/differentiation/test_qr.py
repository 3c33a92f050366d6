"""The gradient of a factorization: which matrices have none, and shapes that are known only at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.building import constant, placeholder
from support.recording import Array
from support.samples import sample
from typegrad.op import core, linalg


def _gradient(x: Array, full: bool, fed: bool) -> Array:
    scope = tg.Scope(tg.Graph())
    operand = placeholder(scope, x) if fed else constant(scope, 0, x)
    operation = linalg.Qr.create(scope, operand, full_matrices=full)
    kind = "complex128" if x.dtype.kind == "c" else "double"
    weights: list[Any] = [
        constant(scope, seed, sample(kind, factor.shape, seed=seed))
        for seed, factor in enumerate(np.linalg.qr(x, "complete" if full else "reduced"))
    ]
    (grad,) = tg.gradients(scope, [operation.q, operation.r], [operand], grad_ys=weights)
    assert grad is not None
    with tg.Session(scope.graph) as session:
        result: Array = session.run(grad, {operand: x} if fed else {})
    return result


@pytest.mark.parametrize("dtype", ["double", "complex128"])
@pytest.mark.parametrize(
    ("shape", "full"),
    [((4, 2), False), ((3, 3), False), ((3, 3), True), ((2, 4), False), ((2, 4), True), ((2, 2, 3), False)],
)
def test_shapes_known_at_run_time_only(shape: tuple[int, ...], full: bool, dtype: str) -> None:
    x = sample(dtype, shape)
    np.testing.assert_allclose(_gradient(x, full, fed=True), _gradient(x, full, fed=False), rtol=1e-10, atol=1e-10)


def test_full_factors_of_tall_matrices_have_none() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat64, shape=(4, 2))
    operation = linalg.Qr.create(scope.with_name("f"), x, full_matrices=True)
    with pytest.raises(
        tg.GradientError, match=r"'f' has no gradient with full_matrices.*\[4, 2\].*use full_matrices=False"
    ):
        tg.gradients(scope, [operation.r], [x])
    with pytest.raises(tg.ShapeError, match="`matrix` must hold square matrices"):
        _gradient(sample("double", (4, 2)), full=True, fed=True)
