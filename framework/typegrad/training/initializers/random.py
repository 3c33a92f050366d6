"""Initializers that draw every element from one distribution."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Sequence
from typing import SupportsIndex, final

from attrs import field, frozen

from typegrad.base.shape import Shape
from typegrad.graph.operand import F, Operand
from typegrad.graph.scope import Scope
from typegrad.op import random
from typegrad.op._ops import Ops
from typegrad.training.initializers.initializer import Initializer, sizes

__all__ = ["RandomInitializer", "RandomNormal", "RandomUniform", "TruncatedNormal", "normal", "truncated", "uniform"]


@frozen
class RandomInitializer(Initializer):
    """An initializer that draws numbers."""

    seed: SupportsIndex | None = field(default=None, kw_only=True)
    """With a seed, the value depends only on the graph's seed, this seed and the shape; without one, on the node's name
    in its place."""

    def __call__(self, scope: Scope, shape: Sequence[int] | Shape, dtype: type[F]) -> Operand[F]:
        """Numbers of shape `shape`."""
        return self._draw(scope.with_sub_scope(type(self).__name__), sizes(shape), dtype)

    @abstractmethod
    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        """The value. `scope` has no other operations."""

    @property
    def _seeds(self) -> dict[str, int]:
        """The seed attributes of a random operation; two zeros would mean no seed."""
        if self.seed is None:
            return {}
        seed = operator.index(self.seed)
        return {"seed": seed, "seed2": int(seed == 0)}


@final
@frozen
class RandomNormal(RandomInitializer):
    """The normal distribution (Keras: `RandomNormal`)."""

    mean: float = 0.0
    stddev: float = 0.05

    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        return normal(scope, shape, dtype, self.mean, self.stddev, self._seeds)


@final
@frozen
class TruncatedNormal(RandomInitializer):
    """The normal distribution, truncated at two standard deviations from the mean (Keras: `TruncatedNormal`).

    `stddev` is the standard deviation before truncation; after it, the standard deviation is about 0.88 `stddev`.
    """

    mean: float = 0.0
    stddev: float = 0.05

    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        return truncated(scope, shape, dtype, self.mean, self.stddev, self._seeds)


@final
@frozen
class RandomUniform(RandomInitializer):
    """The uniform distribution on [minval, maxval) (Keras: `RandomUniform`)."""

    minval: float = -0.05
    maxval: float = 0.05

    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        return uniform(scope, shape, dtype, self.minval, self.maxval, self._seeds)


def normal(
    scope: Scope, shape: Sequence[int], dtype: type[F], mean: float, stddev: float, seeds: dict[str, int]
) -> Operand[F]:
    """`mean + stddev x`, x standard normal."""
    return _affine(scope, Ops.create(scope).random.random_standard_normal(shape, dtype, **seeds), stddev, mean)


def truncated(
    scope: Scope, shape: Sequence[int], dtype: type[F], mean: float, stddev: float, seeds: dict[str, int]
) -> Operand[F]:
    """`mean + stddev x`, x standard normal and truncated at 2 and -2."""
    return _affine(scope, random.TruncatedNormal.create(scope, shape, dtype, **seeds), stddev, mean)


def uniform(
    scope: Scope, shape: Sequence[int], dtype: type[F], minval: float, maxval: float, seeds: dict[str, int]
) -> Operand[F]:
    """`minval + (maxval - minval) x`, x uniform on [0, 1)."""
    return _affine(scope, Ops.create(scope).random.random_uniform(shape, dtype, **seeds), maxval - minval, minval)


def _affine(scope: Scope, x: Operand[F], factor: float, offset: float) -> Operand[F]:
    with scope:
        return x * factor if offset == 0 else x * factor + offset
