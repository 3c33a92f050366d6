"""A stable softmax: shift by the maximum, and do not differentiate the maximum.

exp(1000) overflows. Softmax does not change if the same number is subtracted from all its inputs, and with the maximum
subtracted, no power exceeds 1. Neither the result nor its derivative depends on the shift, so the maximum goes through
StopGradient. Without it, the result is the same except for rounding, since the two contributions of the maximum cancel.
But they are built, computed, and rounded: the gradient has more operations, and where the maximum occurs twice, its own
derivative is a matter of convention.
"""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math


def softmax(
    scope: tg.Scope, x: tg.Operand[tg.TFloat32], *, shift: bool = True, stop: bool = True
) -> tg.Operand[tg.TFloat32]:
    """Softmax over the last dimension."""
    if shift:
        top: tg.Operand[tg.TFloat32] = core.Max.create(scope, x, -1, keep_dims=True)
        x = x - (core.StopGradient.create(scope, top) if stop else top)
    powers = math.Exp.create(scope, x)
    return powers / core.Sum.create(scope, powers, -1, keep_dims=True)


def evaluate(inputs: NDArray[np.float32], **options: bool) -> tuple[NDArray[Any], NDArray[Any], int]:
    """For each row, softmax's first element and its derivative; and the number of operations of the derivative."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat32, (None, inputs.shape[1]))
    first = softmax(scope, x, **options)[:, 0]
    size = len(graph)
    gradient = tg.grad(scope, first, x)
    operations = len(graph) - size
    with tg.Session(graph) as session:
        value, derivative = session.run([first, gradient], {x: inputs})
    return value, derivative, operations


def draw(top: NDArray[np.float32], results: dict[str, tuple[NDArray[Any], NDArray[Any], int]]) -> Any:
    """Value and derivative of each form, over the size of the inputs."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
    for name, (value, derivative, _) in results.items():
        style = {"plain": "--", "shifted": "-"}[name]
        axes[0].plot(top, value, style, label=name, linewidth=2)
        axes[1].plot(top, derivative[:, 0], style, label=name, linewidth=2)
    axes[0].set(title="softmax([t, t - 1])[0]", xlabel="t", ylim=(0, 1))
    axes[1].set(title="its derivative for the first input", xlabel="t", ylim=(0, 0.3))
    for axis in axes:
        axis.axvspan(88.7, top[-1], color="0.92", zorder=0)
        axis.legend()
    axes[0].text(92, 0.05, "exp(t) overflows in float32", color="0.4")
    return figure


def main() -> None:
    """Compare both forms on growing inputs and on a tie, and draw the results."""
    options = arguments(__doc__)
    stop = not options.without_stop_gradient
    top = np.linspace(0, 180, 91, dtype=np.float32)
    inputs = np.stack([top, top - 1], axis=1)
    results = {"plain": evaluate(inputs, shift=False), "shifted": evaluate(inputs, stop=stop)}
    for name, (value, derivative, operations) in results.items():
        bad = int(np.isnan(value).sum() + np.isnan(derivative).any(axis=1).sum())
        print(f"{name:8} {bad:3} values or derivatives are nan; the derivative took {operations} operations")
    _, tie, _ = evaluate(np.full((1, 2), 500, np.float32), stop=stop)
    print(f"derivative at the tie [500, 500]: {tie[0].tolist()} (exact: [0.25, -0.25])")
    save(draw(top, results), options.output, "stable-softmax")


if __name__ == "__main__":
    main()
