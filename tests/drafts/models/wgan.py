"""A Wasserstein GAN with gradient penalty, in one dimension."""

from dataclasses import dataclass, field
from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, math, nn, random
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
BETA_1, BETA_2 = 0.5, 0.9


@dataclass
class MLP:
    scope: tg.Scope
    sizes: tuple[int, ...]
    weights: list[tg.Variable[tg.TFloat32]] = field(default_factory=list)
    biases: list[tg.Variable[tg.TFloat32]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for i, (n, m) in enumerate(zip(self.sizes[:-1], self.sizes[1:])):
            init = functions.normal(self.scope, (n, m), stddev=1.0 / n**0.5)
            self.weights.append(tg.Variable.create(self.scope.with_name(f"w{i}"), init))
            self.biases.append(tg.Variable.create(self.scope.with_name(f"b{i}"), np.zeros(m, np.float32)))

    @property
    def variables(self) -> list[tg.Variable]:
        return self.weights + self.biases

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        *hidden, last = zip(self.weights, self.biases)
        for w, b in hidden:
            x = nn.LeakyRelu.create(self.scope, x @ w + b, alpha=0.2)
        w, b = last
        return x @ w + b


graph = tg.Graph(seed=7)
scope = tg.Scope(graph)
real = core.Placeholder.create(scope.with_name("real"), tg.TFloat32, (Batch, 1))
noise = core.Placeholder.create(scope.with_name("noise"), tg.TFloat32, (Batch, 4))
generator = MLP(scope.with_sub_scope("generator"), (4, 16, 1))
critic = MLP(scope.with_sub_scope("critic"), (1, 16, 16, 1))

fake = generator(noise).expect(tg.TFloat32, (Batch, 1))
critic_loss = math.Mean.create(scope, critic(fake)) - math.Mean.create(scope, critic(real))
mix = random.RandomUniform.create(scope, core.Shape.create(scope, real), tg.TFloat32)
between = mix * real + (1.0 - mix) * fake
slopes = tg.grad(scope, critic(between), between)
norms = math.Sqrt.create(scope, core.Sum.create(scope, slopes**2, axis=1) + 1e-12)
penalty = 10.0 * math.Mean.create(scope, (norms - 1.0) ** 2)
generator_loss = -math.Mean.create(scope, critic(fake))


train_critic = Adam(graph, 2e-3, beta_1=BETA_1, beta_2=BETA_2).minimize(critic_loss + penalty, critic.variables)
train_generator = Adam(graph, 2e-3, beta_1=BETA_1, beta_2=BETA_2).minimize(generator_loss, generator.variables)

rng = np.random.default_rng(0)
distance = np.float32(0)
with tg.Session(graph) as session:
    for _ in range(60):
        for _ in range(3):
            batch = {
                real: rng.normal(3.0, 0.5, (32, 1)).astype(np.float32),
                noise: rng.normal(size=(32, 4)).astype(np.float32),
            }
            _, distance = session.run((train_critic, critic_loss), batch)
        session.run(train_generator, {noise: rng.normal(size=(32, 4)).astype(np.float32)})
    samples = session.run(fake, {noise: rng.normal(size=(100, 4)).astype(np.float32)})
print("mean", samples.mean(), "distance", -float(distance))
