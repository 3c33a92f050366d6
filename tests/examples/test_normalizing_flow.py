"""The example of a normalizing flow: its determinant and its inverse are right, and it learns the density of moons."""

from __future__ import annotations

import normalizing_flow
import numpy as np

import typegrad as tg
from typegrad.op import core


def test_the_determinant_and_the_inverse_are_right() -> None:
    scope = tg.Scope(tg.Graph(seed=0))
    block = normalizing_flow.Block(scope)
    rng = np.random.default_rng(0)
    random = [
        block.matrix.assign(scope, rng.standard_normal((2, 2), np.float32)),
        block.second.assign(scope, 0.1 * rng.standard_normal((normalizing_flow.HIDDEN, 2), np.float32)),
    ]
    x = core.Placeholder.create(scope, tg.TFloat32, (4, 2))
    y, log_determinant = block.forward(scope, x)
    jacobian = tg.jacobian(scope, y, x)
    points = normalizing_flow.moons(0, 4)
    with tg.Session(scope.graph) as session:
        session.run(random)
        back, slopes, logs = session.run((block.inverse(scope, y), jacobian, log_determinant), {x: points})
    np.testing.assert_allclose(back, points, atol=1e-4)
    each = np.arange(4)
    np.testing.assert_allclose(logs, np.linalg.slogdet(slopes[each, :, each])[1], rtol=1e-4, atol=1e-4)


def entropy() -> float:
    """Minus the mean of the logarithm of the true density at points of the moons."""
    points = normalizing_flow.moons(7, 2000)
    angles = np.linspace(0, np.pi, 400)
    moon = np.stack([np.cos(angles) - 0.5, np.sin(angles) - 0.25], 1)
    centers = np.concatenate([moon, -moon])
    squares = np.sum((points[:, None] - centers) ** 2, -1)
    return -float(np.mean(np.log(np.mean(np.exp(-squares / 0.02), 1) / (0.02 * np.pi))))


def test_the_density_is_the_moons() -> None:
    result = normalizing_flow.train()
    assert abs(result.integral - 1) < 0.01
    assert np.mean(result.losses[-20:]) < entropy() + 0.2 < result.losses[0] - 1
    assert np.max(np.abs(result.samples)) < normalizing_flow.EXTENT
