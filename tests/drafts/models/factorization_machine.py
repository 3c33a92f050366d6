"""A factorization machine for ratings: user and item biases plus the product of embeddings, learned with lazy Adam."""

import dataclasses
from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import initializers, losses, metrics
from typegrad.op import core
from typegrad.training.data import Dataset
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)
USERS, ITEMS, RANK = 40, 25, 3

Ids = tg.Operand[tg.TInt64, tuple[Batch]]
Score = tg.Operand[tg.TFloat32, tuple[Batch]]


@dataclasses.dataclass(frozen=True)
class Side:
    """The parameters of users, or of items."""

    bias: tg.Variable[tg.TFloat32, tuple[int]]
    factors: tg.Variable[tg.TFloat32, tuple[int, Literal[3]]]

    @classmethod
    def of(cls, scope: tg.Scope, count: int) -> "Side":
        factors = initializers.RandomNormal(stddev=0.1)(scope, (count, RANK), tg.TFloat32)
        return cls(
            bias=tg.Variable.create(scope.with_name("bias"), np.zeros(count, np.float32)),
            factors=tg.Variable.create(scope.with_name("factors"), factors),
        )


def score(scope: tg.Scope, mean: tg.Variable[tg.TFloat32, tuple[()]], user: Side, item: Side, u: Ids, i: Ids) -> Score:
    with scope:
        p, q = user.factors.gather(scope, u), item.factors.gather(scope, i)
        interaction = core.Sum.create(scope, p * q, 1)
        return mean + user.bias.gather(scope, u) + item.bias.gather(scope, i) + interaction


rng = np.random.default_rng(12)
true_users = rng.normal(0, 1, (USERS, RANK))
true_items = rng.normal(0, 1, (ITEMS, RANK))
u, i = np.meshgrid(np.arange(USERS), np.arange(ITEMS), indexing="ij")
pairs = np.stack([u.ravel(), i.ravel()], axis=1)
rng.shuffle(pairs)
ratings = 3 + (true_users[pairs[:, 0]] * true_items[pairs[:, 1]]).sum(1)
split = 800

graph = tg.Graph(seed=9)
scope = tg.Scope(graph)
users = core.Placeholder.create(scope.with_name("users"), tg.TInt64, (Batch,))
items = core.Placeholder.create(scope.with_name("items"), tg.TInt64, (Batch,))
rating = core.Placeholder.create(scope.with_name("rating"), tg.TFloat32, (Batch,))

mean = tg.Variable.create(scope.with_name("mean"), float(ratings[:split].mean()))
user_side = Side.of(scope.with_sub_scope("user"), USERS)
item_side = Side.of(scope.with_sub_scope("item"), ITEMS)
predicted = score(scope.with_sub_scope("score"), mean, user_side, item_side, users, items)
loss = losses.MeanSquaredError()(scope, rating, predicted)
penalty = sum(
    (core.Sum.create(scope, v * v) for v in (user_side.factors, item_side.factors)),
    start=core.Constant.create(scope, 0.0),
)
total = loss + 1e-4 * penalty
step = Adam(graph, 0.02, lazy=True).minimize(loss)
error = metrics.RootMeanSquaredError(scope)
update = error.update_state(scope, rating, predicted)
result = error.result(scope)
reset = error.reset_state(scope)

dataset = (
    Dataset.from_arrays(pairs[:split, 0], pairs[:split, 1], ratings[:split].astype(np.float32))
    .shuffle(seed=1)
    .batch(100)
)
test: tg.Feeds = {users: pairs[split:, 0], items: pairs[split:, 1], rating: ratings[split:].astype(np.float32)}

with tg.Session(graph) as session:
    session.run(update, test)
    before = session.run(result)
    for epoch in range(20):
        for batch_users, batch_items, batch_ratings in dataset.epoch(epoch):
            session.run(step, {users: batch_users, items: batch_items, rating: batch_ratings})
    session.run(reset)
    session.run(update, test)
    after = session.run(result)
    assert after < 0.5 * before
    assert session.run(total, test) < 1
