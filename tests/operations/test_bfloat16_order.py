"""Operations that sort take bfloat16 as they take float32, with nan, too: NumPy itself sorts it wrongly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import typegrad as tg
from support.recording import Array
from typegrad.op import core, nn

NUMBERS = np.array([np.nan, 1, 3, np.nan, 0, -2, 1, np.inf])


def _outputs(operation: str, numbers: Array) -> list[Array]:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, numbers)
    operations: dict[str, Callable[[], Any]] = {
        "ApproxTopK": lambda: core.ApproxTopK.create(scope, x, k=8, is_max_k=False),
        "ListDiff": lambda: core.SetDiff1d.create(scope, x, x[3:5]),
        "NthElement": lambda: nn.NthElement.create(scope, x, 3),
        "TopKV2": lambda: nn.TopK.create(scope, x, 8),
        "UniqueV2": lambda: core.Unique.create(scope, x, core.Constant.create(scope, [], tg.TInt64)),
    }
    result = operations[operation]()
    with tg.Session(scope.graph) as session:
        return [np.asarray(each) for each in session.run(list(result.op.outputs))]


@pytest.mark.parametrize("operation", ["ApproxTopK", "ListDiff", "NthElement", "TopKV2", "UniqueV2"])
def test_bfloat16_has_the_order_of_float32(operation: str) -> None:
    narrow = _outputs(operation, NUMBERS.astype(ml_dtypes.bfloat16))
    for ours, expected in zip(narrow, _outputs(operation, NUMBERS.astype(np.float32)), strict=True):
        np.testing.assert_array_equal(ours.astype(np.float32), expected.astype(np.float32))
