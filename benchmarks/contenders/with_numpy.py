"""NumPy by hand, as somebody writes it who knows NumPy: results go into arrays that are kept (`out=`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from contenders import fewest_calls, numpy_kernels, numpy_networks
from contenders.cores import threads as usable
from contenders.inputs import Array
from contenders.numpy_layers import Dense, Entropy, descend
from contenders.tasks import RATE, Contenders, Run

__all__ = ["CONTENDERS"]

_BLOCK: Final = 1 << 15
"""The elements of a block: it stays in the cache of a core."""


# Small


def one_op(x: Array, y: Array) -> Run:
    return Run(lambda: np.add(x, y))


def chain(length: int, x: Array, y: Array, z: Array) -> Run:
    result = np.empty_like(x)

    def work() -> Array:
        np.copyto(result, x)
        multiply, add = np.multiply, np.add
        for _ in range(length // 2):
            multiply(result, y, result)
            add(result, z, result)
        return result

    return Run(work)


# Whole arrays


def softmax(x: Array, weight: Array) -> Run:
    chances, gradient = np.empty_like(x), np.empty_like(x)

    def work() -> tuple[Array, Array]:
        np.subtract(x, x.max(-1, keepdims=True), out=chances)
        np.exp(chances, out=chances)
        np.divide(chances, chances.sum(-1, keepdims=True), out=chances)
        inner = np.einsum("ij,ij->i", chances, weight)
        np.subtract(weight, inner[:, np.newaxis], out=gradient)
        np.multiply(gradient, chances, out=gradient)
        return chances, gradient

    return Run(work)


def _resized(matrix: Array, images: Array) -> Array:
    """The only image, multiplied along its rows, then along its columns."""
    image = images[0]
    for _ in range(2):
        image = np.swapaxes(np.tensordot(matrix, image, 1), 0, 1)
    return np.expand_dims(image, 0)


def resize(x: Array, weight: Array) -> Run:
    """Products with a dense matrix of the weights of old pixels in new ones."""
    before, after = x.shape[1], weight.shape[1]
    at = (np.arange(after, dtype=np.float32) + 0.5) * np.float32(before / after) - 0.5
    weights = [np.interp(at, np.arange(before), pixel) for pixel in np.eye(before)]
    matrix = np.stack(weights, axis=1).astype(np.float32)
    return Run(lambda: (_resized(matrix, x), _resized(matrix.T, weight)))


def _twenty(x: Array, tanhs: int, out: Array) -> None:
    for number in range(10):
        np.multiply(out if number else x, 0.9, out=out)
        if number < tanhs:
            np.tanh(out, out=out)
        else:
            np.add(out, 0.1, out=out)


def elementwise(x: Array, tanhs: int) -> Run:
    out = np.empty_like(x)

    def work() -> Array:
        _twenty(x, tanhs, out)
        return out

    return Run(work)


def elementwise_plain(x: Array, tanhs: int) -> Run:
    def work() -> Array:
        y = x
        for number in range(10):
            y = y * 0.9
            y = np.tanh(y) if number < tanhs else y + 0.1
        return y

    return Run(work)


def elementwise_blocked(x: Array, tanhs: int) -> Run:
    out = np.empty_like(x)
    parts = [(x[start : start + _BLOCK], out[start : start + _BLOCK]) for start in range(0, x.size, _BLOCK)]
    threads = usable()
    pool = ThreadPoolExecutor(threads)

    def run(thread: int) -> None:
        for source, target in parts[thread::threads]:
            _twenty(source, tanhs, target)

    def work() -> Array:
        list(pool.map(run, range(threads)))
        return out

    return Run(work)


def copy(x: Array, tanhs: int) -> Run:
    """What memory allows; its result is not compared."""
    out = np.empty_like(x)
    return Run(lambda: np.copyto(out, x), lambda _: [])


# Models


def mlp(parameters: list[Array], feeds: list[Array]) -> Run:
    images, labels = feeds
    pairs = list(zip(parameters[::2], parameters[1::2], strict=True))
    layers = [
        Dense(w, b, rectified=number < len(pairs) - 1, is_first=not number) for number, (w, b) in enumerate(pairs)
    ]
    entropy = Entropy(labels)

    def work() -> Array:
        x = images
        for layer in layers:
            x = layer.forward(x)
        loss = entropy(x)
        for layer in reversed(layers):
            x = layer.backward(x)
        return loss

    return Run(work)


class _Cbow:
    """The forward pass, and the gradient at the mean of the vectors."""

    def __init__(self, parameters: list[Array], feeds: list[Array]) -> None:
        self.table, self.out = (value.copy() for value in parameters)
        self.context, center = feeds
        self.entropy = Entropy(center)
        batch, self.count = self.context.shape
        width, words = self.out.shape
        self.hidden = np.empty((batch, width), np.float32)
        self.logits = np.empty((batch, words), np.float32)
        self.slope = np.empty((batch, width), np.float32)
        self.vectors = np.empty((batch, self.count, width), np.float32)

    def forward(self) -> Array:
        """The loss; `logits` is then its gradient there."""
        self.table.take(self.context, axis=0, out=self.vectors, mode="clip")
        np.mean(self.vectors, axis=1, out=self.hidden)
        np.matmul(self.hidden, self.out, out=self.logits)
        return self.entropy(self.logits)

    def backward(self) -> Array:
        """The gradient at each of the looked-up vectors of an example, which is the same for all of them."""
        np.matmul(self.logits, self.out.T, out=self.slope)
        self.slope *= 1 / self.count
        return self.slope

    def spread(self, slope: Array) -> Array:
        """The gradient at all looked-up vectors."""
        np.copyto(self.vectors, slope[:, np.newaxis])
        return self.vectors


def cbow(parameters: list[Array], feeds: list[Array]) -> Run:
    model = _Cbow(parameters, feeds)
    change = np.empty_like(model.out)

    def work() -> Array:
        loss = model.forward()
        slope = model.backward()
        slope *= RATE
        np.matmul(model.hidden.T, model.logits, out=change)
        descend(model.out, change)
        np.subtract.at(model.table, model.context, model.spread(slope))
        return loss

    return Run(work)


def cbow_table(parameters: list[Array], feeds: list[Array]) -> Run:
    model = _Cbow(parameters, feeds)
    gradient = np.empty_like(model.table)

    def work() -> Array:
        model.forward()
        gradient.fill(0)
        np.add.at(gradient, model.context, model.spread(model.backward()))
        return gradient

    return Run(work)


def cbow_vectors(parameters: list[Array], feeds: list[Array]) -> Run:
    model = _Cbow(parameters, feeds)

    def work() -> Array:
        model.forward()
        return model.spread(model.backward())

    return Run(work)


def word2vec(parameters: list[Array], feeds: list[Array]) -> Run:
    table, out = (value.copy() for value in parameters)
    context, center, noise = feeds
    batch, count = context.shape
    logits = np.empty((batch, 1 + len(noise)), np.float32)
    entropy = Entropy(np.zeros(batch, np.int32))

    def work() -> Array:
        hidden = table[context].mean(1)
        right, wrong = out[center], out[noise]
        np.einsum("ij,ij->i", hidden, right, out=logits[:, 0])
        np.matmul(hidden, wrong.T, out=logits[:, 1:])
        loss = entropy(logits)
        np.multiply(logits, RATE, out=logits)
        slope = logits[:, 1:] @ wrong
        slope += logits[:, :1] * right
        slope *= 1 / count
        np.subtract.at(out, center, logits[:, :1] * hidden)
        np.subtract.at(out, noise, logits[:, 1:].T @ hidden)
        np.subtract.at(table, context, np.repeat(slope[:, np.newaxis], count, axis=1))
        return loss

    return Run(work)


def deep(parameters: list[Array], feeds: list[Array]) -> Run:
    (images,) = feeds

    def work() -> list[Array]:
        inputs = [images]
        for weight in parameters:
            x = inputs[-1] @ weight
            inputs.append(np.maximum(x, 0, out=x))
        slope = inputs.pop()
        slope *= 2 / slope.size
        gradients: list[Array] = []
        is_positive: Any = slope > 0
        for weight in reversed(parameters):
            x = inputs.pop()
            slope *= is_positive
            gradients.append(x.T @ slope)
            if inputs:
                is_positive = x > 0
                slope = slope @ weight.T
        return gradients[::-1]

    return Run(work)


_BY_HAND: Final[dict[str, Callable[..., Run]]] = {
    "one_op": one_op,
    "chain": chain,
    "softmax": softmax,
    "resize": resize,
    "elementwise": elementwise_blocked,
    "elementwise_tanh": elementwise_blocked,
    "mlp": mlp,
    "cbow": cbow,
    "cbow_table": cbow_table,
    "cbow_vectors": cbow_vectors,
    "word2vec": word2vec,
    "deep": deep,
    **numpy_networks.SETUPS,
}

CONTENDERS: Final[Contenders] = {
    "NumPy, by hand": _BY_HAND,
    "NumPy, not blocked": {"elementwise": elementwise, "elementwise_tanh": elementwise},
    "NumPy, plain": {"elementwise": elementwise_plain, "elementwise_tanh": elementwise_plain},
    "NumPy, a copy": {"elementwise": copy},
    "NumPy and SciPy": numpy_kernels.SETUPS,
    "NumPy, fewest calls": fewest_calls.SETUPS,
}
