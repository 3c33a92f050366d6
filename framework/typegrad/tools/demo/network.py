"""A multilayer perceptron."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias, final

import numpy as np

import typegrad as tg
from typegrad.op import math, nn, random

__all__ = ["Floats", "Labels", "Network", "mean_loss"]

Floats: TypeAlias = tg.Operand[tg.TFloat32]
Labels: TypeAlias = tg.Operand[tg.TInt32]


@final
class Layer:
    """x W + b, with trainable W and b."""

    def __init__(self, scope: tg.Scope, inputs: int, outputs: int) -> None:
        """Create W with random values scaled for rectified inputs (He et al., 2015), and b with zeros."""
        with scope:
            start = random.TruncatedNormal.create(scope, (inputs, outputs), tg.TFloat32) * np.sqrt(2 / inputs)
        self.weights = tg.Variable.create(scope.with_name("weights"), start)
        self.bias = tg.Variable.create(scope.with_name("bias"), np.zeros(outputs, np.float32))

    def apply(self, scope: tg.Scope, x: Floats) -> Floats:
        """The layer's value for each row of `x`."""
        with scope:
            return nn.BiasAdd.create(scope, x @ self.weights, self.bias)


@final
class Network:
    """Layers with rectifiers between them. Several calls share the weights."""

    def __init__(self, scope: tg.Scope, sizes: Sequence[int]) -> None:
        """Create the layers; `sizes` has the width of the input, of each hidden layer, and of the output."""
        self.layers = [
            Layer(scope.with_sub_scope(f"layer{number}"), inputs, outputs)
            for number, (inputs, outputs) in enumerate(pairwise(sizes), start=1)
        ]

    def logits(self, scope: tg.Scope, x: Floats) -> Floats:
        """The unnormalized log-probability of each class, for each row of `x`."""
        *hidden, last = self.layers
        for layer in hidden:
            x = nn.Relu.create(scope, layer.apply(scope, x))
        return last.apply(scope, x)


def mean_loss(scope: tg.Scope, logits: Floats, labels: Labels) -> Floats:
    """The cross-entropy of the predicted distributions with the true classes, averaged over the rows."""
    entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
    return math.Mean.create(scope, entropy.loss)
