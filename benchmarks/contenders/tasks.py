"""The tasks. A contender's setup function for a task returns the function to measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np

__all__ = [
    "BUILD",
    "CHAIN",
    "DIFFERENTIATE",
    "NODES",
    "RUN",
    "SIZES",
    "TASKS",
    "TRAIN",
    "Contenders",
    "batch",
    "weights",
]

Setup: TypeAlias = Callable[[], Callable[[], object]]
Contenders: TypeAlias = Mapping[str, Mapping[str, Setup]]
"""For each name, the setup of each task."""

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

NODES: Final = 10_000
CHAIN: Final = 20_000
SIZES: Final = (64, 128, 64, 10)
RATE: Final = 0.1

BUILD: Final = f"build a graph of {NODES:,} operations"
RUN: Final = "run tanh(x y + x) on 4 numbers"
TRAIN: Final = f"train a {'-'.join(map(str, SIZES))} perceptron on a batch of 32"
DIFFERENTIATE: Final = f"build the gradient of a chain of {CHAIN:,} operations"
TASKS: Final = (BUILD, RUN, TRAIN, DIFFERENTIATE)


def batch() -> tuple[Array, Array]:
    """Images and labels of random digits."""
    rng = np.random.default_rng(0)
    return rng.random((32, SIZES[0]), np.float32), rng.integers(0, SIZES[-1], 32, np.int32)


def weights() -> list[tuple[Array, Array]]:
    """The initial weights and biases of each layer."""
    rng = np.random.default_rng(1)
    pairs = pairwise(SIZES)
    return [(rng.normal(0, 0.1, pair).astype(np.float32), np.zeros(pair[1], np.float32)) for pair in pairs]
