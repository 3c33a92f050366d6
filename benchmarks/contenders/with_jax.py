"""JAX, compiled with `jax.jit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from contenders.tasks import RATE, RUN, TRAIN, Contenders, batch, weights

__all__ = ["CONTENDERS"]


def run() -> Callable[[], object]:
    compiled = jax.jit(lambda x, y: jnp.tanh(x * y + x))
    value = np.ones(4, np.float32)
    return lambda: np.asarray(compiled(value, value))


def train() -> Callable[[], object]:
    images, classes = batch()

    def loss(layers: Any, x: Any, labels: Any) -> Any:
        for number, (w, b) in enumerate(layers):
            x = (jax.nn.relu(x) if number else x) @ w + b
        return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], axis=1).mean()

    def step(layers: Any, x: Any, labels: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(layers, x, labels)
        return value, jax.tree.map(lambda weight, grad: weight - RATE * grad, layers, grads)

    compiled = jax.jit(step)
    state = [weights()]

    def work() -> object:
        value, state[0] = compiled(state[0], images, classes)
        return float(value)

    return work


CONTENDERS: Final[Contenders] = {"JAX": {RUN: run, TRAIN: train}}
