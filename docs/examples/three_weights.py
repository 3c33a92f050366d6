"""Three weights: w1 learns the product of w2 and w3, which do not change.

The loss is the mean of (x w1 - x (w2 w3))². It is symmetric: without StopGradient, its gradient moves all three towards
one another. StopGradient around x (w2 w3) makes this side the target: the gradient does not continue behind it, and w2
and w3 have no gradient and do not change, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math
from typegrad.training.optimizers import GradientDescent

FEATURES, BATCH, STEPS = 5, 32, 150
NAMES = ("w1", "w2", "w3")


@dataclass(frozen=True)
class History:
    """The loss of each step, and the weights before each step and after the last: [steps + 1, features]."""

    losses: list[float]
    weights: dict[str, NDArray[np.float32]]


def train(*, stop: bool) -> History:
    """Train with data and weights drawn from a fixed seed."""
    rng = np.random.default_rng(7)
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat32, (None, FEATURES))
    weights = [
        tg.Variable.create(scope.with_name(name), rng.normal(size=(FEATURES, 1)).astype(np.float32)) for name in NAMES
    ]
    w1, w2, w3 = weights
    truth: tg.Operand[tg.TFloat32] = x @ (w2 * w3)
    if stop:
        truth = core.StopGradient.create(scope, truth)
    loss = math.Mean.create(scope, math.Square.create(scope, x @ w1 - truth))
    step = GradientDescent(graph, 0.05).minimize(loss)

    losses: list[float] = []
    with tg.Session(graph) as session:
        values = [[session.value(weight)] for weight in weights]
        for _ in range(STEPS):
            batch = rng.normal(size=(BATCH, FEATURES)).astype(np.float32)
            losses.append(float(session.run([loss, step], {x: batch})[0]))
            for history, weight in zip(values, weights, strict=True):
                history.append(session.value(weight))
    return History(losses, {name: np.stack(value)[..., 0] for name, value in zip(NAMES, values, strict=True)})


def draw(history: History) -> Any:
    """The path of each weight's five elements; dashed: the target of w1."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.2), sharey=True, layout="constrained")
    goal = history.weights["w2"][0] * history.weights["w3"][0]
    for axis, name in zip(axes, NAMES, strict=True):
        lines = axis.plot(history.weights[name], linewidth=1.8)
        if name == "w1":
            for line, value in zip(lines, goal, strict=True):
                axis.axhline(value, color=line.get_color(), linestyle="--", linewidth=0.8)
        axis.set(title=name, xlabel="step")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("elements; dashed: w2 w3 at the start")
    return figure


def main() -> None:
    """Train, print how far the weights moved, and draw it."""
    options = arguments(__doc__)
    history = train(stop=not options.without_stop_gradient)
    for name in NAMES:
        first, last = history.weights[name][0], history.weights[name][-1]
        print(f"{name} moved by {np.abs(last - first).max():.6f}")
    product = history.weights["w2"][0] * history.weights["w3"][0]
    print(f"w1 is off w2 w3 of the start by {np.abs(history.weights['w1'][-1] - product).max():.6f}")
    print(f"loss: {history.losses[0]:.4f} at the start, {history.losses[-1]:.2e} at the end")
    save(draw(history), options.output, "three-weights")


if __name__ == "__main__":
    main()
