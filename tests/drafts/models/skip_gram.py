"""Word vectors by skip-grams with negative sampling."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, random
from typegrad.training.optimizers import AdaGrad

Batch = NewType("Batch", int)

text = "the cat sat on the mat the dog sat on the rug the cat and the dog ran".split()
vocabulary = sorted(set(text))
index = {word: i for i, word in enumerate(vocabulary)}
size = 6
negatives = 4
window = 2

pairs = [
    (index[text[i]], index[text[j]])
    for i in range(len(text))
    for j in range(max(0, i - window), min(len(text), i + window + 1))
    if i != j
]
centers_data, contexts_data = np.array(pairs, np.int32).T

graph = tg.Graph(seed=1)
scope = tg.Scope(graph)
centers = core.Placeholder.create(scope.with_name("centers"), tg.TInt32, (Batch,))
contexts = core.Placeholder.create(scope.with_name("contexts"), tg.TInt32, (Batch,))
rows = len(vocabulary)
embeddings = tg.Variable.create(scope, functions.uniform(scope, (rows, size), -0.5, 0.5))
outputs = tg.Variable.create(scope, np.zeros((rows, size), np.float32))

center = embeddings.gather(scope, centers)
positive = outputs.gather(scope, contexts)
sampled = random.RandomUniformInt.create(scope, [negatives], 0, rows)
negative = outputs.gather(scope, sampled)

positive_logits = core.Sum.create(scope, center * positive, 1)
negative_logits = linalg.MatMul.create(scope, center, negative, transpose_b=True)
positive_loss = math.Softplus.create(scope, -positive_logits)
negative_loss = core.Sum.create(scope, math.Softplus.create(scope, negative_logits), 1)
loss = math.Mean.create(scope, positive_loss + negative_loss)
step = AdaGrad(graph, 0.5, initial_accumulator_value=0.1).minimize(loss)


def normalized(
    scope: tg.Scope, table: tg.Operand[tg.TFloat32, tuple[int, Literal[6]]]
) -> tg.Operand[tg.TFloat32, tuple[int, Literal[6]]]:
    norm = math.Sqrt.create(scope, core.Sum.create(scope, table * table, 1, keep_dims=True))
    return table / math.Maximum.create(scope, norm, 1e-6)


unit = normalized(scope, embeddings)
similarity = linalg.MatMul.create(scope, unit, unit, transpose_b=True)
feeds = {centers: centers_data, contexts: contexts_data}
with tg.Session(graph) as session:
    first = np.mean([session.run(loss, feeds) for _ in range(10)])
    for _ in range(100):
        session.run(step, feeds)
    last = np.mean([session.run(loss, feeds) for _ in range(10)])
    table = session.run(similarity)
assert last < 0.9 * first, (first, last)
assert np.allclose(np.diag(table), 1.0, atol=1e-5)
