"""An image whose Gram matrices are those of another one: texture synthesis with random filters."""

from typing import Literal, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam

H = NewType("H", int)
W = NewType("W", int)
Image: TypeAlias = tg.Operand[tg.TFloat32, tuple[Literal[1], H, W, Literal[3]]]
SIZE = 16
CHANNELS = [8, 16]

rng = np.random.default_rng(0)
stripes = np.tile(np.array([[1.0], [0.0]]), (SIZE // 2, SIZE))[None, :, :, None] * np.ones(3)
start = rng.uniform(size=(1, SIZE, SIZE, 3)).astype(np.float32)

graph = tg.Graph()
scope = tg.Scope(graph)
style = core.Constant.create(scope, stripes.astype(np.float32))
image = tg.Variable.create(scope.with_name("image"), start)
filters: list[tg.Operand[tg.TFloat32]] = []
depth = 3
for n in CHANNELS:
    kernel = rng.normal(size=(3, 3, depth, n)) / np.sqrt(9 * depth)
    filters.append(core.Constant.create(scope, kernel.astype(np.float32)))
    depth = n


def features(x: tg.Operand[tg.TFloat32]) -> list[tg.Operand[tg.TFloat32]]:
    layers: list[tg.Operand[tg.TFloat32]] = []
    for i, kernel in enumerate(filters):
        if i > 0:
            x = nn.AvgPool.create(scope, x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        x = nn.Relu.create(scope, nn.Conv2d.create(scope, x, kernel, [1, 1, 1, 1], "SAME"))
        layers.append(x)
    return layers


def gram(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    channels = x.shape.as_ints()[-1]
    flat = core.Reshape.create(scope, x, (-1, channels))
    return linalg.MatMul.create(scope, flat, flat, transpose_a=True) / float(np.prod(x.shape.as_ints()))


style_loss = core.Constant.create(scope, 0.0)
for a, b in zip(features(image), features(style)):
    style_loss += core.Sum.create(scope, math.SquaredDifference.create(scope, gram(a), gram(b)))
rows = image[:, 1:] - image[:, :-1]
columns = image[:, :, 1:] - image[:, :, :-1]
smooth = math.Mean.create(scope, rows**2) + math.Mean.create(scope, columns**2)
loss = 100.0 * style_loss + 0.001 * smooth
train = Adam(graph, 0.05).minimize(loss, [image])
clip = image.assign(scope.with_control_dependencies([train]), core.ClipByValue.create(scope, image, 0.0, 1.0))

with tg.Session(graph) as session:
    before = session.run(style_loss)
    for _ in range(40):
        session.run(clip)
    after, result = session.run((style_loss, image))
print(before, after, result.shape, result.min(), result.max())
assert after < before
