"""The sign of zeros, as in TensorFlow: a sum begins with 0, but a single element is what it is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.blocks import small_blocks
from typegrad.base.shape import UNKNOWN
from typegrad.op import core, math

SUMS: Final[dict[str, Any]] = {
    "Sum": lambda scope, x: core.Sum.create(scope, x, -1, keep_dims=True),
    "Mean": lambda scope, x: math.Mean.create(scope, x, -1, keep_dims=True),
    "Cumsum": lambda scope, x: math.Cumsum.create(scope, x, -1),
}


FLOATS: Final = (tg.TBfloat16, tg.TFloat16, tg.TFloat32, tg.TFloat64)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_sign_of_negative_zero_is_zero(dtype: Any) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    y = math.Sign.create(scope, np.full(3, -0.0, dtype.numpy))
    assert not np.signbit(tg.Session(scope.graph).run(y).astype(np.float64)).any()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("name", SUMS)
def test_sums_of_negative_zeros(name: str, columns: int, dtype: Any) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    is_negative = name != "Cumsum" and columns == 1
    value = np.full((2, columns), -0.0, dtype.numpy)
    for shape in (UNKNOWN, (2, None), (2, columns)):
        x = core.Placeholder.create(scope, dtype, shape=shape)
        y = SUMS[name](scope, abs(x) * -1)
        with small_blocks():
            session = tg.Session(scope.graph)
            for _ in range(2):
                result = session.run(y, {x: value})
                assert result.dtype == dtype.numpy
                assert np.signbit(result.astype(np.float64)).all() == is_negative
                assert not result.any()
