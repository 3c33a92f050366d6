"""typegrad: the model of the example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from contenders.word2vec_tasks import Contenders, Model, batches

__all__ = ["CONTENDERS"]


def train(vocabulary: int) -> Callable[[], float]:
    model, data = Model(vocabulary), batches(vocabulary)

    def work() -> float:
        context, center = next(data)
        loss, _ = model.session.run([model.loss, model.step], {model.context: context, model.center: center})
        return float(loss)

    return work


CONTENDERS: Final[Contenders] = {"typegrad": train}
