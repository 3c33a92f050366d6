"""Expectation maximization: a Gaussian mixture, with the E step behind StopGradient.

The E step computes responsibilities r: the probability of each component for each flower. The M step maximizes the
expected log-likelihood Q = mean of sum over k of r log(weight_k N(x; mean_k, variance_k)) at constant r. Here the M
step is a step of gradient descent, and r is computed in the same graph, so it must be hidden from the gradient:
StopGradient(r). Then the gradient of Q equals the gradient of the log-likelihood (Fisher's identity), which a small
enough step never lowers, and the result is the same as of EM in closed form. Without StopGradient, the gradient also
flows through r, towards responsibilities that increase Q by themselves: assignments harden, and the log-likelihood
falls.

Source: Dempster, Laird and Rubin, "Maximum likelihood from incomplete data via the EM algorithm" (1977). Data: Fisher's
irises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray
from sklearn.datasets import load_iris

import typegrad as tg
from typegrad.op import core, math, nn
from typegrad.training.optimizers import GradientDescent

COMPONENTS, STEPS, LEARNING_RATE = 3, 4000, 0.03

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Mixture:
    """Weights [k], means [k, d], variances [k, d], and the log-likelihood per sample before each step."""

    weights: Doubles
    means: Doubles
    variances: Doubles
    likelihoods: Doubles


def flowers() -> Doubles:
    """Length and width of 150 irises' petals, each with mean 0 and variance 1."""
    petals: Doubles = load_iris(return_X_y=True)[0][:, 2:].astype(np.float64)
    scaled: Doubles = (petals - petals.mean(0)) / petals.std(0)
    return scaled


def start(data: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Equal weights, three flowers as means, the variance of all data."""
    chosen = data[[25, 75, 125]]
    return np.full(COMPONENTS, 1 / COMPONENTS), chosen.copy(), np.ones_like(chosen)


def log_joint(
    scope: tg.Scope, x: tg.Operand[tg.TFloat64], logits: Any, means: Any, log_variances: Any
) -> tg.Operand[tg.TFloat64]:
    """log(weight_k N(x_n; mean_k, variance_k)) for each sample n and component k: [n, k]."""
    distance = x[:, None] - means
    exponent = distance * distance * math.Exp.create(scope, -log_variances) + log_variances + np.log(2 * np.pi)
    return nn.LogSoftmax.create(scope, logits[None]) - core.Sum.create(scope, exponent, -1) * 0.5


def fit(data: Doubles, *, stop: bool, steps: int = STEPS) -> Mixture:
    """EM with gradient M steps."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    weights, means, variances = start(data)
    x = core.Constant.create(scope, data)
    variables = [
        tg.Variable.create(scope.with_name(name), value)
        for name, value in (("logits", np.log(weights)), ("means", means), ("log_variances", np.log(variances)))
    ]
    joint = log_joint(scope, x, *variables)
    top = core.StopGradient.create(scope, core.Max.create(scope, joint, -1, keep_dims=True))
    evidence = (
        math.Log.create(scope, core.Sum.create(scope, math.Exp.create(scope, joint - top), -1, keep_dims=True)) + top
    )
    likelihood = math.Mean.create(scope, evidence)

    responsibilities: tg.Operand[tg.TFloat64] = math.Exp.create(scope, joint - evidence)
    if stop:
        responsibilities = core.StopGradient.create(scope, responsibilities)
    expected = math.Mean.create(scope, core.Sum.create(scope, responsibilities * joint, -1))
    step = GradientDescent(graph, LEARNING_RATE).minimize(-expected)

    with tg.Session(graph) as session:
        likelihoods = [float(session.run([likelihood, step])[0]) for _ in range(steps)]
        logits, means, log_variances = (session.value(variable) for variable in variables)
    powers = np.exp(logits - logits.max())
    return Mixture(powers / powers.sum(), means, np.exp(log_variances), np.array(likelihoods))


def fit_in_closed_form(data: Doubles, steps: int = 300) -> Mixture:
    """The textbook's EM, for comparison: the same start, exact M steps."""
    weights, means, variances = start(data)
    likelihoods = []
    for _ in range(steps):
        distance = data[:, None] - means
        joint = np.log(weights) - 0.5 * (distance**2 / variances + np.log(2 * np.pi * variances)).sum(-1)
        evidence = np.logaddexp.reduce(joint, axis=1)
        likelihoods.append(evidence.mean())
        r = np.exp(joint - evidence[:, None])
        total = r.sum(0)
        weights, means = total / len(data), r.T @ data / total[:, None]
        variances = np.einsum("nk,nkd->kd", r, (data[:, None] - means) ** 2) / total[:, None]
    return Mixture(weights, means, variances, np.array(likelihoods))


def draw(data: Doubles, ours: Mixture, exact: Mixture) -> Any:
    """The components with the data, and the log-likelihood over the steps."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    left.scatter(*data.T, s=12, color="0.6")
    angle = np.linspace(0, 2 * np.pi, 100)
    for mixture, style in ((exact, "k--"), (ours, "-")):
        for mean, variance in zip(mixture.means, mixture.variances, strict=True):
            ring = mean + 2 * np.sqrt(variance) * np.stack([np.cos(angle), np.sin(angle)], 1)
            left.plot(*ring.T, style, linewidth=1.5)
    left.set(title="two standard deviations; dashed: closed form", xlabel="petal length", ylabel="petal width")
    right.plot(ours.likelihoods, label="gradient M steps")
    right.axhline(exact.likelihoods[-1], color="k", linestyle="--", label="closed form, at the end")
    right.set(title="log-likelihood per flower", xlabel="step", xscale="log")
    right.legend()
    return figure


def main() -> None:
    """Fit by gradient descent and in closed form, compare, and draw the results."""
    options = arguments(__doc__)
    data = flowers()
    ours, exact = fit(data, stop=not options.without_stop_gradient), fit_in_closed_form(data)
    print(f"log-likelihood per flower: {ours.likelihoods[-1]:.6f}, in closed form {exact.likelihoods[-1]:.6f}")
    print(f"it fell in {int((np.diff(ours.likelihoods) < -1e-12).sum())} of {len(ours.likelihoods) - 1} steps")
    print(f"means differ by {np.abs(ours.means - exact.means).max():.2e} at most")
    save(draw(data, ours, exact), options.output, "gaussian-mixture")


if __name__ == "__main__":
    main()
