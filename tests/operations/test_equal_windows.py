"""Convolutions give equal windows equal results, to the last bit, wherever in the image and the batch they are."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from support.recording import Array
from typegrad.op import nn

SIZES: Final = (1, 2, 3, 5, 7, 13, 14, 28)
CHANNELS: Final = (1, 3, 4, 16)
FILTERS: Final = (1, 2, 3, 5, 8, 33, 50, 64)
DTYPES: Final = (np.float32, np.float64)


def _convolved(image: Array, filters: Array, *, depthwise: bool = False) -> Array:
    scope = tg.Scope(tg.Graph())
    convolution: Any = nn.DepthwiseConv2dNative if depthwise else nn.Conv2d
    y = convolution.create(
        scope, constant(scope, 0, image), constant(scope, 1, filters), strides=(1, 1, 1, 1), padding="VALID"
    )
    with tg.Session(scope.graph) as session:
        result: Array = session.run(y.as_output())
    return result


def _image(size: int, channels: int, dtype: type[Any]) -> Array:
    """Three images that repeat a patch of 2 by 2."""
    patch = np.random.default_rng(size).normal(size=(1, 2, 2, channels)).astype(dtype)
    return np.tile(patch, (3, size // 2 + 2, size // 2 + 2, 1))[:, : size + 2, : size + 2]


def _is_even(result: Array) -> bool:
    """Whether the result repeats with the patch."""
    return all((result[:, i::2, j::2] == result[:1, i : i + 1, j : j + 1]).all() for i in (0, 1) for j in (0, 1))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("channels", CHANNELS)
def test_of_a_repeated_patch(channels: int, dtype: type[Any]) -> None:
    rng = np.random.default_rng(channels)
    for count in FILTERS:
        filters = rng.normal(size=(3, 3, channels, count)).astype(dtype)
        for size in SIZES:
            assert _is_even(_convolved(_image(size, channels, dtype), filters)), (size, count)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("multiplier", [1, 2])
def test_of_a_depthwise_convolution(multiplier: int, dtype: type[Any]) -> None:
    filters = np.random.default_rng(multiplier).normal(size=(8, 9, 3, multiplier)).astype(dtype)
    for size in SIZES:
        image = _image(size + 7, 3, dtype)
        assert _is_even(_convolved(image, filters, depthwise=True)), size


@pytest.mark.parametrize(("channels", "count"), [(1, 6), (3, 64), (6, 16), (130, 50)])
def test_of_a_gradient_of_the_input(channels: int, count: int) -> None:
    """Equal gradients around a position give equal results there, away from the edges."""
    filters = np.random.default_rng(channels).normal(size=(3, 3, channels, count)).astype(np.float32)
    for size in SIZES:
        grad = _image(size, count, np.float32)
        scope = tg.Scope(tg.Graph())
        sizes = constant(scope, 0, np.array((3, size + 4, size + 4, channels), np.int32))
        operands = sizes, constant(scope, 1, filters), constant(scope, 2, grad)
        x = nn.Conv2dBackpropInput.create(scope, *operands, strides=(1, 1, 1, 1), padding="VALID")
        with tg.Session(scope.graph) as session:
            assert _is_even(session.run(x)[:, 2:-2, 2:-2]), size


@pytest.mark.parametrize("core", ["Haswell", "Nehalem", "Sandybridge"])
def test_with_kernels_of_other_processors_and_two_threads(core: str) -> None:
    """OpenBLAS takes the processor from the environment; another BLAS ignores it."""
    names = test_of_a_repeated_patch.__name__, test_of_a_gradient_of_the_input.__name__
    tests = [f"{__file__}::{name}" for name in names]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": "2"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
