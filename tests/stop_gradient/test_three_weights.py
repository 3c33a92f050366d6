"""loss = mean((x@w1 - x@(w2*w3))**2): w1 learns w2*w3 while w2 and w3 stay as they are, bit for bit."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import GradientDescent

FEATURES = 5


def train(
    freeze: Literal["stop_gradient", "var_list", "nothing"], steps: int = 500
) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    """The weights before and after training."""
    rng = np.random.default_rng(7)
    graph = tg.Graph(seed=7)
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, FEATURES))
    w1, w2, w3 = (
        tg.Variable.create(scope.with_name(name), rng.normal(size=(FEATURES, 1)).astype(np.float32))
        for name in ("w1", "w2", "w3")
    )
    target: tg.Operand[tg.TFloat32] = linalg.MatMul.create(
        scope, x, math.Mul.create(scope, w2.read(scope), w3.read(scope))
    )
    if freeze == "stop_gradient":
        target = core.StopGradient.create(scope, target)
    error = math.Sub.create(scope, linalg.MatMul.create(scope, x, w1.read(scope)), target)
    loss = math.Mean.create(scope, math.Square.create(scope, error))
    step = GradientDescent(graph, 0.1).minimize(loss, var_list=[w1] if freeze == "var_list" else None)
    with tg.Session(graph) as session:
        before = [session.value(w) for w in (w1, w2, w3)]
        for _ in range(steps):
            session.run(step, {x: rng.normal(size=(32, FEATURES)).astype(np.float32)})
        after = [session.value(w) for w in (w1, w2, w3)]
    return dict(zip(("w1", "w2", "w3"), zip(before, after, strict=True), strict=True))


@pytest.mark.parametrize("freeze", ["stop_gradient", "var_list"])
def test_only_w1_learns(freeze: Literal["stop_gradient", "var_list"]) -> None:
    weights = train(freeze)
    for name in ("w2", "w3"):
        before, after = weights[name]
        assert before.tobytes() == after.tobytes()
    product = weights["w2"][0] * weights["w3"][0]
    assert np.abs(weights["w1"][0] - product).max() > 0.1
    np.testing.assert_allclose(weights["w1"][1], product, atol=1e-5)


def test_without_either_all_three_move() -> None:
    for before, after in train("nothing", steps=5).values():
        assert (before != after).all()


def test_stop_gradient_around_everything_is_an_error_that_names_the_cut() -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    w = tg.Variable.create(scope.with_name("w"), np.ones(3, np.float32))
    loss = core.Sum.create(scope, core.StopGradient.create(scope.with_name("cut"), w.read(scope)))
    with pytest.raises(
        tg.GradientError, match=r"trains no variable:\n  'w': .*StopGradient 'cut' .*test_three_weights.py:\d+"
    ):
        GradientDescent(graph, 0.1).minimize(loss)
