"""A network similar to LeNet with all shapes stated: mypy with `typegrad.mypy_plugin` proves them.

Source: LeCun et al., "Gradient-based learning applied to document recognition" (1998).
"""

from __future__ import annotations

from typing import Literal, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn, random
from typegrad.training.optimizers import GradientDescent

Batch = NewType("Batch", int)

Images: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[28], Literal[28], Literal[1]]]
Maps: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[5], Literal[5], Literal[16]]]
Logits: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]


class LeNet:
    """Two convolutions, each with pooling, and two dense layers."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start at random."""
        self.first = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (5, 5, 1, 6), tg.TFloat32) * 0.2)
        self.second = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (5, 5, 6, 16), tg.TFloat32) * 0.1)
        self.hidden = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (400, 84), tg.TFloat32) * 0.1)
        self.bias = tg.Variable.create(scope, np.zeros(84, np.float32))
        self.out = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (84, 10), tg.TFloat32) * 0.1)

    def maps(self, scope: tg.Scope, images: Images) -> Maps:
        """The feature maps, at less than a quarter of the resolution: 28 rows, then 14, then 10, then 5."""
        strides, window = (1, 1, 1, 1), (1, 2, 2, 1)
        features = nn.Conv2d.create(scope, images, self.first, strides, "SAME")
        active = nn.Relu.create(scope, features)
        half = nn.MaxPool.create(scope, active, window, window, "VALID")
        features = nn.Conv2d.create(scope, half, self.second, strides, "VALID")
        active = nn.Relu.create(scope, features)
        return nn.MaxPool.create(scope, active, window, window, "VALID")

    def logits(self, scope: tg.Scope, images: Images) -> Logits:
        """The unnormalized log-probability of each digit."""
        flat = core.Reshape.create(scope, self.maps(scope, images), (-1, 400))
        hidden = nn.BiasAdd.create(scope, flat @ self.hidden, self.bias)
        return linalg.MatMul.create(scope, math.Tanh.create(scope, hidden), self.out)


def main() -> None:
    """Take three training steps on random images."""
    scope = tg.Scope(tg.Graph(seed=1))
    images = core.Placeholder.create(scope, tg.TFloat32, (Batch, 28, 28, 1))
    labels = core.Placeholder.create(scope, tg.TInt32, (Batch,))
    logits = LeNet(scope).logits(scope, images)
    entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
    loss: tg.Operand[tg.TFloat32, tuple[()]] = math.Mean.create(scope, entropy.loss)
    step = GradientDescent(scope.graph, 0.1).minimize(loss)
    rng = np.random.default_rng(0)
    batch = rng.random((16, 28, 28, 1), np.float32)
    digits = rng.integers(0, 10, 16, np.int32)
    with tg.Session(scope.graph) as session:
        for _ in range(3):
            value, _ = session.run((loss, step), {images: batch, labels: digits})
            print(f"{value:.3f}")


if __name__ == "__main__":
    main()
