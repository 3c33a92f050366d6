"""Gaussian process regression: a curve through noisy measurements, with error bars and learned hyperparameters.

The values of the curve at any points are jointly normal, with covariance a² exp(-(x - x')² / 2 l²). Measurements add
noise of variance s². With K the covariance matrix of the measurements and K = L Lᵀ (Cholesky), the logarithm of the
marginal likelihood is -yᵀ K⁻¹ y / 2 - sum of log L_ii - n log(2 pi) / 2. Its gradient flows through the factor, the
triangular solves and the determinant to a, l and s, which gradient ascent chooses: no validation set is needed, because
the determinant is a penalty for curves that could be anything.

All dimensions are named: mypy with `typegrad.mypy_plugin` proves the shapes.

Source: Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006), algorithm 2.1 and section 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NewType, TypeAlias, TypeVar

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import Adam

STEPS: Final = 200

Measured = NewType("Measured", int)
Asked = NewType("Asked", int)
Rows = TypeVar("Rows", bound=int)
Columns = TypeVar("Columns", bound=int)

Doubles = NDArray[np.float64]
Scalar: TypeAlias = tg.Operand[tg.TFloat64, tuple[()]]


class Curve:
    """A Gaussian process that was measured at some points."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start with amplitude, length and noise 1; logarithms keep them positive."""
        names = ("log_amplitude", "log_length", "log_noise")
        self.logs = [tg.Variable.create(scope.with_name(name), np.float64(0)) for name in names]
        self.amplitude, self.length, self.noise = (math.Exp.create(scope, each) for each in self.logs)
        self.x = core.Placeholder.create(scope, tg.TFloat64, (Measured,))
        self.y = core.Placeholder.create(scope, tg.TFloat64, (Measured,))
        self.asked = core.Placeholder.create(scope, tg.TFloat64, (Asked,))
        self.factor = self._factor(scope)
        self.weights = self._weights(scope)

    def covariance(
        self,
        scope: tg.Scope,
        x: tg.Operand[tg.TFloat64, tuple[Rows]],
        y: tg.Operand[tg.TFloat64, tuple[Columns]],
    ) -> tg.Operand[tg.TFloat64, tuple[Rows, Columns]]:
        """The covariance of the curve at each point of `x` and of `y`."""
        distance = (x[:, None] - y) / self.length
        return self.amplitude * self.amplitude * math.Exp.create(scope, distance * distance * -0.5)

    def _factor(self, scope: tg.Scope) -> tg.Operand[tg.TFloat64, tuple[Measured, Measured]]:
        """L, of the covariance of the measurements."""
        variances = core.ZerosLike.create(scope, self.x) + self.noise * self.noise
        noise = linalg.MatrixDiagV3.create(scope, variances)
        return linalg.Cholesky.create(scope, self.covariance(scope, self.x, self.x) + noise)

    def _weights(self, scope: tg.Scope) -> tg.Operand[tg.TFloat64, tuple[Measured]]:
        """K⁻¹ y."""
        half = linalg.TriangularSolve.create(scope, self.factor, self.y[:, None])
        return linalg.TriangularSolve.create(scope, self.factor, half, adjoint=True)[:, 0]

    def likelihood(self, scope: tg.Scope) -> Scalar:
        """The logarithm of the density of the measurements, per measurement."""
        logs = math.Log.create(scope, linalg.MatrixDiagPartV3.create(scope, self.factor))
        each = self.y * self.weights * -0.5 - logs - 0.5 * np.log(2 * np.pi)
        return math.Mean.create(scope, each)

    def predicted(self, scope: tg.Scope) -> tuple[tg.Operand[tg.TFloat64, tuple[Asked]], ...]:
        """Mean and standard deviation of the curve at the points that are asked for."""
        between = self.covariance(scope, self.x, self.asked)
        known = linalg.TriangularSolve.create(scope, self.factor, between)
        variance = self.amplitude * self.amplitude - core.Sum.create(scope, known * known, 0)
        return core.Sum.create(scope, between * self.weights[:, None], 0), math.Sqrt.create(scope, variance)


@dataclass(frozen=True)
class Fit:
    """The likelihood before each step, the hyperparameters a, l and s, and the predicted curve."""

    likelihoods: Doubles
    hyperparameters: Doubles
    mean: Doubles
    deviation: Doubles


def measurements() -> tuple[Doubles, Doubles]:
    """Noisy values of a sine, with a gap in the middle."""
    rng = np.random.default_rng(0)
    x = np.sort(np.concatenate([rng.uniform(-5, -0.5, 20), rng.uniform(2, 5, 15)]))
    return x, np.sin(1.5 * x) + 0.2 * rng.standard_normal(len(x))


def fit(x: Doubles, y: Doubles, asked: Doubles, steps: int = STEPS) -> Fit:
    """Learn the hyperparameters, and predict the curve."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    curve = Curve(scope)
    likelihood, predicted = curve.likelihood(scope), curve.predicted(scope)
    step = Adam(graph, 0.05).minimize(-likelihood)
    data: dict[Any, Doubles] = {curve.x: x, curve.y: y}
    with tg.Session(graph) as session:
        likelihoods = [float(session.run([likelihood, step], data)[0]) for _ in range(steps)]
        mean, deviation = session.run(predicted, {**data, curve.asked: asked})
        logs = [float(session.value(each)) for each in curve.logs]
    return Fit(np.array(likelihoods), np.exp(logs), mean, deviation)


def draw(x: Doubles, y: Doubles, asked: Doubles, before: Fit, after: Fit) -> Any:
    """The curves with two standard deviations, before learning and after it."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for axis, result, title in zip(axes, (before, after), ("amplitude, length and noise 1", "learned"), strict=True):
        axis.fill_between(asked, result.mean - 2 * result.deviation, result.mean + 2 * result.deviation, alpha=0.25)
        axis.plot(asked, result.mean, label="mean, two standard deviations")
        axis.plot(asked, np.sin(1.5 * asked), "k--", linewidth=1, label="the sine that was measured")
        axis.plot(x, y, "k.", markersize=5)
        axis.set(title=title, xlabel="x")
    axes[1].legend(loc="lower left")
    return figure


def main() -> None:
    """Fit, print what was learned, and draw it."""
    options = arguments(__doc__, stops=False)
    (x, y), asked = measurements(), np.linspace(-6, 6, 241)
    before, after = fit(x, y, asked, steps=0), fit(x, y, asked)
    print(f"log-likelihood per measurement: {after.likelihoods[0]:.3f} before, {after.likelihoods[-1]:.3f} after")
    amplitude, length, noise = after.hyperparameters
    print(f"amplitude {amplitude:.2f}, length {length:.2f}, noise {noise:.2f} (which was 0.2)")
    save(draw(x, y, asked, before, after), options.output, "gaussian-process")


if __name__ == "__main__":
    main()
