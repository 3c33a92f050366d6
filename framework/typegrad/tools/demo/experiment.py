"""A graph with the network, the attack and two training steps, and the session that runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

import typegrad as tg
from typegrad.base.array import Array
from typegrad.op import core, math
from typegrad.tools.demo.attack import fast_gradient_sign
from typegrad.tools.demo.digits import CLASSES, PIXELS, Digits
from typegrad.tools.demo.network import Network, mean_loss
from typegrad.training.data import Dataset
from typegrad.training.loop import fit
from typegrad.training.optimizers import GradientDescent

__all__ = ["PERTURBATION", "Experiment", "Result"]

HIDDEN = (128, 64)
BATCH = 32
LEARNING_RATE = 0.1
PERTURBATION = 0.15


@dataclass(frozen=True)
class Result:
    """The network's predictions for digits and for adversarial examples made from them."""

    digits: Digits
    predicted: Array
    adversarial: Array
    predicted_adversarial: Array

    @property
    def accuracy(self) -> float:
        """The accuracy on the digits."""
        return float(np.mean(self.predicted == self.digits.labels))

    @property
    def adversarial_accuracy(self) -> float:
        """The accuracy on the adversarial examples."""
        return float(np.mean(self.predicted_adversarial == self.digits.labels))


@final
class Experiment:
    """The whole computation in one graph; each method runs a part of it."""

    def __init__(self, seed: int) -> None:
        """Build the graph, and open a session on it."""
        graph = tg.Graph(seed=seed)
        scope = tg.Scope(graph)
        self.images = core.Placeholder.create(scope.with_name("images"), tg.TFloat32, shape=(None, PIXELS))
        self.labels = core.Placeholder.create(scope.with_name("labels"), tg.TInt32, shape=(None,))
        network = Network(scope, (PIXELS, *HIDDEN, CLASSES))

        logits = network.logits(scope, self.images)
        loss = mean_loss(scope, logits, self.labels)
        self.adversarial = fast_gradient_sign(scope, self.images, loss, PERTURBATION)
        adversarial_logits = network.logits(scope, self.adversarial)
        adversarial_loss = mean_loss(scope, adversarial_logits, self.labels)

        optimizer = GradientDescent(graph, LEARNING_RATE)
        self.plain_step = optimizer.minimize(loss)
        self.adversarial_step = optimizer.minimize(loss + adversarial_loss)
        self.predicted = math.ArgMax.create(scope, logits, 1)
        self.predicted_adversarial = math.ArgMax.create(scope, adversarial_logits, 1)
        self.graph = graph
        self.session = tg.Session(graph)

    @property
    def parameters(self) -> int:
        """The number of trainable parameters."""
        return sum(self.session.value(variable).size for variable in self.graph.trainable_variables)

    def train(self, step: core.NoOp, digits: Digits, epochs: int, seed: int, progress: Callable[[], object]) -> None:
        """Run `plain_step` or `adversarial_step` on all digits, in a new random order in each epoch."""
        batches = Dataset.from_arrays(digits.images, digits.labels).shuffle(seed).batch(BATCH)
        fed = (self.images, self.labels)
        fit(self.session, step, batches, fed, epochs=epochs, after_epoch=lambda _: progress())

    def evaluate(self, digits: Digits) -> Result:
        """Attack the current network and evaluate it."""
        fetches = (self.predicted, self.adversarial, self.predicted_adversarial)
        feeds: tg.Feeds = {self.images: digits.images, self.labels: digits.labels}
        return Result(digits, *self.session.run(fetches, feeds))
