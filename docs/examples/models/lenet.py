"""A network in the manner of LeNet, every shape stated: mypy with `typegrad.mypy_plugin` proves them all.

A convolution is a product of all windows of the image with the kernel; pooling is a maximum over two axes of a reshaped image.
The windows come from a loop, whose numbers a type checker does not follow: `expect` says what they must be, and is checked.

Source: LeCun et al., "Gradient-based learning applied to document recognition" (1998).
"""

from __future__ import annotations

from typing import Literal, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn, random
from typegrad.optimizers import GradientDescent

Batch = NewType("Batch", int)

Images: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[28], Literal[28]]]
Maps: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[12], Literal[12], Literal[6]]]
Logits: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]


class LeNet:
    """One convolution with pooling, two dense layers."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start at random."""
        self.kernel = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (25, 6), tg.TFloat32))
        self.hidden = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (864, 84), tg.TFloat32))
        self.bias = tg.Variable.create(scope, np.zeros(84, np.float32))
        self.out = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (84, 10), tg.TFloat32))

    def convolved(self, scope: tg.Scope, images: Images) -> Maps:
        """The maximum of each 2x2 field of the 24x24 responses to six kernels."""
        windows = [images[:, row : row + 24, column : column + 24] for row in range(5) for column in range(5)]
        patches = core.Pack.create(scope, windows, axis=3).expect(tg.TFloat32, (Batch, 24, 24, 25))
        responses = linalg.Einsum.create(scope, [patches, self.kernel.read(scope)], equation="byxp,pk->byxk")
        fields = core.Reshape.create(scope, responses, (-1, 12, 2, 12, 2, 6))
        return core.Max.create(scope, fields, (2, 4))

    def logits(self, scope: tg.Scope, images: Images) -> Logits:
        """The unnormalized log-probability of each digit."""
        flat = core.Reshape.create(scope, nn.Relu.create(scope, self.convolved(scope, images)), (-1, 864))
        hidden = nn.BiasAdd.create(scope, flat @ self.hidden.read(scope), self.bias.read(scope))
        return linalg.MatMul.create(scope, math.Tanh.create(scope, hidden), self.out.read(scope))


def main() -> None:
    """Take three training steps on random images."""
    scope = tg.Scope(tg.Graph(seed=1))
    images = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 28, 28))
    labels = core.Placeholder.create(scope, tg.TInt32, shape=(Batch,))
    logits = LeNet(scope).logits(scope, images)
    entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
    loss: tg.Operand[tg.TFloat32, tuple[()]] = math.Mean.create(scope, entropy.loss)
    step = GradientDescent(scope.graph, 0.0001).minimize(loss)
    rng = np.random.default_rng(0)
    batch = rng.random((16, 28, 28), np.float32)
    digits = rng.integers(0, 10, 16, np.int32)
    with tg.Session(scope.graph) as session:
        for _ in range(3):
            value, _ = session.run((loss, step), {images: batch, labels: digits})
            print(f"{value:.3f}")


if __name__ == "__main__":
    main()
