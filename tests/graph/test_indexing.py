"""`x[...]` means what it means in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

VALUE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

INDICES: list[Any] = [
    0,
    -1,
    (1, 2, 3),
    (slice(None), 1),
    (..., -1),
    (..., None),
    (None, 0),
    slice(1, None),
    slice(None, None, -1),
    (slice(None), slice(0, 3, 2), slice(-3, -1)),
    (0, ..., slice(None, None, 3)),
    (slice(2, 1),),
]


@pytest.mark.parametrize("shape", [(2, 3, 4), (None, 3, None), None], ids=str)
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_an_index_means_what_it_means_in_numpy(index: Any, shape: Any) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    y = x[index]
    value = tg.Session(scope.graph).run(y, {x: VALUE})
    np.testing.assert_array_equal(value, VALUE[index])
    assert y.shape.accepts(value.shape)
    if shape == (2, 3, 4):
        assert y.shape.as_ints() == value.shape


def test_a_scalar_operand_may_be_an_index() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, VALUE)
    i = core.Placeholder.create(scope, tg.TInt32, shape=())
    y = x[i, 1:, i]
    for at in (0, 1):
        np.testing.assert_array_equal(tg.Session(scope.graph).run(y, {i: at}), VALUE[at, 1:, at])


def test_a_scalar_operand_may_be_a_bound_or_a_step() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, VALUE)
    i = core.Placeholder.create(scope, tg.TInt32, shape=())
    np.testing.assert_array_equal(tg.Session(scope.graph).run(x[:i, i:, ::i], {i: 2}), VALUE[:2, 2:, ::2])


def test_an_operand_of_unknown_rank_may_be_an_index() -> None:
    scope = tg.Scope(tg.Graph())
    i = core.Placeholder.create(scope, tg.TInt32)
    y = core.Constant.create(scope, VALUE)[i]
    np.testing.assert_array_equal(tg.Session(scope.graph).run(y, {i: 1}), VALUE[1])


def test_a_step_of_0_is_refused() -> None:
    with pytest.raises(tg.TypegradError, match="0"):
        core.Constant.create(tg.Scope(tg.Graph()), VALUE)[::0]


@pytest.mark.parametrize("index", ["a", 0.5, True, [0, 1]], ids=str)
def test_what_is_no_index_is_refused(index: Any) -> None:
    x = core.Constant.create(tg.Scope(tg.Graph()), VALUE)
    with pytest.raises(tg.DTypeError, match=r"an operand is indexed by integers, .*, None and masks, not by"):
        x[index]


def test_an_operand_that_is_no_scalar_is_refused() -> None:
    scope = tg.Scope(tg.Graph())
    i: Any = core.Constant.create(scope, [0, 1])
    with pytest.raises(
        tg.ShapeError, match=r"must be a scalar, but is <Constant .* TInt32 \[2\]>; core.Gather takes many"
    ):
        core.Constant.create(scope, VALUE)[i]
