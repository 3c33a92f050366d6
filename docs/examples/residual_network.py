"""A residual network with batch normalization: moving averages for inference, and what happens without.

A residual block adds its input to the result of two convolutions, so that gradients reach the first layer undiminished.
Batch normalization has two modes. In training, it subtracts the mean of the batch from each channel, and divides by the
standard deviation of the batch; moving averages of both are kept. In inference, it uses the averages, so that a result
does not depend on the rest of the batch. The network is built twice here, over the same variables, once for each mode,
and tested on batches of one class each. With `is_training` left on, the mean that is subtracted is the class's.

All dimensions are named: mypy with `typegrad.mypy_plugin` proves the shapes.

Source: He et al., "Deep residual learning for image recognition" (2016); Ioffe and Szegedy, "Batch normalization:
accelerating deep network training" (2015).
Data: scikit-learn's digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import typegrad as tg
from typegrad import functions, initializers
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam, CosineDecay

STEPS: Final = 80
BATCH: Final = 64
TESTED: Final = 300
CHANNELS: Final = 16

Batch = NewType("Batch", int)

Images: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8], Literal[8], Literal[1]]]
Features: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8], Literal[8], int]]
Maps: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8], Literal[8], Literal[16]]]
Logits: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]


class BatchNorm:
    """Scale, offset and moving averages for each channel."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start with the identity."""
        zeros, ones = np.zeros(CHANNELS, np.float32), np.ones(CHANNELS, np.float32)
        self.scale = tg.Variable.create(scope.with_name("scale"), ones)
        self.offset = tg.Variable.create(scope.with_name("offset"), zeros)
        self.mean = tg.Variable.create(scope.with_name("mean"), zeros, trainable=False)
        self.variance = tg.Variable.create(scope.with_name("variance"), ones, trainable=False)

    def apply(self, scope: tg.Scope, x: Maps, *, training: bool) -> Maps:
        """Each channel normalized; in training, the averages are updated."""
        norm = nn.FusedBatchNorm.create(
            scope,
            x,
            self.scale,
            self.offset,
            self.mean,
            self.variance,
            exponential_avg_factor=0.1,
            is_training=training,
        )
        if training:
            self.updates = self.mean.assign(scope, norm.batch_mean), self.variance.assign(scope, norm.batch_variance)
        return norm.y


class Layer:
    """A convolution with batch normalization."""

    def __init__(self, scope: tg.Scope, channels: int) -> None:
        """Start at random."""
        filters = initializers.HeNormal()(scope, (3, 3, channels, CHANNELS), tg.TFloat32)
        self.filters = tg.Variable.create(scope.with_name("filters"), filters)
        self.norm = BatchNorm(scope)

    def apply(self, scope: tg.Scope, x: Features, *, training: bool) -> Maps:
        """The normalized features."""
        return self.norm.apply(scope, nn.Conv2d.create(scope, x, self.filters, (1, 1, 1, 1), "SAME"), training=training)


class Network:
    """A convolution, two residual blocks, and a dense layer over the mean of each channel."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start at random, with equal probabilities."""
        self.stem = Layer(scope, 1)
        self.blocks = [(Layer(scope, CHANNELS), Layer(scope, CHANNELS)) for _ in range(2)]
        self.out = tg.Variable.create(scope.with_name("out"), np.zeros((CHANNELS, 10), np.float32))

    def logits(self, scope: tg.Scope, images: Images, *, training: bool) -> Logits:
        """The unnormalized log-probability of each class."""
        x = nn.Relu.create(scope, self.stem.apply(scope, images, training=training))
        for first, second in self.blocks:
            inner = nn.Relu.create(scope, first.apply(scope, x, training=training))
            x = nn.Relu.create(scope, x + second.apply(scope, inner, training=training))
        return math.Mean.create(scope, x, (1, 2)) @ self.out

    def updates(self) -> list[tg.Op]:
        """The updates of all moving averages."""
        layers = [self.stem, *(layer for block in self.blocks for layer in block)]
        return [update for layer in layers for update in layer.norm.updates]


@dataclass(frozen=True)
class Result:
    """The loss of each step, and every ten steps the accuracy by moving averages and by the statistics of a batch."""

    losses: list[float]
    by_averages: list[float]
    by_batch: list[float]


def data() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Images of digits, and the digits."""
    pixels, labels = load_digits(return_X_y=True)
    return (pixels / 16).astype(np.float32).reshape(-1, 8, 8, 1), labels


def train(steps: int = STEPS) -> Result:
    """Train on most digits, and test on batches of the others, each of one class."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    network = Network(scope)
    x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8, 8, 1))
    label = core.Placeholder.create(scope, tg.TInt64, (Batch,))
    training, inference = (network.logits(scope, x, training=each) for each in (True, False))
    loss = math.Mean.create(scope, nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, training, label).loss)
    step = functions.group(scope, Adam(graph, CosineDecay(0.03, steps)).minimize(loss), *network.updates())
    guesses = [math.ArgMax.create(scope, logits, 1) for logits in (inference, training)]

    def accuracy(guess: tg.Operand[tg.TInt64, tuple[Batch]]) -> float:
        right = [session.run(guess, {x: images[:TESTED][labels[:TESTED] == each]}) == each for each in range(10)]
        return float(np.mean(np.concatenate(right)))

    images, labels = data()
    rng = np.random.default_rng(0)
    result = Result([], [], [])
    with tg.Session(graph) as session:
        for number in range(steps):
            batch = rng.integers(TESTED, len(images), BATCH)
            value, _ = session.run([loss, step], {x: images[batch], label: labels[batch]})
            result.losses.append(float(value))
            if number % 10 == 9:
                result.by_averages.append(accuracy(guesses[0]))
                result.by_batch.append(accuracy(guesses[1]))
    return result


def draw(result: Result) -> Any:
    """The loss, and both accuracies."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    axes[0].semilogy(result.losses)
    axes[0].set(title="loss", xlabel="step")
    steps = np.arange(1, len(result.by_averages) + 1) * 10
    axes[1].plot(steps, result.by_averages, label="by moving averages")
    axes[1].plot(steps, result.by_batch, label="by the statistics of the batch")
    axes[1].set(title="accuracy on batches of one class", xlabel="step", ylim=(0, 1.05))
    axes[1].legend(loc="center right")
    return figure


def main() -> None:
    """Train, print the accuracies, and draw them."""
    options = arguments(__doc__, stops=False)
    result = train()
    print(f"loss: {result.losses[0]:.3f} at first, {result.losses[-1]:.3f} at last")
    print(f"test digits recognized, by moving averages: {result.by_averages[-1]:.1%}")
    print(f"with is_training forgotten: {result.by_batch[-1]:.1%}")
    save(draw(result), options.output, "residual-network")


if __name__ == "__main__":
    main()
