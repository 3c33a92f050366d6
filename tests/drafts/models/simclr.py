"""Contrastive learning: two noisy views of one sample attract each other."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad.training.optimizers import AdamW

Batch = NewType("Batch", int)
DIM = 10
EMBED = 4
temperature = 0.2

tf = tg.Ops.create(tg.Graph(seed=2))
x = tf.placeholder(tg.TFloat32, shape=(Batch, DIM))
weights = {
    "hidden": tf.variable(np.random.default_rng(0).normal(0, 0.3, (DIM, 16)).astype(np.float32)),
    "out": tf.variable(np.random.default_rng(1).normal(0, 0.3, (16, EMBED)).astype(np.float32)),
}


def embed(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    h = tf.nn.relu(x @ weights["hidden"])
    z = h @ weights["out"]
    norm = tf.math.sqrt(tf.sum(z * z, axis=-1, keep_dims=True))
    return z / tf.math.maximum(norm, 1e-6)


def noisy(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]:
    return x + 0.1 * tf.random.random_standard_normal(tf.shape(x), tg.TFloat32)


a, b = embed(noisy(x)), embed(noisy(x))
both = tf.concat([a, b], 0)
similarity = tf.linalg.mat_mul(both, both, transpose_b=True) / temperature
batch = tf.shape(x)[0]
size = tf.shape(both)[0]
diagonal = tf.linalg.matrix_diag(tf.fill(tf.stack([size]), 1e9))
logits = similarity - diagonal
index = tf.range(0, size, 1)
partner = (index + batch) % size
loss = tf.math.mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits, partner).loss)
hits = tf.dtypes.cast(tf.math.equal(tf.math.arg_max(logits, 1), tf.dtypes.cast(partner, tg.TInt64)), tg.TFloat32)
accuracy = tf.math.mean(hits)
optimizer = AdamW(tf.graph, 0.01, weight_decay=1e-3)
train = optimizer.minimize(loss, list(weights.values()))

data = np.random.default_rng(5).normal(size=(64, DIM)).astype(np.float32)
with tg.Session(tf.graph) as session:
    for epoch in range(40):
        order = np.random.default_rng(epoch).permutation(len(data))
        for start in range(0, len(data), 16):
            session.run(train, {x: data[order[start : start + 16]]})
    value, score = session.run((loss, accuracy), {x: data})
print(f"loss {value:.3f}, accuracy {score:.2f}")
