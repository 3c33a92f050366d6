"""A generative adversarial network for one-dimensional data."""

from collections.abc import Callable
from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
Activation = Callable[[tg.Scope, tg.Operand[tg.TFloat32]], tg.Operand[tg.TFloat32]]
noise_size = 4
hidden_size = 16


class MLP:
    """A stack of dense layers."""

    def __init__(self, scope: tg.Scope, sizes: list[int], activation: Activation) -> None:
        self.scope = scope
        self.activation = activation
        self.weights = [
            tg.Variable.create(scope.with_name("w"), functions.normal(scope, (m, n), stddev=m**-0.5))
            for m, n in zip(sizes[:-1], sizes[1:], strict=True)
        ]
        self.biases = [tg.Variable.create(scope.with_name("b"), np.zeros(n, np.float32)) for n in sizes[1:]]

    @property
    def variables(self) -> list[tg.Variable[tg.TFloat32]]:
        return [*self.weights, *self.biases]

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        for i, (w, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = x @ w + b
            if i < len(self.weights) - 1:
                x = self.activation(self.scope, x)
        return x


def leaky(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return nn.LeakyRelu.create(scope, x, alpha=0.1)


graph = tg.Graph(seed=7)
scope = tg.Scope(graph)
z = core.Placeholder.create(scope.with_name("z"), tg.TFloat32, (Batch, noise_size))
real = core.Placeholder.create(scope.with_name("real"), tg.TFloat32, (Batch, 1))
generator = MLP(scope.with_sub_scope("generator"), [noise_size, hidden_size, 1], leaky)
discriminator = MLP(scope.with_sub_scope("discriminator"), [1, hidden_size, 1], leaky)

fake = generator(z).expect(tg.TFloat32, (Batch, 1))
real_logits = discriminator(real)
fake_logits = discriminator(fake)
ones = core.OnesLike.create(scope, real_logits)
real_loss = functions.sigmoid_cross_entropy(scope, labels=ones, logits=real_logits)
fake_loss = functions.sigmoid_cross_entropy(scope, labels=core.ZerosLike.create(scope, fake_logits), logits=fake_logits)
d_loss = math.Mean.create(scope, real_loss) + math.Mean.create(scope, fake_loss)
g_loss = math.Mean.create(scope, functions.sigmoid_cross_entropy(scope, labels=ones, logits=fake_logits))
d_step = Adam(graph, 0.01, beta_1=0.5, name="d").minimize(d_loss, var_list=discriminator.variables)
g_step = Adam(graph, 0.01, beta_1=0.5, name="g").minimize(g_loss, var_list=generator.variables)

rng = np.random.default_rng(0)


def noise(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return rng.standard_normal((count, noise_size), dtype=np.float32)


with tg.Session(graph) as session:
    before = session.run(fake, {z: noise(200)}).mean()
    for _ in range(150):
        batch = rng.normal(3.0, 0.5, (32, 1)).astype(np.float32)
        session.run(d_step, {real: batch, z: noise(32)})
        session.run(g_step, {real: batch, z: noise(32)})
    samples = session.run(fake, {z: noise(200)})
assert abs(samples.mean() - 3.0) < abs(before - 3.0)
assert samples.shape == (200, 1)
