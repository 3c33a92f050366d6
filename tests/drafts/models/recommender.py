"""A factorization of ratings, with biases and dropout."""

from dataclasses import dataclass
from typing import NewType

import numpy as np

import typegrad as tg
from typegrad import functions, losses, metrics
from typegrad.op import core, math, nn
from typegrad.training import fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import Adam

Batch = NewType("Batch", int)


@dataclass(frozen=True)
class Config:
    users: int = 30
    items: int = 20
    factors: int = 4
    dropout: float = 0.1
    l2: float = 1e-4
    learning_rate: float = 0.02


class Recommender:
    def __init__(self, scope: tg.Scope, config: Config) -> None:
        self.config = config
        self.tables = {
            "user": self.table(scope.with_name("user"), config.users),
            "item": self.table(scope.with_name("item"), config.items),
        }
        self.user_bias = tg.Variable.create(scope.with_name("user_bias"), np.zeros(config.users, np.float32))
        self.item_bias = tg.Variable.create(scope.with_name("item_bias"), np.zeros(config.items, np.float32))
        self.mean = tg.Variable.create(scope.with_name("mean"), 0.0)

    def table(self, scope: tg.Scope, rows: int) -> tg.Variable[tg.TFloat32, tuple[int, int]]:
        return tg.Variable.create(scope, functions.normal(scope, (rows, self.config.factors), stddev=0.3))

    def __call__(
        self,
        scope: tg.Scope,
        users: tg.Operand[tg.TInt32, tuple[Batch]],
        items: tg.Operand[tg.TInt32, tuple[Batch]],
        rate: float = 0.0,
    ) -> tg.Operand[tg.TFloat32, tuple[Batch]]:
        user = functions.dropout(scope, self.tables["user"].gather(scope, users), rate)
        item = self.tables["item"].gather(scope, items)
        affinity = core.Sum.create(scope, user * item, -1)
        return affinity + self.user_bias.gather(scope, users) + self.item_bias.gather(scope, items) + self.mean

    def penalty(self, scope: tg.Scope) -> tg.Operand[tg.TFloat32, tuple[()]]:
        return math.AddN.create(scope, [nn.L2Loss.create(scope, table) for table in self.tables.values()])


config = Config()
graph = tg.Graph(seed=3)
scope = tg.Scope(graph)
users = core.Placeholder.create(scope.with_name("users"), tg.TInt32, (Batch,))
items = core.Placeholder.create(scope.with_name("items"), tg.TInt32, (Batch,))
ratings = core.Placeholder.create(scope.with_name("ratings"), tg.TFloat32, (Batch,))
model = Recommender(scope, config)
noisy = model(scope, users, items, rate=config.dropout)
predicted = model(scope, users, items)
loss = losses.MeanSquaredError()(scope, ratings, noisy) + config.l2 * model.penalty(scope)
step = Adam(graph, config.learning_rate).minimize(loss)
error = metrics.RootMeanSquaredError(scope)
update = error.update_state(scope, ratings, predicted)
rmse = error.result(scope)

rng = np.random.default_rng(0)
u, i = np.meshgrid(np.arange(config.users), np.arange(config.items), indexing="ij")
user_data = u.ravel().astype(np.int32)
item_data = i.ravel().astype(np.int32)
taste = rng.normal(0, 1, (config.users, 2)) @ rng.normal(0, 1, (2, config.items))
rating_data = (3 + taste.ravel()).astype(np.float32)
dataset = Dataset.from_arrays(user_data, item_data, rating_data).shuffle(seed=0).batch(100)
with tg.Session(graph) as session:
    fit(session, step, dataset, (users, items, ratings), epochs=25)
    session.run(update, {users: user_data, items: item_data, ratings: rating_data})
    result = float(session.run(rmse))
assert result < 1.0, result
