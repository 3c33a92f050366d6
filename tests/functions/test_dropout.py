"""Dropout: what is drawn, what is kept, and what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core

ONES = np.ones((50, 40), np.float32)


def _run(scope: tg.Scope, x: tg.Operand[Any, Any], feeds: Any = None) -> Any:
    with tg.Session(scope.graph) as session:
        return session.run(x, feeds)


def test_elements_are_zero_or_scaled_so_that_the_mean_stays(scope: tg.Scope) -> None:
    kept = _run(scope, functions.dropout(scope, core.Constant.create(scope, ONES), 0.25))
    assert set(np.unique(kept)) == {np.float32(0), np.float32(1 / 0.75)}
    assert abs(kept.mean() - 1) < 0.05


def test_the_gradient_is_dropped_where_the_value_is(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, ONES)
    y = functions.dropout(scope, x, 0.5)
    with tg.Session(scope.graph) as session:
        value, gradient = session.run([y, tg.grad(scope, y, x)])
    assert (value == gradient).all() and 0 < np.count_nonzero(value) < value.size


def test_nothing_is_drawn_for_rate_zero(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, ONES)
    assert functions.dropout(scope, x, 0) is x


def test_a_rate_that_is_fed(scope: tg.Scope) -> None:
    rate: tg.Operand[tg.TFloat32, tuple[()]] = core.PlaceholderWithDefault.create(scope, 0.0, shape=())
    y = functions.dropout(scope, core.Constant.create(scope, ONES), rate)
    assert (_run(scope, y) == 1).all() and (_run(scope, y, {rate: 0.5}) == 0).any()


@pytest.mark.parametrize(("noise", "axis"), [((50, 1), 1), ((None, 1), 1), ((1, 40), 0), ((1, None), 0), ((40,), 0)])
@pytest.mark.parametrize("shape", [(50, 40), (None, 40), (None, None)])
def test_what_is_kept_or_dropped_together(scope: tg.Scope, noise: Any, axis: int, shape: Any) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    value = _run(scope, functions.dropout(scope, x, 0.5, noise_shape=noise), {x: ONES})
    assert (np.ptp(value, axis) == 0).all() and len(np.unique(value)) == 2 and value.shape == ONES.shape


def test_unknown_ranks(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    assert len(np.unique(_run(scope, functions.dropout(scope, x, 0.5), {x: ONES}))) == 2
    with pytest.raises(tg.ShapeError, match="None in noise_shape is a size of x, whose rank"):
        functions.dropout(scope, x, 0.5, noise_shape=(None, 1))


def test_a_seed_of_its_own(scope: tg.Scope) -> None:
    x = core.Constant.create(scope, ONES)
    drawn = functions.dropout(scope.with_sub_scope("a"), x, 0.5, seed=3).as_output().op.inputs[0].op.inputs[0].op
    assert drawn.type == "RandomUniform" and drawn.attrs["seed"] == 3


@pytest.mark.parametrize("dtype", [tg.TFloat16, tg.TBfloat16, tg.TFloat64])
def test_types(scope: tg.Scope, dtype: Any) -> None:
    y = functions.dropout(scope, functions.ones(scope, (50, 4), dtype), 0.5)
    assert y.dtype is dtype and set(np.unique(_run(scope, y)).tolist()) == {0, 2}


@pytest.mark.parametrize("rate", [1.0, 1.5, -0.1, float("nan")])
def test_a_rate_out_of_range(scope: tg.Scope, rate: float) -> None:
    with pytest.raises(
        tg.AttributeValueError, match=r"dropout: rate is .*, but must be from 0 .*1 - keep_prob of TensorFlow 1"
    ):
        functions.dropout(scope, core.Constant.create(scope, ONES), rate)


@pytest.mark.parametrize("noise", [(3, 1), (50, 40, 1), (1, 50, 40)])
def test_noise_that_does_not_broadcast(scope: tg.Scope, noise: Any) -> None:
    with pytest.raises(tg.ShapeError, match=r"dropout: noise_shape \[.*\] does not broadcast to the shape of 'x:0'"):
        functions.dropout(scope, core.Constant.create(scope.with_name("x"), ONES), 0.5, noise_shape=noise)
