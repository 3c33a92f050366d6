"""A U-Net that removes noise from pictures."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import activations, initializers
from typegrad.op import core, math, nn
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
SIZE = 16
CHANNELS = (4, 8)


def conv(scope: tg.Scope, x: tg.Operand[tg.TFloat32], outputs: int) -> tg.Operand[tg.TFloat32]:
    inputs = x.shape[-1]
    assert isinstance(inputs, int)
    w = tg.Variable.create(scope, initializers.HeUniform()(scope, (3, 3, inputs, outputs), tg.TFloat32))
    b = tg.Variable.create(scope, np.zeros(outputs, np.float32))
    return activations.elu(scope, nn.BiasAdd.create(scope, nn.Conv2d.create(scope, x, w, (1, 1, 1, 1), "SAME"), b))


def down(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return nn.MaxPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


def up(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    """Each pixel twice in both directions."""
    _, height, width, channels = x.shape
    assert isinstance(height, int) and isinstance(width, int) and isinstance(channels, int)
    tall = core.Reshape.create(scope, x, (-1, height, 1, width, 1, channels))
    tiled = core.Tile.create(scope, tall, (1, 1, 2, 1, 2, 1))
    return core.Reshape.create(scope, tiled, (-1, 2 * height, 2 * width, channels))


def unet(
    scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[16], Literal[16], Literal[1]]]
) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[16], Literal[16], Literal[1]]]:
    skips: list[tg.Operand[tg.TFloat32]] = []
    h: tg.Operand[tg.TFloat32] = x
    for channels in CHANNELS:
        h = conv(scope, h, channels)
        skips.append(h)
        h = down(scope, h)
    h = conv(scope, h, 2 * CHANNELS[-1])
    for skip, channels in zip(reversed(skips), reversed(CHANNELS), strict=True):
        h = core.Concat.create(scope, [up(scope, h), skip], -1)
        h = conv(scope, h, channels)
    w = tg.Variable.create(scope, np.zeros((1, 1, CHANNELS[0], 1), np.float32))
    change = nn.Conv2d.create(scope, h, w, (1, 1, 1, 1), "VALID")
    return x + change.expect(tg.TFloat32, (Batch, SIZE, SIZE, 1))


graph = tg.Graph(seed=4)
scope = tg.Scope(graph)
noisy = core.Placeholder.create(scope.with_name("noisy"), tg.TFloat32, (Batch, SIZE, SIZE, 1))
clean = core.Placeholder.create(scope.with_name("clean"), tg.TFloat32, (Batch, SIZE, SIZE, 1))
restored = unet(scope, noisy)
loss = math.Mean.create(scope, math.Square.create(scope, restored - clean))
step = Adam(graph, learning_rate=0.01).minimize(loss)

rng = np.random.default_rng(0)
coordinates = np.linspace(-1, 1, SIZE)
disc = (coordinates[:, None] ** 2 + coordinates**2 < 0.5).astype(np.float32)
truth = np.broadcast_to(disc[..., None], (8, SIZE, SIZE, 1)).astype(np.float32)
disturbed = truth + rng.normal(0, 0.3, truth.shape).astype(np.float32)
with tg.Session(graph) as session:
    before = session.run(loss, {noisy: disturbed, clean: truth})
    for _ in range(30):
        session.run(step, {noisy: disturbed, clean: truth})
    after = session.run(loss, {noisy: disturbed, clean: truth})
    picture = session.run(restored, {noisy: disturbed})
assert after < 0.6 * before, (before, after)
assert picture.shape == (8, SIZE, SIZE, 1)
