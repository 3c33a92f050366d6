"""A variational autoencoder of points on a curve."""

from typing import Literal, NamedTuple, NewType

import numpy as np

import typegrad as tg
from typegrad import activations, initializers
from typegrad.op import core, math, random
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
INPUTS = 8
LATENT = 2
HIDDEN = 16

Vector = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
Code = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]


class Gaussian(NamedTuple):
    mean: Code
    log_variance: Code


class Dense:
    def __init__(self, scope: tg.Scope, inputs: int, outputs: int) -> None:
        self.w = tg.Variable.create(scope, initializers.GlorotNormal()(scope, (inputs, outputs), tg.TFloat32))
        self.b = tg.Variable.create(scope, np.zeros(outputs, np.float32))

    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32, tuple[int, int]]:
        return x @ self.w + self.b


class VAE:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.encoder = [Dense(scope, INPUTS, HIDDEN), Dense(scope, HIDDEN, 2 * LATENT)]
        self.decoder = [Dense(scope, LATENT, HIDDEN), Dense(scope, HIDDEN, INPUTS)]

    def encode(self, x: Vector) -> Gaussian:
        h = activations.tanh(self.scope, self.encoder[0](x))
        parameters = self.encoder[1](h)
        mean, log_variance = core.Split.create(self.scope, 1, parameters, 2)
        return Gaussian(mean.expect(tg.TFloat32, (Batch, 2)), log_variance.expect(tg.TFloat32, (Batch, 2)))

    def sample(self, code: Gaussian) -> Code:
        noise = random.RandomStandardNormal.create(self.scope, core.Shape.create(self.scope, code.mean), tg.TFloat32)
        return code.mean + math.Exp.create(self.scope, 0.5 * code.log_variance) * noise

    def decode(self, z: Code) -> Vector:
        h = activations.tanh(self.scope, self.decoder[0](z))
        return self.decoder[1](h).expect(tg.TFloat32, (Batch, 8))


def kl_divergence(scope: tg.Scope, code: Gaussian) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
    variance = math.Exp.create(scope, code.log_variance)
    return -0.5 * core.Sum.create(scope, 1.0 + code.log_variance - code.mean**2.0 - variance, 1)


graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, INPUTS))
vae = VAE(scope)
code = vae.encode(x)
reconstruction = vae.decode(vae.sample(code))
squared = core.Sum.create(scope, math.SquaredDifference.create(scope, x, reconstruction), 1)
loss = math.Mean.create(scope, squared + 0.01 * kl_divergence(scope, code))
step = Adam(graph, 0.01).minimize(loss)

angles = np.random.default_rng(0).uniform(0, 2 * np.pi, (64, 1))
points = np.sin(angles + np.arange(INPUTS)).astype(np.float32)
with tg.Session(graph) as session:
    start = session.run(loss, {x: points})
    for _ in range(100):
        session.run(step, {x: points})
    end = session.run(loss, {x: points})
    means, variances = session.run((code.mean, code.log_variance), {x: points[:4]})
assert end < 0.4 * start, (start, end)
assert means.shape == variances.shape == (4, LATENT)
