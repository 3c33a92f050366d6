"""The names that every idiom uses."""

import dataclasses
import functools
import itertools
import typing as t
from collections.abc import Sequence

import numpy as np

import typegrad as tg
from typegrad import activations, functions, initializers, losses
from typegrad.op import core, dtypes, linalg, math, nn, random, train
from typegrad.training.optimizers import Adam, GradientDescent

__all__ = [
    "Adam", "Batch", "F", "GradientDescent", "S", "Sequence", "Time", "activations", "b", "core", "dataclasses", "dtypes",
    "eight", "four", "functions", "functools", "ids", "initializers", "itertools", "linalg", "losses", "mask", "math", "nn",
    "np", "random", "rows", "scalar", "scope", "seq", "t", "tg", "train", "w", "x", "xs",
]  # fmt: skip

Batch = t.NewType("Batch", int)
Time = t.NewType("Time", int)
F = t.TypeVar("F", bound=tg.TFloating)
S = t.TypeVar("S", bound=tuple[int, ...])

scope = tg.Scope(tg.Graph(seed=1))
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
seq = core.Placeholder.create(scope, tg.TFloat32, (Batch, Time, 8))
ids = core.Placeholder.create(scope, tg.TInt32, (Batch,))
mask = core.Placeholder.create(scope, tg.TBool, (Batch,))
w = tg.Variable.create(scope, np.zeros((8, 4), np.float32))
b = tg.Variable.create(scope, np.zeros(4, np.float32))
xs = np.ones((2, 8), np.float32)


def eight(y: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[8]]]) -> None:
    """Take a batch of eight columns."""


def four(y: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[4]]]) -> None:
    """Take a batch of four columns."""


def rows(y: tg.Operand[tg.TFloat32, tuple[Batch]]) -> None:
    """Take a number for each row."""


def scalar(y: tg.Operand[tg.TFloat32, tuple[()]]) -> None:
    """Take a single number."""
