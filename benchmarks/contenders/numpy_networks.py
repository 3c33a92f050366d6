"""Networks in NumPy by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from contenders.inputs import Array
from contenders.numpy_layers import Convolution, Dense, Entropy, Pooling, descend
from contenders.tasks import Run, Setup

__all__ = ["SETUPS"]


def _square_mean(y: Array) -> Array:
    """The mean of the squares; `y` becomes its gradient."""
    loss: Array = np.einsum("i,i->", y.reshape(-1), y.reshape(-1)) / np.float32(y.size)
    y *= 2 / y.size
    return loss


# Convolutions


def lenet(parameters: list[Array], feeds: list[Array]) -> Run:
    images, labels = feeds
    batch = len(images)
    maps: list[Any] = [
        Convolution(parameters[0], parameters[1], images.shape, same=True, is_first=True),
        Pooling(),
        Convolution(parameters[2], parameters[3], (batch, 14, 14, 6), same=False, is_first=False),
        Pooling(),
    ]
    dense = [
        Dense(parameters[number], parameters[number + 1], rectified=number + 2 < len(parameters))
        for number in range(4, len(parameters), 2)
    ]
    entropy = Entropy(labels)

    def work() -> Array:
        x = images
        for layer in maps:
            x = layer.forward(x)
        shape = x.shape
        x = x.reshape(batch, -1)
        for layer in dense:
            x = layer.forward(x)
        loss = entropy(x)
        for layer in reversed(dense):
            x = layer.backward(x)
        x = x.reshape(shape)
        for layer in reversed(maps):
            x = layer.backward(x)
        return loss

    return Run(work)


def vgg(parameters: list[Array], feeds: list[Array]) -> Run:
    (images,) = feeds
    between = (*images.shape[:3], parameters[0].shape[-1])
    layers: list[Any] = [
        Convolution(parameters[0], parameters[1], images.shape, same=True, is_first=True),
        Convolution(parameters[2], parameters[3], between, same=True, is_first=False),
        Pooling(),
    ]

    def work() -> Array:
        x = images
        for layer in layers:
            x = layer.forward(x)
        x = x.copy()  # pooling needs its maxima
        loss = _square_mean(x)
        for layer in reversed(layers):
            x = layer.backward(x)
        return loss

    return Run(work)


# Recurrence


def _sigmoid(x: Array) -> None:
    """In place."""
    np.negative(x, out=x)
    np.exp(x, out=x)
    x += 1
    np.reciprocal(x, out=x)


def lstm(parameters: list[Array], feeds: list[Array]) -> Run:
    kernel, bias = (value.copy() for value in parameters)
    (xs,) = feeds
    steps, batch, width = xs.shape
    units = len(bias) // 4
    flat_xs = xs.reshape(-1, width)
    of_inputs, of_outputs = kernel[:width], kernel[width:]
    gates = np.empty((steps, batch, 4 * units), np.float32)
    outputs, cells = (np.zeros((steps + 1, batch, units), np.float32) for _ in range(2))
    tanhs = np.empty((steps, batch, units), np.float32)
    slopes = np.empty_like(gates)
    change = np.empty_like(kernel)
    product = np.empty((batch, 4 * units), np.float32)

    def forward() -> None:
        np.matmul(flat_xs, of_inputs, out=gates.reshape(-1, 4 * units))
        np.add(gates, bias, out=gates)
        for step in range(steps):
            gate = gates[step]
            np.matmul(outputs[step], of_outputs, out=product)
            gate += product
            _sigmoid(gate[:, : 3 * units])
            candidate = gate[:, 3 * units :]
            np.tanh(candidate, out=candidate)
            write, forget, read = (gate[:, n * units : (n + 1) * units] for n in range(3))
            np.multiply(forget, cells[step], out=cells[step + 1])
            cells[step + 1] += write * candidate
            np.tanh(cells[step + 1], out=tanhs[step])
            np.multiply(read, tanhs[step], out=outputs[step + 1])

    def backward(slope: Array) -> None:
        """From the gradient at the last output."""
        cell_slope = np.zeros_like(slope)
        for step in reversed(range(steps)):
            gate, back, tanh = gates[step], slopes[step], tanhs[step]
            write, forget, read, candidate = (gate[:, n * units : (n + 1) * units] for n in range(4))
            cell_slope += slope * read * (1 - tanh * tanh)
            np.multiply(cell_slope, candidate, out=back[:, :units])
            np.multiply(cell_slope, cells[step], out=back[:, units : 2 * units])
            np.multiply(slope, tanh, out=back[:, 2 * units : 3 * units])
            sigmoids = gate[:, : 3 * units]
            back[:, : 3 * units] *= sigmoids * (1 - sigmoids)
            np.multiply(cell_slope * write, 1 - candidate * candidate, out=back[:, 3 * units :])
            cell_slope *= forget
            slope = back @ of_outputs.T
        flat = slopes.reshape(-1, 4 * units)
        np.matmul(flat_xs.T, flat, out=change[:width])
        np.matmul(outputs[:-1].reshape(-1, units).T, flat, out=change[width:])
        descend(kernel, change)
        descend(bias, flat.sum(0))

    def work() -> Array:
        forward()
        slope = outputs[-1].copy()
        loss = _square_mean(slope)
        backward(slope)
        return loss

    return Run(work)


# Attention


class _Norm:
    """Rows of mean 0 and variance 1, scaled and shifted."""

    def __init__(self, gain: Array, shift: Array) -> None:
        self._gain, self._shift = gain.copy(), shift.copy()
        self._normal = self._inverse = gain

    def forward(self, x: Array) -> Array:
        self._normal = x - x.mean(-1, keepdims=True)
        variance = np.einsum("ij,ij->i", self._normal, self._normal)[:, None] / np.float32(x.shape[-1])
        self._inverse = 1 / np.sqrt(variance + np.float32(1e-5))
        self._normal *= self._inverse
        y = self._normal * self._gain
        y += self._shift
        return y

    def backward(self, slope: Array) -> Array:
        change = np.einsum("ij,ij->j", slope, self._normal)
        shift_change = slope.sum(0)
        slope *= self._gain
        descend(self._gain, change)
        descend(self._shift, shift_change)
        inner = np.einsum("ij,ij->i", slope, self._normal)[:, None] / np.float32(slope.shape[-1])
        slope -= slope.mean(-1, keepdims=True)
        slope -= self._normal * inner
        slope *= self._inverse
        return slope


class _Product:
    """A product with a matrix."""

    def __init__(self, weight: Array) -> None:
        self._weight, self._change = weight.copy(), np.empty_like(weight)
        self._x = weight

    def forward(self, x: Array) -> Array:
        self._x = x
        return x @ self._weight

    def backward(self, slope: Array) -> Array:
        back = slope @ self._weight.T
        np.matmul(self._x.T, slope, out=self._change)
        descend(self._weight, self._change)
        return back


class _Attention:
    """Causal attention of several heads, between two products."""

    def __init__(self, project: Array, out: Array, mask: Array, shape: tuple[int, int, int], heads: int) -> None:
        self._project, self._out, self._mask = _Product(project), _Product(out), mask
        batch, positions, width = shape
        self._split = (batch, positions, 3, heads, width // heads)
        self._scale = np.float32((width // heads) ** -0.5)
        self._parts = self._chances = project

    def forward(self, x: Array) -> Array:
        projected = self._project.forward(x).reshape(self._split)
        self._parts = projected.transpose(2, 0, 3, 1, 4).copy()
        query, key, value = self._parts
        scores = query @ key.swapaxes(-1, -2)
        scores *= self._scale
        scores += self._mask
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        self._chances = scores
        return self._out.forward((scores @ value).transpose(0, 2, 1, 3).reshape(x.shape))

    def backward(self, slope: Array) -> Array:
        query, key, value = self._parts
        batch, positions, _, heads, size = self._split
        back = self._out.backward(slope).reshape(batch, positions, heads, size).transpose(0, 2, 1, 3)
        parts = np.empty_like(self._parts)
        np.matmul(self._chances.swapaxes(-1, -2), back, out=parts[2])
        scores = back @ value.swapaxes(-1, -2)
        scores -= np.einsum("bhij,bhij->bhi", scores, self._chances)[..., None]
        scores *= self._chances
        scores *= self._scale
        np.matmul(scores, key, out=parts[0])
        np.matmul(scores.swapaxes(-1, -2), query, out=parts[1])
        return self._project.backward(parts.transpose(1, 3, 0, 2, 4).reshape(slope.shape[0], -1))


def transformer(parameters: list[Array], feeds: list[Array], heads: int) -> Run:
    gain, shift, project, out, gain2, shift2, widen, narrow = parameters
    x, mask = feeds
    rows = x.reshape(-1, x.shape[-1])
    before, between = _Norm(gain, shift), _Norm(gain2, shift2)
    attention = _Attention(project, out, mask, (x.shape[0], x.shape[1], x.shape[2]), heads)
    wide, back = _Product(widen), _Product(narrow)

    def work() -> Array:
        y = attention.forward(before.forward(rows))
        y += rows
        inner = wide.forward(between.forward(y))
        np.maximum(inner, 0, out=inner)
        y += back.forward(inner)
        loss = _square_mean(y)
        slope = back.backward(y)
        slope *= inner > 0
        y += between.backward(wide.backward(slope))
        before.backward(attention.backward(y))
        return loss

    return Run(work)


SETUPS: Final[Mapping[str, Setup]] = {"lenet": lenet, "vgg": vgg, "lstm": lstm, "transformer": transformer}
"""The tasks by these networks."""
