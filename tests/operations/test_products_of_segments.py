"""The second derivatives of products of rows, where rows are 0, are those of `Prod`, which divides by none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from typegrad.op import core, math


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("build", [math.UnsortedSegmentProd.create, math.SegmentProd.create])
@pytest.mark.parametrize("rows", [(0, 2, 3), (0, 0), (0, 0, 3), (0, 0, 0, 5), (2, 3), (0,)])
def test_derivatives_of_a_product_with_zeros(rows: tuple[float, ...], build: Any, dtype: Any) -> None:
    scope = tg.Scope(tg.Graph())
    x = constant(scope, 0, np.asarray(rows, dtype) * (1 if dtype is np.float64 else 1 + 2j))
    weights = constant(scope, 1, np.arange(2, 2 + len(rows)).astype(dtype))

    def derivatives(product: Any) -> list[Any]:
        one = core.OnesLike.create(scope, product).as_output()
        (first,) = tg.gradients(scope, [product], [x], grad_ys=[one])
        assert first is not None
        return [first, *tg.gradients(scope, [first], [x], grad_ys=[weights])]

    results = derivatives(build(scope, x, [1] * len(rows), 2)), derivatives(core.Prod.create(scope, x, 0).as_output())
    with tg.Session(scope.graph) as session:
        for result, expected in zip(*session.run(results), strict=True):
            np.testing.assert_allclose(result, expected, rtol=1e-14)
