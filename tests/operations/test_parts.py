"""Kernels that compute large arrays part by part: each image gets what it gets alone, and nothing changes later."""

from __future__ import annotations

import threading
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from support.recording import Array
from typegrad.kernels.scratch import FEW, KEPT, scratch
from typegrad.op import core, nn

STRIDES: Final = (1, 1, 1, 1)
WINDOW: Final = (1, 2, 3, 1)
HALVES: Final = (1, 2, 2, 1)
SIZE: Final = 40
CHANNELS: Final = 48
FILTERS: Final = np.random.default_rng(0).normal(size=(3, 3, CHANNELS, 8)).astype(np.float32)
DEPTHWISE: Final = np.random.default_rng(0).normal(size=(3, 3, CHANNELS, 2)).astype(np.float32)


def _images(*sizes: int, seed: int = 1) -> Array:
    return np.random.default_rng(seed).integers(-3, 4, sizes).astype(np.float32)


def _convolution(scope: tg.Scope, x: Any) -> Any:
    return nn.Conv2d.create(scope, x, constant(scope, 0, FILTERS), strides=STRIDES, padding="SAME")


def _depthwise(scope: tg.Scope, x: Any) -> Any:
    return nn.DepthwiseConv2dNative.create(scope, x, constant(scope, 0, DEPTHWISE), strides=STRIDES, padding="SAME")


def _maximum(scope: tg.Scope, x: Any) -> Any:
    return nn.MaxPool.create(scope, x, WINDOW, HALVES, "SAME")


def _mean(scope: tg.Scope, x: Any) -> Any:
    return nn.AvgPool.create(scope, x, WINDOW, HALVES, "SAME")


def _softmax(scope: tg.Scope, x: Any) -> Any:
    return nn.Softmax.create(scope, x)


def _log_softmax(scope: tg.Scope, x: Any) -> Any:
    return nn.LogSoftmax.create(scope, x)


def _with_gradient(function: Any, x: Array) -> tuple[Array, Array]:
    """The result, and the gradient of the sum of its squares."""
    scope = tg.Scope(tg.Graph())
    operand = constant(scope, 0, x)
    y = function(scope, operand)
    with tg.Session(scope.graph) as session:
        value, grad = session.run((y, tg.grad(scope, core.Sum.create(scope, y * y), operand)))
    return value, grad


@pytest.mark.parametrize("function", [_convolution, _depthwise, _maximum, _mean, _softmax, _log_softmax])
@pytest.mark.parametrize("nan", [False, True])
def test_images_of_a_batch_are_independent(function: Any, nan: bool) -> None:
    x = _images(3, SIZE, SIZE, CHANNELS)
    if nan:
        x[1, 3:5, 3:7] = np.nan
    together = _with_gradient(function, x)
    for number in range(len(x)):
        for array, alone in zip(together, _with_gradient(function, x[number : number + 1]), strict=True):
            np.testing.assert_array_equal(array[number : number + 1], alone)


@pytest.mark.parametrize("filters", [(3, 3, CHANNELS, 8), (1, 1, CHANNELS, 8), (2, 3, 12, 8)])
def test_gradient_of_filters_is_the_sum_over_images(filters: tuple[int, ...]) -> None:
    x, grad = _images(3, SIZE, SIZE, CHANNELS), _images(3, SIZE, SIZE, filters[3], seed=2)

    def gradient(x: Array, grad: Array) -> Array:
        scope = tg.Scope(tg.Graph())
        sizes = constant(scope, 1, np.array(filters, np.int32))
        operands = constant(scope, 0, x), sizes, constant(scope, 2, grad)
        y = nn.Conv2dBackpropFilter.create(scope, *operands, strides=STRIDES, padding="SAME")
        with tg.Session(scope.graph) as session:
            return session.run(y)

    parts = [gradient(x[number : number + 1], grad[number : number + 1]) for number in range(len(x))]
    np.testing.assert_array_equal(gradient(x, grad), sum(parts))


@pytest.mark.parametrize("function", [_convolution, _maximum, _mean, _softmax])
def test_results_are_not_in_the_kept_memory(function: Any) -> None:
    first = _with_gradient(function, _images(2, 9, 9, CHANNELS))
    copies = [array.copy() for array in first]
    _with_gradient(function, _images(2, 9, 9, CHANNELS, seed=2))
    for array, copy in zip(first, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_memory_of_some_sizes_is_kept_for_each_thread() -> None:
    byte = np.dtype(np.uint8)
    small, large = scratch("test", (FEW,), byte), scratch("test", (KEPT + 1,), byte)
    kept = scratch("test", (2, FEW), np.dtype(np.float32))
    assert kept.shape == (2, FEW)
    assert np.shares_memory(kept, scratch("test", (4, FEW), byte))
    assert not np.shares_memory(small, scratch("test", (FEW,), byte))
    assert not np.shares_memory(large, scratch("test", (KEPT + 1,), byte))
    others: list[Array] = []
    thread = threading.Thread(target=lambda: others.append(scratch("test", (4, FEW), byte)))
    thread.start()
    thread.join()
    assert not np.shares_memory(kept, others[0])
