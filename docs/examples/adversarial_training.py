"""Adversarial training, with the computation of the examples behind StopGradient.

An adversarial example is a digit moved a little, along the gradient of the loss with respect to its pixels. Training on
such examples makes the network robust. They are computed in the same graph, from the current weights, by a
differentiable rule (the gradient, scaled to a fixed length). But the network should learn to classify the examples, not
to turn its own gradient into a harmless direction: the examples go through StopGradient. Without it, each step
differentiates the gradient again. That needs half as many operations more and twice the time, and its accuracy is
misleading: the network is more robust against the attack that it was trained on, and less against examples made for
another network.

Source: Goodfellow, Shlens and Szegedy, "Explaining and harnessing adversarial examples" (2015). Data: scikit-learn's
digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, final

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save

import typegrad as tg
from typegrad.op import core, math
from typegrad.tools.demo.digits import CLASSES, PIXELS, Digits, load
from typegrad.tools.demo.network import Floats, Network, mean_loss
from typegrad.training import fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import GradientDescent

SIZE, EPOCHS, BATCH, LEARNING_RATE = 1.0, 40, 64, 0.1


def attack(scope: tg.Scope, images: Floats, loss: Floats, *, stop: bool) -> Floats:
    """Each image moved by SIZE along the gradient of its loss."""
    with scope.with_sub_scope("attack") as scope:
        gradient = tg.grad(scope, loss, images)
        squares = core.Sum.create(scope, gradient * gradient, 1, keep_dims=True)
        moved: Floats = images + gradient * math.Rsqrt.create(scope, squares + 1e-12) * SIZE
        return core.StopGradient.create(scope, moved) if stop else moved


@final
class Classifier:
    """A network, the attack on it, and its training, in one graph."""

    def __init__(self, *, adversarial: bool, stop: bool = True) -> None:
        """Train on clean digits alone, or on clean and adversarial ones."""
        graph = tg.Graph(seed=0)
        scope = tg.Scope(graph)
        self.images = core.Placeholder.create(scope, tg.TFloat32, (None, PIXELS))
        self.labels = core.Placeholder.create(scope, tg.TInt32, (None,))
        network = Network(scope, (PIXELS, 64, CLASSES))
        logits = network.logits(scope, self.images)
        loss = mean_loss(scope, logits, self.labels)
        self.attacked = attack(scope, self.images, loss, stop=stop)
        if adversarial:
            loss = loss + mean_loss(scope, network.logits(scope, self.attacked), self.labels)
        self.step = GradientDescent(graph, LEARNING_RATE).minimize(loss)
        self.guess = math.ArgMax.create(scope, logits, 1)
        self.session = tg.Session(graph)
        self.operations = len(graph)

    def train(self, digits: Digits, epochs: int) -> float:
        """Train; the seconds it took."""
        batches = Dataset.from_arrays(digits.images, digits.labels).shuffle(seed=0).batch(BATCH)
        start = perf_counter()
        fit(self.session, self.step, batches, (self.images, self.labels), epochs=epochs)
        return perf_counter() - start

    def adversarial(self, digits: Digits) -> Digits:
        """The adversarial examples of the digits for this network."""
        return Digits(
            self.session.run(self.attacked, {self.images: digits.images, self.labels: digits.labels}), digits.labels
        )

    def accuracy(self, digits: Digits) -> float:
        """The accuracy on the digits."""
        return float(np.mean(self.session.run(self.guess, {self.images: digits.images}) == digits.labels))


@dataclass(frozen=True)
class Result:
    """Accuracies on clean test digits, and on examples made for this network and for another one."""

    clean: float
    own: float
    borrowed: float
    operations: int
    seconds: float


def compare(*, stop: bool, epochs: int = EPOCHS) -> dict[str, Result]:
    """Train a network on clean and one on adversarial digits; test each on the examples made for the other."""
    training, test = load(seed=0)
    networks = {
        "clean training": Classifier(adversarial=False),
        "adversarial training": Classifier(adversarial=True, stop=stop),
    }
    seconds = [network.train(training, epochs) for network in networks.values()]
    examples = [network.adversarial(test) for network in networks.values()]
    return {
        name: Result(
            network.accuracy(test), network.accuracy(own), network.accuracy(borrowed), network.operations, time
        )
        for (name, network), own, borrowed, time in zip(
            networks.items(), examples, reversed(examples), seconds, strict=True
        )
    }


def draw(results: dict[str, Result]) -> Any:
    """The accuracies of both networks side by side."""
    figure, axis = plt.subplots(figsize=(7, 3.6), layout="constrained")
    kinds = {"clean": "clean digits", "own": "moved against this network", "borrowed": "moved against the other"}
    for offset, (name, result) in zip((-0.2, 0.2), results.items(), strict=True):
        bars = axis.bar(np.arange(3) + offset, [getattr(result, kind) for kind in kinds], 0.38, label=name)
        axis.bar_label(bars, fmt="{:.0%}")
    axis.set(xticks=range(3), xticklabels=list(kinds.values()), ylabel="test digits recognized", ylim=(0, 1.1))
    axis.legend()
    return figure


def main() -> None:
    """Train both networks, print a table, and draw it."""
    options = arguments(__doc__)
    results = compare(stop=not options.without_stop_gradient)
    for name, result in results.items():
        print(
            f"{name:20}  clean {result.clean:6.1%}  attacked {result.own:6.1%}  by examples for the other "
            f"{result.borrowed:6.1%}  ({result.operations} operations, {result.seconds:.1f} s)"
        )
    save(draw(results), options.output, "adversarial-training")


if __name__ == "__main__":
    main()
