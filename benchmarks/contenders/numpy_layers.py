"""Layers by hand: each keeps its arrays, and takes a step of gradient descent in `backward`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from contenders.inputs import Array
from contenders.tasks import RATE

__all__ = ["Convolution", "Dense", "Entropy", "Pooling", "descend"]


def descend(parameter: Array, gradient: Array) -> None:
    """Take a step; `gradient` is overwritten."""
    np.multiply(gradient, RATE, out=gradient)
    np.subtract(parameter, gradient, out=parameter)


class Entropy:
    """The mean cross-entropy of a softmax; puts its gradient in the place of the logits."""

    def __init__(self, labels: Array) -> None:
        self._places: Final = (np.arange(len(labels)), labels)

    def __call__(self, logits: Array) -> Array:
        """The loss."""
        count = np.float32(len(logits))
        logits -= logits.max(1, keepdims=True)
        right = logits[self._places]
        np.exp(logits, out=logits)
        totals = logits.sum(1, keepdims=True)
        logits *= 1 / (totals * count)
        logits[self._places] -= 1 / count
        return np.asarray((np.log(totals[:, 0]) - right).mean())


class Dense:
    """A product with a matrix, plus a bias, rectified or not."""

    def __init__(self, weight: Array, bias: Array, *, rectified: bool, is_first: bool = False) -> None:
        self._weight, self._bias = weight.copy(), bias.copy()
        self._change = np.empty_like(weight)
        self._rectified, self._is_first = rectified, is_first
        self._x = self._y = self._back = np.empty((0, 0), np.float32)

    def forward(self, x: Array) -> Array:
        """The values."""
        if len(self._y) != len(x):
            self._y, self._back = (np.empty((len(x), size), np.float32) for size in self._weight.shape[::-1])
        self._x = x
        np.matmul(x, self._weight, out=self._y)
        self._y += self._bias
        return np.maximum(self._y, 0, out=self._y) if self._rectified else self._y

    def backward(self, slope: Array) -> Array:
        """The gradient at the input, from the one at the values, which is overwritten."""
        if self._rectified:
            slope *= self._y > 0
        if not self._is_first:
            np.matmul(slope, self._weight.T, out=self._back)
        np.matmul(self._x.T, slope, out=self._change)
        descend(self._weight, self._change)
        descend(self._bias, slope.sum(0))
        return self._back


class Convolution:
    """A rectified convolution with a bias, as a product with the windows of the input."""

    def __init__(self, filters: Array, bias: Array, shape: tuple[int, ...], *, same: bool, is_first: bool) -> None:
        """`shape` is the input's: [batch, rows, columns, channels]."""
        self._rows, self._columns, channels, features = filters.shape
        self._filters, self._bias = filters.reshape(-1, features).copy(), bias.copy()
        self._change = np.empty_like(self._filters)
        self._is_first = is_first
        top, left = ((self._rows - 1) // 2, (self._columns - 1) // 2) if same else (0, 0)
        batch, height, width, _ = shape
        margin = (self._rows - 1, self._columns - 1) if same else (0, 0)
        self._padded = np.zeros((batch, height + margin[0], width + margin[1], channels), np.float32)
        self._inside = self._padded[:, top : top + height, left : left + width]
        windows = sliding_window_view(self._padded, (self._rows, self._columns), axis=(1, 2))
        self._windows = windows.transpose(0, 1, 2, 4, 5, 3)
        self._patches = np.empty(self._windows.shape, np.float32)
        self._flat = self._patches.reshape(-1, len(self._filters))
        self._y = np.empty((*self._windows.shape[:3], features), np.float32)
        self._back = np.zeros_like(self._padded)
        self._back_inside = self._back[:, top : top + height, left : left + width]

    def forward(self, x: Array) -> Array:
        """The feature maps."""
        np.copyto(self._inside, x)
        np.copyto(self._patches, self._windows)
        np.matmul(self._flat, self._filters, out=self._y.reshape(-1, self._y.shape[-1]))
        self._y += self._bias
        return np.maximum(self._y, 0, out=self._y)

    def backward(self, slope: Array) -> Array:
        """The gradient at the input, from the one at the feature maps, which is overwritten."""
        slope *= self._y > 0
        flat = slope.reshape(-1, slope.shape[-1])
        np.matmul(self._flat.T, flat, out=self._change)
        if not self._is_first:
            np.matmul(flat, self._filters.T, out=self._flat)
            self._back.fill(0)
            height, width = slope.shape[1:3]
            for row in range(self._rows):
                for column in range(self._columns):
                    self._back[:, row : row + height, column : column + width] += self._patches[:, :, :, row, column]
        descend(self._filters, self._change)
        descend(self._bias, flat.sum(0))
        return self._back_inside


class Pooling:
    """The maximum of 2 x 2."""

    def __init__(self) -> None:
        self._x = self._y = self._back = np.empty(0, np.float32)

    def forward(self, x: Array) -> Array:
        """The maxima."""
        batch, height, width, channels = x.shape
        self._x = x.reshape(batch, height // 2, 2, width // 2, 2, channels)
        if len(self._back) != batch:
            self._y, self._back = np.empty((batch, height // 2, width // 2, channels), np.float32), np.empty_like(x)
        quarters = [self._x[:, :, row, :, column] for row in (0, 1) for column in (0, 1)]
        np.maximum(quarters[0], quarters[1], out=self._y)
        for quarter in quarters[2:]:
            np.maximum(self._y, quarter, out=self._y)
        return self._y

    def backward(self, slope: Array) -> Array:
        """The gradient at the input. Where zeros are equal it goes to all, and the rectification before drops it."""
        y, slopes = self._y[:, :, None, :, None], slope[:, :, None, :, None]
        np.multiply(self._x == y, slopes, out=self._back.reshape(self._x.shape))
        return self._back
