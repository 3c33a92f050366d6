"""JAX, compiled with `jax.jit`; parameters that a step updates are donated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

from contenders.inputs import Array
from contenders.tasks import RATE, Contenders, Run, Setup

__all__ = ["CONTENDERS"]

Loss: TypeAlias = Callable[..., Any]
"""Takes the list of parameters, and the feeds."""


def _jitted(compute: Callable[..., Any], *feeds: Any) -> Run:
    compiled = jax.jit(compute)
    return Run(lambda: jax.tree.map(np.asarray, compiled(*feeds)))


# Small


def one_op(x: Array, y: Array) -> Run:
    return _jitted(jnp.add, x, y)


def _chained(length: int, x: Any, y: Any, z: Any) -> Any:
    for _ in range(length // 2):
        x = x * y + z
    return x


def chain(length: int, x: Array, y: Array, z: Array) -> Run:
    return _jitted(partial(_chained, length), x, y, z)


def build(length: int, x: Array, y: Array, z: Array, *, gradient: bool = False) -> Run:
    def compute(x: Any, y: Any, z: Any) -> Any:
        return jnp.sum(_chained(length, x, y, z)) if gradient else _chained(length, x, y, z)

    def work() -> Any:
        # A new function: JAX keeps what it traced of one that it knows.
        return jax.make_jaxpr(jax.grad(partial(compute)) if gradient else partial(compute))(x, y, z)

    return Run(work, lambda traced: [np.asarray(jax.core.eval_jaxpr(traced.jaxpr, traced.consts, x, y, z)[0])])


# Whole arrays


def softmax(x: Array, weight: Array) -> Run:
    def compute(logits: Any, weights: Any) -> Any:
        powers = jnp.exp(logits - lax.stop_gradient(jnp.max(logits, -1, keepdims=True)))
        chances = powers / jnp.sum(powers, -1, keepdims=True)
        return jnp.sum(chances * weights), chances

    def both(logits: Any, weights: Any) -> Any:
        slope, chances = jax.grad(compute, has_aux=True)(logits, weights)
        return [chances, slope]

    return _jitted(both, x, weight)


def elementwise(x: Array, tanhs: int) -> Run:
    def compute(y: Any) -> Any:
        for number in range(10):
            y = y * 0.9
            y = jnp.tanh(y) if number < tanhs else y + 0.1
        return y

    return _jitted(compute, x)


# Models


def _training(loss: Loss) -> Setup:
    def setup(parameters: Sequence[Array], feeds: Sequence[Array], **sizes: int) -> Run:
        def step(parameters: Any, *fed: Any) -> Any:
            value, slopes = jax.value_and_grad(partial(loss, **sizes))(parameters, *fed)
            return value, [parameter - RATE * slope for parameter, slope in zip(parameters, slopes, strict=True)]

        compiled = jax.jit(step, donate_argnums=0)
        state = [[jnp.array(value) for value in parameters]]

        def work() -> Array:
            value, state[0] = compiled(state[0], *feeds)
            return np.asarray(value)

        return Run(work)

    return setup


def _entropy(logits: Any, labels: Any) -> Any:
    return -jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], axis=1).mean()


def _layers(parameters: Sequence[Any], x: Any) -> Any:
    for number in range(0, len(parameters), 2):
        x = (nn.relu(x) if number else x) @ parameters[number] + parameters[number + 1]
    return x


def _mlp(parameters: list[Any], images: Any, labels: Any) -> Any:
    return _entropy(_layers(parameters, images), labels)


def _cbow_of_vectors(vectors: Any, out: Any, center: Any) -> Any:
    return _entropy(vectors.mean(1) @ out, center)


def _cbow(parameters: list[Any], context: Any, center: Any) -> Any:
    table, out = parameters
    return _cbow_of_vectors(table[context], out, center)


def cbow_table(parameters: list[Array], feeds: list[Array]) -> Run:
    table, out = map(jnp.array, parameters)
    return _jitted(jax.grad(lambda table, out, *fed: _cbow([table, out], *fed)), table, out, *feeds)


def cbow_vectors(parameters: list[Array], feeds: list[Array]) -> Run:
    table, out = map(jnp.array, parameters)

    def compute(table: Any, out: Any, context: Any, center: Any) -> Any:
        return jax.grad(_cbow_of_vectors)(table[context], out, center)

    return _jitted(compute, table, out, *feeds)


def _word2vec(parameters: list[Any], context: Any, center: Any, noise: Any) -> Any:
    table, out = parameters
    hidden = table[context].mean(1)
    right = jnp.sum(hidden * out[center], 1, keepdims=True)
    return -nn.log_softmax(jnp.concatenate([right, hidden @ out[noise].T], 1))[:, 0].mean()


def _convolved(x: Any, layer: Sequence[Any], padding: str) -> Any:
    filters, bias = layer
    features = lax.conv_general_dilated(x, filters, (1, 1), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return nn.relu(features + bias)


def _pooled(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def _lenet(parameters: list[Any], images: Any, labels: Any) -> Any:
    maps = _pooled(_convolved(images, parameters[:2], "SAME"))
    maps = _pooled(_convolved(maps, parameters[2:4], "VALID"))
    return _entropy(_layers(parameters[4:], maps.reshape(-1, 400)), labels)


def _vgg(parameters: list[Any], maps: Any) -> Any:
    for number in (0, 2):
        maps = _convolved(maps, parameters[number : number + 2], "SAME")
    return jnp.mean(jnp.square(_pooled(maps)))


def _lstm(parameters: list[Any], xs: Any) -> Any:
    kernel, bias = parameters

    def step(state: Any, x: Any) -> Any:
        output, cell = state
        gates = jnp.concatenate([x, output], 1) @ kernel + bias
        write, forget, read, candidate = jnp.split(gates, 4, 1)
        cell = nn.sigmoid(forget) * cell + nn.sigmoid(write) * jnp.tanh(candidate)
        return (nn.sigmoid(read) * jnp.tanh(cell), cell), None

    start = jnp.zeros((xs.shape[1], bias.shape[0] // 4))
    (output, _), _ = lax.scan(step, (start, start), xs)
    return jnp.mean(jnp.square(output))


def _normalized(x: Any, gain: Any, shift: Any) -> Any:
    centered = x - x.mean(-1, keepdims=True)
    return centered * lax.rsqrt(jnp.square(centered).mean(-1, keepdims=True) + 1e-5) * gain + shift


def _transformer(parameters: list[Any], x: Any, mask: Any, heads: int) -> Any:
    gain, shift, project, out, gain2, shift2, widen, narrow = parameters
    batch, positions, width = x.shape
    split = (_normalized(x, gain, shift) @ project).reshape(batch, positions, 3, heads, width // heads)
    query, key, value = split.transpose(2, 0, 3, 1, 4)
    scores = query @ key.swapaxes(-1, -2) * (width // heads) ** -0.5 + mask
    y = x + (nn.softmax(scores) @ value).transpose(0, 2, 1, 3).reshape(x.shape) @ out
    return jnp.mean(jnp.square(y + nn.relu(_normalized(y, gain2, shift2) @ widen) @ narrow))


def deep(parameters: list[Array], feeds: list[Array]) -> Run:
    def loss(weights: Any, x: Any) -> Any:
        for weight in weights:
            x = nn.relu(x @ weight)
        return jnp.mean(jnp.square(x))

    return _jitted(jax.grad(loss), [jnp.array(value) for value in parameters], *feeds)


CONTENDERS: Final[Contenders] = {
    "JAX": {
        "one_op": one_op,
        "chain": chain,
        "build": build,
        "build_gradient": partial(build, gradient=True),
        "softmax": softmax,
        "elementwise": elementwise,
        "elementwise_tanh": elementwise,
        "mlp": _training(_mlp),
        "cbow": _training(_cbow),
        "cbow_table": cbow_table,
        "cbow_vectors": cbow_vectors,
        "word2vec": _training(_word2vec),
        "lenet": _training(_lenet),
        "vgg": _training(_vgg),
        "lstm": _training(_lstm),
        "transformer": _training(_transformer),
        "deep": deep,
    }
}
