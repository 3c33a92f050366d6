"""Contrastive divergence: a restricted Boltzmann machine of handwritten digits, with the samples behind StopGradient.

The machine gives a picture v the free energy F(v) = -v·b - sum of softplus(v W + c). The gradient of the log-likelihood
is the gradient of F(sample of the model) - F(data) at fixed samples: it does not include the sampling. CD-k draws the
samples by k steps of Gibbs sampling from the data. The chain is in the same graph and uses the same weights, and its
last step, kept as probabilities, is differentiable, so the samples go through StopGradient. Then the gradient is the
textbook's update, <v h> of the data minus <v h> of the samples. Without it, the gradient also flows through the chain,
which is a different, wrong update.

Source: Hinton, "Training products of experts by minimizing contrastive divergence" (2002). Data: scikit-learn's digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn, random
from typegrad.training.optimizers import GradientDescent

PIXELS, HIDDEN, BATCH, EPOCHS, LEARNING_RATE = 64, 96, 50, 60, 0.1

Floats = tg.Operand[tg.TFloat32]
Array = NDArray[np.float32]


def digits() -> Array:
    """1797 digits of 8 x 8 pixels, each 0 or 1."""
    images: Array = (load_digits(return_X_y=True)[0] > 7).astype(np.float32)
    return images


@final
class Machine:
    """The weights, and the operations on them."""

    def __init__(self, scope: tg.Scope) -> None:
        """Weights small and random, biases zero."""
        small = random.RandomStandardNormal.create(scope.with_name("normal"), (PIXELS, HIDDEN), tg.TFloat32) * 0.05
        self.weights = tg.Variable.create(scope.with_name("weights"), small)
        self.visible = tg.Variable.create(scope.with_name("visible"), np.zeros(PIXELS, np.float32))
        self.hidden = tg.Variable.create(scope.with_name("hidden"), np.zeros(HIDDEN, np.float32))

    def hidden_input(self, scope: tg.Scope, v: Floats) -> Floats:
        """v W + c."""
        return nn.BiasAdd.create(scope, v @ self.weights, self.hidden)

    def probabilities(self, scope: tg.Scope, h: Floats) -> Floats:
        """The probability that each pixel is set, for these hidden units."""
        inputs = linalg.MatMul.create(scope, h, self.weights, transpose_b=True)
        return math.Sigmoid.create(scope, nn.BiasAdd.create(scope, inputs, self.visible))

    def free_energy(self, scope: tg.Scope, v: Floats) -> Floats:
        """F(v), averaged over the pictures."""
        linear = core.Sum.create(scope, v * self.visible, 1)
        softplus = core.Sum.create(scope, math.Softplus.create(scope, self.hidden_input(scope, v)), 1)
        return math.Mean.create(scope, -linear - softplus)

    def gibbs(self, scope: tg.Scope, v: Floats, steps: int) -> Floats:
        """The end of a chain of Gibbs sampling from `v`: the probabilities of the pixels in its last step."""
        for step in range(1, steps + 1):
            h = sample(scope, math.Sigmoid.create(scope, self.hidden_input(scope, v)), f"hidden_sample{step}")
            v = self.probabilities(scope, h)
            if step < steps:
                v = sample(scope, v, f"visible_sample{step}")
        return v

    def reconstruction(self, scope: tg.Scope, v: Floats) -> Floats:
        """The reconstructed pictures: to the hidden units and back, without sampling."""
        return self.probabilities(scope, math.Sigmoid.create(scope, self.hidden_input(scope, v)))


def sample(scope: tg.Scope, p: Floats, name: str) -> Floats:
    """1 with probability `p`, else 0."""
    draw = random.RandomUniform.create(scope.with_name(name), core.Shape.create(scope, p), tg.TFloat32)
    return dtypes.Cast.create(scope, draw < p, tg.TFloat32)


def textbook_update(scope: tg.Scope, machine: Machine, data: Floats, samples: Floats) -> Floats:
    """Minus the gradient for the weights, written by hand: (v^T h of the data - v^T h of the samples) / batch."""
    phases = []
    for v in (data, samples):
        h = math.Sigmoid.create(scope, machine.hidden_input(scope, v))
        phases.append(linalg.MatMul.create(scope, v, h, transpose_a=True) / float(BATCH))
    return phases[0] - phases[1]


@dataclass(frozen=True)
class Result:
    """The error of each epoch, digits with reconstructions, and the difference from the textbook's update."""

    errors: list[float]
    digits: Array
    reconstructions: Array
    difference: float


def train(images: Array, *, steps: int = 1, stop: bool = True, epochs: int = EPOCHS) -> Result:
    """CD-`steps`, from a fixed seed."""
    graph = tg.Graph(seed=0)
    scope = tg.Scope(graph)
    data = core.Placeholder.create(scope, tg.TFloat32, (None, PIXELS))
    machine = Machine(scope)
    samples = machine.gibbs(scope, data, steps)
    if stop:
        samples = core.StopGradient.create(scope, samples)
    loss = machine.free_energy(scope, data) - machine.free_energy(scope, samples)
    optimizer = GradientDescent(graph, LEARNING_RATE)
    gradients = optimizer.compute_gradients(loss)
    ours = next(gradient for gradient, variable in gradients if variable is machine.weights)
    assert ours is not None
    difference = core.Max.create(scope, math.Abs.create(scope, ours + textbook_update(scope, machine, data, samples)))
    step = optimizer.apply_gradients(gradients)  # created last: state is read and written in the order of creation
    reconstruction = machine.reconstruction(scope, data)
    error = math.Mean.create(scope, math.Square.create(scope, data - reconstruction))

    order = np.random.default_rng(0)
    errors, differences = [], []
    with tg.Session(graph) as session:
        for _ in range(epochs):
            for batch in np.array_split(order.permutation(len(images)), len(images) // BATCH):
                full = images[batch[:BATCH]] if len(batch) >= BATCH else images[:BATCH]
                differences.append(float(session.run([difference, step], {data: full})[0]))
            errors.append(float(session.run(error, {data: images})))
        shown = images[:20]
        return Result(errors, shown, session.run(reconstruction, {data: shown}), max(differences))


def draw(result: Result) -> Any:
    """Digits above their reconstructions."""
    figure, axes = plt.subplots(2, len(result.digits), figsize=(12, 1.8), layout="constrained")
    for column, pair in enumerate(zip(result.digits, result.reconstructions, strict=True)):
        for row, picture in enumerate(pair):
            axes[row, column].imshow(picture.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
            axes[row, column].set(xticks=[], yticks=[])
    axes[0, 0].set_ylabel("digit")
    axes[1, 0].set_ylabel("machine")
    return figure


def main() -> None:
    """Train with CD-1 and CD-5, print errors and differences from the textbook's update, and draw reconstructions."""
    options = arguments(__doc__)
    for steps in (1, 5):
        result = train(digits(), steps=steps, stop=not options.without_stop_gradient)
        print(
            f"CD-{steps}: reconstruction error {result.errors[0]:.4f} after one epoch, {result.errors[-1]:.4f} at "
            f"the end; update differs from the textbook's by {result.difference:.1e} at most"
        )
        save(draw(result), options.output, f"boltzmann-machine-cd{steps}")


if __name__ == "__main__":
    main()
