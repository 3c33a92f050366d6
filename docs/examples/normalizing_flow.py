"""A normalizing flow: the density of two moons, learned by maximum likelihood.

An invertible map takes points x to points z that should be normal. The density of x is the normal density at z times
the absolute determinant of the map's derivative. Each block here is a matrix, with `LogMatrixDeterminant` for the
logarithm of its determinant, and an affine coupling: the first coordinate stays, and the second is scaled and shifted
by functions of the first, so that the determinant is the scale. The inverse of all blocks makes new points of normal
numbers.

All dimensions are named: mypy with `typegrad.mypy_plugin` proves the shapes.

Source: Dinh, Sohl-Dickstein and Bengio, "Density estimation using Real NVP" (2017); Kingma and Dhariwal, "Glow" (2018),
for the matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import Adam, CosineDecay

BLOCKS: Final = 6
HIDDEN: Final = 32
BATCH: Final = 256
STEPS: Final = 400
EXTENT: Final = 3.0
LOG_2_PI: Final = float(np.log(2 * np.pi))

Batch = NewType("Batch", int)

Floats = NDArray[np.float32]
Points: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]
Numbers: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch]]
Column: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[1]]]


class Block:
    """A matrix, then an affine coupling."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start with a quarter turn and with a coupling that changes nothing."""
        normal = initializers.RandomNormal(stddev=2)
        turn = np.array([[0, 1], [-1, 0]], np.float32)
        self.matrix = tg.Variable.create(scope.with_name("matrix"), turn)
        self.first = tg.Variable.create(scope.with_name("first"), normal(scope, (1, HIDDEN), tg.TFloat32))
        self.bias = tg.Variable.create(scope.with_name("bias"), normal(scope, (HIDDEN,), tg.TFloat32))
        self.second = tg.Variable.create(scope.with_name("second"), np.zeros((HIDDEN, 2), np.float32))

    def coupling(self, scope: tg.Scope, first: Column) -> tuple[Column, Column]:
        """The logarithm of the scale and the shift of the second coordinate, given the first."""
        hidden = math.Tanh.create(scope, first @ self.first + self.bias)
        both = hidden @ self.second
        return math.Tanh.create(scope, both[:, :1]), both[:, 1:]

    def forward(self, scope: tg.Scope, x: Points) -> tuple[Points, Numbers]:
        """The image of the points, and the logarithms of the absolute determinants."""
        turned = x @ self.matrix
        first, second = turned[:, :1], turned[:, 1:]
        log_scale, shift = self.coupling(scope, first)
        y = core.Concat.create(scope, [first, second * math.Exp.create(scope, log_scale) + shift], 1)
        return y, linalg.LogMatrixDeterminant.create(scope, self.matrix).log_abs_determinant + log_scale[:, 0]

    def inverse(self, scope: tg.Scope, y: Points) -> Points:
        """The points whose image is `y`."""
        first, second = y[:, :1], y[:, 1:]
        log_scale, shift = self.coupling(scope, first)
        turned = core.Concat.create(scope, [first, (second - shift) * math.Exp.create(scope, -log_scale)], 1)
        return turned @ linalg.Inv.create(scope, self.matrix)


class Flow:
    """Blocks, one after the other."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start with a map that only rotates."""
        self.blocks = [Block(scope.with_sub_scope("block")) for _ in range(BLOCKS)]

    def log_density(self, scope: tg.Scope, x: Points) -> Numbers:
        """The logarithm of the density at each point."""
        log_determinant: Numbers = core.ZerosLike.create(scope, x[:, 0])
        for block in self.blocks:
            x, more = block.forward(scope, x)
            log_determinant = log_determinant + more
        normal = core.Sum.create(scope, x * x * -0.5 - LOG_2_PI / 2, 1)
        return normal + log_determinant

    def samples(self, scope: tg.Scope, z: Points) -> Points:
        """New points from normal numbers."""
        for block in reversed(self.blocks):
            z = block.inverse(scope, z)
        return z


@dataclass(frozen=True)
class Result:
    """The negative log-likelihood of each step, the density on a grid, and new points."""

    losses: list[float]
    density: Floats
    samples: Floats

    @property
    def integral(self) -> float:
        """The integral of the density over the square of the grid."""
        return float(np.mean(self.density)) * (2 * EXTENT) ** 2


def moons(seed: int, count: int) -> Floats:
    """Points on two half circles that interlock, with noise."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, count)
    sign = rng.choice([-1, 1], count)
    moon = np.stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25], 1) * sign[:, None]
    points: Floats = (moon + 0.1 * rng.standard_normal(moon.shape)).astype(np.float32)
    return points


def grid(size: int = 120) -> Floats:
    """The centers of the cells of a square."""
    centers = (((np.arange(size) + 0.5) * 2 / size - 1) * EXTENT).astype(np.float32)
    columns, rows = np.meshgrid(centers, centers)
    return np.stack([columns.ravel(), rows.ravel()], 1)


def train(steps: int = STEPS) -> Result:
    """Fit the flow, with other points of the moons at each step."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    flow = Flow(scope)
    x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 2))
    log_density, samples = flow.log_density(scope, x), flow.samples(scope, x)
    loss = -math.Mean.create(scope, log_density)
    step = Adam(graph, CosineDecay(0.008, steps)).minimize(loss)
    normal = np.random.default_rng(0).standard_normal((BATCH, 2)).astype(np.float32)
    with tg.Session(graph) as session:
        losses = [float(session.run([loss, step], {x: moons(number, BATCH)})[0]) for number in range(steps)]
        density = np.exp(session.run(log_density, {x: grid()}))
        return Result(losses, density, session.run(samples, {x: normal}))


def draw(result: Result) -> Any:
    """The points, the learned density, and new points."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), sharex=True, sharey=True, layout="constrained")
    size = int(np.sqrt(len(result.density)))
    axes[0].plot(*moons(0, BATCH).T, ".", markersize=3)
    axes[1].imshow(result.density.reshape(size, size), origin="lower", extent=(-EXTENT, EXTENT, -EXTENT, EXTENT))
    axes[2].plot(*result.samples.T, ".", markersize=3, color="C1")
    for axis, title in zip(axes, ("two moons", "learned density", "new points"), strict=True):
        axis.set(title=title, xlim=(-2.2, 2.2), ylim=(-1.7, 1.7), aspect="equal")
    return figure


def main() -> None:
    """Fit the flow, print how well it fits, and draw what it learned."""
    options = arguments(__doc__, stops=False)
    result = train()
    print(f"negative log-likelihood per point: {result.losses[0]:.3f} at first, {result.losses[-1]:.3f} at last")
    print(f"integral of the density: {result.integral:.4f}")
    save(draw(result), options.output, "normalizing-flow")


if __name__ == "__main__":
    main()
