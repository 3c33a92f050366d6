"""The example of a residual network: its averages are the formula's, and inference with them needs no mixed batch."""

from __future__ import annotations

import numpy as np
import residual_network

import typegrad as tg
from typegrad.op import core


def test_the_averages_move_by_a_tenth() -> None:
    scope = tg.Scope(tg.Graph())
    norm = residual_network.BatchNorm(scope)
    x = core.Placeholder.create(scope, tg.TFloat32, (residual_network.Batch, 8, 8, 16))
    norm.apply(scope, x, training=True)
    value = np.random.default_rng(0).normal(3, 2, (4, 8, 8, 16)).astype(np.float32)
    with tg.Session(scope.graph) as session:
        session.run(norm.updates, {x: value})
        mean, variance = session.value(norm.mean), session.value(norm.variance)
    np.testing.assert_allclose(mean, 0.1 * value.mean((0, 1, 2)), rtol=1e-5)
    np.testing.assert_allclose(variance, 0.9 + 0.1 * value.var((0, 1, 2), ddof=1), rtol=1e-5)


def test_digits_are_recognized_by_the_averages_alone() -> None:
    result = residual_network.train()
    assert np.mean(result.losses[-10:]) < result.losses[0] / 5
    assert result.by_averages[-1] > 0.85
    assert result.by_batch[-1] < 0.4
