"""CLIP: pictures and captions in one space, each nearest to its own partner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, NewType

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.training.data import Dataset
from typegrad.training.optimizers import Adam, CosineDecay

Batch = NewType("Batch", int)
SPACE = 8
Embedded = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]


def unit(scope: tg.Scope, x: Embedded) -> Embedded:
    norm = core.Sum.create(scope, x * x, axis=-1, keep_dims=True)
    return x * math.Rsqrt.create(scope, norm + 1e-8)


class Encoder(ABC):
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.init = initializers.GlorotUniform()

    def weight(self, name: str, *shape: int) -> tg.Variable[tg.TFloat32]:
        return tg.Variable.create(self.scope.with_name(name), self.init(self.scope, shape, tg.TFloat32))

    @abstractmethod
    def embed(self, x: Any) -> Embedded: ...


class ImageEncoder(Encoder):
    def __init__(self, scope: tg.Scope) -> None:
        super().__init__(scope)
        self.filters = self.weight("filters", 3, 3, 1, 4)
        self.projection = self.weight("projection", 4, SPACE)

    @override
    def embed(self, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[8], Literal[8]]]) -> Embedded:
        images = core.ExpandDims.create(self.scope, x, 3)
        h = nn.Relu.create(self.scope, nn.Conv2d.create(self.scope, images, self.filters, [1, 2, 2, 1], "SAME"))
        pooled = math.Mean.create(self.scope, h, (1, 2))
        return unit(self.scope, linalg.MatMul.create(self.scope, pooled, self.projection))


class TextEncoder(Encoder):
    def __init__(self, scope: tg.Scope, words: int) -> None:
        super().__init__(scope)
        self.table = tg.Variable.create(
            scope.with_name("table"), np.random.default_rng(0).normal(size=(words, 12)).astype(np.float32)
        )
        self.projection = self.weight("projection", 12, SPACE)

    @override
    def embed(self, x: tg.Operand[tg.TInt32, tuple[Batch, Literal[5]]]) -> Embedded:
        vectors = self.table.gather(self.scope, x)
        present = dtypes.Cast.create(self.scope, x > 0, tg.TFloat32)[:, :, None]
        summed = core.Sum.create(self.scope, vectors * present, 1)
        mean = summed / (core.Sum.create(self.scope, present, 1) + 1e-6)
        return unit(self.scope, (mean @ self.projection).expect(tg.TFloat32, (Batch, SPACE)))


def symmetric_loss(
    scope: tg.Scope, images: Embedded, texts: Embedded, log_scale: tg.Variable[tg.TFloat32, tuple[()]]
) -> tg.Operand[tg.TFloat32, tuple[()]]:
    with scope:
        logits = math.Exp.create(scope, log_scale) * (images @ linalg.Transpose.create(scope, texts))
        partner = core.Range.create(scope, 0, core.Shape.create(scope, logits)[0], 1)
        by_image = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, partner).loss
        by_text = nn.SparseSoftmaxCrossEntropyWithLogits.create(
            scope, linalg.Transpose.create(scope, logits, (1, 0)), partner
        ).loss
        return (math.Mean.create(scope, by_image) + math.Mean.create(scope, by_text)) / 2


def pairs(rng: np.random.Generator, n: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    kinds = rng.integers(1, 5, n)
    pictures = rng.normal(0, 0.1, (n, 8, 8)).astype(np.float32)
    captions = np.zeros((n, 5), np.int32)
    for i, kind in enumerate(kinds):
        pictures[i, kind : kind + 2] += 1
        captions[i, : rng.integers(1, 6)] = kind
    return pictures, captions


def main() -> None:
    graph = tg.Graph(seed=6)
    scope = tg.Scope(graph)
    image = core.Placeholder.create(scope.with_name("image"), tg.TFloat32, (Batch, 8, 8))
    caption = core.Placeholder.create(scope.with_name("caption"), tg.TInt32, (Batch, 5))
    encoders = ImageEncoder(scope.with_sub_scope("image")), TextEncoder(scope.with_sub_scope("text"), words=6)
    log_scale = tg.Variable.create(scope.with_name("log_scale"), np.float32(np.log(10.0)))
    loss = symmetric_loss(scope, encoders[0].embed(image), encoders[1].embed(caption), log_scale)
    step = Adam(graph, CosineDecay(1e-2, decay_steps=20)).minimize(loss)
    dataset = Dataset.from_arrays(*pairs(np.random.default_rng(1), 64)).shuffle(seed=0).batch(16)
    with tg.Session(graph) as session:
        for pictures, captions in dataset:
            value, _ = session.run((loss, step), {image: pictures, caption: captions})
            assert np.isfinite(value)


main()
