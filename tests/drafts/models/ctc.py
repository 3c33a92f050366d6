"""Connectionist temporal classification on a toy: long noisy frames, short labels."""

from typing import Literal, NewType

import numpy as np
from numpy.typing import NDArray

import typegrad as tg
from typegrad import initializers
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import Adam

Time = NewType("Time", int)
Batch = NewType("Batch", int)
Frames = tg.Operand[tg.TFloat32, tuple[Time, Batch, Literal[6]]]
Logits = tg.Operand[tg.TFloat32, tuple[Time, Batch, Literal[4]]]

SYMBOLS = 3
BLANK = SYMBOLS
FEATURES = 6
REPEAT = 3


class Acoustic:
    """A dense layer on each frame and its neighbours."""

    def __init__(self, scope: tg.Scope, hidden: int = 16) -> None:
        self.scope = scope
        glorot = initializers.GlorotUniform()
        self.w1 = tg.Variable.create(scope.with_name("w1"), glorot(scope, (3 * FEATURES, hidden), tg.TFloat32))
        self.b1 = tg.Variable.create(scope.with_name("b1"), np.zeros(hidden, np.float32))
        self.w2 = tg.Variable.create(scope.with_name("w2"), glorot(scope, (hidden, SYMBOLS + 1), tg.TFloat32))

    def __call__(self, frames: Frames) -> Logits:
        padded = core.Pad.create(self.scope, frames, [[1, 1], [0, 0], [0, 0]])
        context = core.Concat.create(self.scope, [padded[:-2], padded[1:-1], padded[2:]], 2)
        hidden = math.Tanh.create(
            self.scope, linalg.Einsum.create(self.scope, [context, self.w1], "tbf,fh->tbh") + self.b1
        )
        return linalg.Einsum.create(self.scope, [hidden, self.w2], "tbh,hs->tbs")


def lengths_of(scope: tg.Scope, frames: Frames) -> tg.Operand[tg.TInt32, tuple[Batch]]:
    shape = core.Shape.create(scope, frames)
    return core.Fill.create(scope, shape[1:2], shape[0]).expect(tg.TInt32, (Batch,))


graph = tg.Graph(seed=6)
scope = tg.Scope(graph)
frames = core.Placeholder.create(scope.with_name("frames"), tg.TFloat32, (Time, Batch, FEATURES))
label_places = core.Placeholder.create(scope.with_name("label_places"), tg.TInt64, (None, 2))
label_values = core.Placeholder.create(scope.with_name("label_values"), tg.TInt32, (None,))
logits = Acoustic(scope)(frames)
lengths = lengths_of(scope, frames)
ctc = nn.CtcLoss.create(scope, logits, label_places, label_values, lengths)
loss = math.Mean.create(scope, ctc.loss)
decoded = nn.CtcGreedyDecoder.create(scope, logits, lengths, merge_repeated=True)
best = math.ArgMax.create(scope, logits, -1, tg.TInt32)
step = Adam(graph, 0.02).minimize(loss)


def utterances(
    rng: np.random.Generator, count: int, words: int
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int32]]:
    labels = np.stack([rng.permutation(SYMBOLS)[:words] for _ in range(count)])
    steps = np.repeat(labels, REPEAT, axis=1).T
    sound = np.eye(FEATURES)[steps] + 0.2 * rng.normal(size=(words * REPEAT, count, FEATURES))
    rows, columns = np.indices(labels.shape)
    places = np.stack([rows.ravel(), columns.ravel()], axis=1)
    return sound.astype(np.float32), places, labels.ravel().astype(np.int32)


rng = np.random.default_rng(1)
with tg.Session(graph) as session:
    losses: list[float] = []
    for _ in range(60):
        sound, places, values = utterances(rng, 16, 2)
        _, value = session.run((step, loss), {frames: sound, label_places: places, label_values: values})
        losses.append(float(value))
    sound, places, values = utterances(rng, 10, 2)
    symbols = decoded.decoded_values
    found, path = session.run((symbols, best), {frames: sound})
assert losses[-1] < 0.5 * losses[0]
assert found.dtype == np.int64
assert path.shape == (2 * REPEAT, 10)
